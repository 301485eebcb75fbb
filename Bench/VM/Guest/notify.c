// The service manager's end of sd_notify(3): prints each message, its lines separated by spaces.
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "guest.h"

int notify_command(int count, char **arguments) {
  if (count != 1) fail("notify wants the path of a socket to make");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(arguments[0]) >= sizeof address.sun_path) fail("%s: too long for a socket", arguments[0]);
  strcpy(address.sun_path, arguments[0]);
  int listener = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (listener < 0) fail_errno("socket");
  if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0) fail_errno("%s", arguments[0]);
  puts("listening");
  char message[4096];
  for (ssize_t size; (size = recv(listener, message, sizeof message - 1, 0)) >= 0;) {
    message[size] = 0;
    for (char *newline; (newline = strchr(message, '\n'));) *newline = ' ';
    puts(message);
  }
  fail_errno("%s", arguments[0]);
}
