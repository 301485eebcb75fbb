#include "linux_process.h"

// glibc passes the arguments to every function that runs before main. Swift
// reads them from /proc/self/cmdline, which is missing in a chroot without
// /proc. A program would not see its arguments there.

static int count;
static char **line;

__attribute__((constructor)) static void keep(int arguments, char **vector) {
  count = arguments;
  line = vector;
}

int touchtree_argument_count(void) { return count; }

const char *touchtree_argument(int index) { return index < count ? line[index] : 0; }
