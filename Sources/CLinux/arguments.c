#include "linux_process.h"

// glibc hands the arguments to every function that runs before main. Swift's own way to them is /proc/self/cmdline, which is not there
// in a chroot without /proc: a program would not see that it was given any.

static int count;
static char **line;

__attribute__((constructor)) static void keep(int arguments, char **vector) {
  count = arguments;
  line = vector;
}

int touchtree_argument_count(void) { return count; }

const char *touchtree_argument(int index) { return index < count ? line[index] : 0; }
