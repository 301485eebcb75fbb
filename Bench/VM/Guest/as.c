// Runs a command as another user, in the groups that are named and in no others.
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

int as_command(int count, char **arguments) {
  if (count < 3) fail("as wants UID GID[,GID…] COMMAND…");
  gid_t groups[32];
  size_t group_count = 0;
  for (char *group = strtok(arguments[1], ","); group; group = strtok(NULL, ",")) {
    if (group_count == sizeof groups / sizeof *groups) fail("too many groups");
    groups[group_count++] = (gid_t)number(group);
  }
  if (group_count == 0) fail("as wants at least one group");
  if (setgroups(group_count, groups) < 0) fail_errno("setgroups");
  if (setgid(groups[0]) < 0) fail_errno("setgid");
  if (setuid((uid_t)number(arguments[0])) < 0) fail_errno("setuid");
  execvp(arguments[2], arguments + 2);
  fail_errno("%s", arguments[2]);
}
