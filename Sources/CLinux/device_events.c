#include <linux/netlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include "linux_loop.h"

int touchtree_device_events(void) {
  const int descriptor = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
  if (descriptor < 0) return -1;
  // Group 1 is the kernel's, group 2 is udev's: it has set the permissions by then.
  const struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = 1 | 2};
  if (bind(descriptor, (const struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  close(descriptor);
  return -1;
}
