// Every kind of bad client of a control socket. Those that are not disconnected stay until this process ends.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "guest.h"

static const char *path;

static int join(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (client < 0) fail_errno("socket");
  if (connect(client, (struct sockaddr *)&address, sizeof address) < 0) fail_errno("%s", path);
  return client;
}

// Until it has sent everything or is disconnected; with MSG_DONTWAIT, what fits.
static void say(int client, const char *text, size_t length, int flags) {
  for (ssize_t sent; length; text += sent, length -= (size_t)sent)
    if ((sent = send(client, text, length, flags | MSG_NOSIGNAL)) < 0) return;
}

static void ask(int client, const char *request) { say(client, request, strlen(request), MSG_DONTWAIT); }

// What a client says that is longer than a line may be, with its end or without.
static void babble(int client, size_t length, const char *end) {
  char *text = malloc(length);
  if (!text) fail("no memory");
  memset(text, 'x', length);
  say(client, text, length, 0);
  ask(client, end);
  free(text);
}

static void speak_rubbish(int client) {
  char rubbish[20000];
  for (size_t i = 0; i < sizeof rubbish; i++) rubbish[i] = (char)(i * i % 251);
  say(client, rubbish, sizeof rubbish, MSG_DONTWAIT);
  ask(client, "\n[[[[[[[[\n{\"type\":\"nonsense\"}\n{\"type\":7}\n\n{\"type\":\"hit\",\"x\":\"far\"}\n");
}

static void send_descriptor(int client) {
  char byte = '\n', space[CMSG_SPACE(sizeof(int))] = {0};
  struct iovec text = {&byte, 1};
  struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &(int){STDIN_FILENO}, sizeof(int));
  if (sendmsg(client, &message, MSG_NOSIGNAL) < 0) fail_errno("sendmsg");
}

// Reads the start of the answers, and goes.
static void leave_in_the_middle(int client) {
  char start[100];
  for (int i = 0; i < 50; i++) ask(client, "{\"type\":\"tree\",\"id\":1}\n");
  ask(client, "{\"type\":\"screen\"}\n{\"type\":\"subscribe\"}\n");
  if (recv(client, start, sizeof start, MSG_WAITALL) != sizeof start) fail_errno("recv");
  close(client);
}

// Waits until it is answered: one whose request has not been read has said nothing yet, as the daemon sees it.
static void ask_and_stay(int client) {
  char byte;
  ask(client, "{\"type\":\"hit\",\"x\":1,\"y\":1}\n");
  for (int lines = 0; lines < 2; lines += byte == '\n') // the greeting, and the answer
    if (recv(client, &byte, 1, 0) != 1) fail_errno("recv");
}

int clients_command(int count, char **arguments) {
  if (count != 2) fail("clients wants SOCKET COUNT");
  path = arguments[0];
  int most = number(arguments[1]);
  // Those that watch and never read.
  for (int i = 0; i < 4; i++) ask(join(), "{\"type\":\"subscribe\"}\n{\"type\":\"screen\"}\n");
  for (int i = 0; i < 4; i++) leave_in_the_middle(join());
  speak_rubbish(join());
  babble(join(), 200000, "\n{\"type\":\"tree\",\"id\":1}\n");
  babble(join(), 17 << 20, "");
  send_descriptor(join());
  // Those that say nothing, and go for those that do.
  for (int i = 0; i < most; i++) join();
  for (int i = 0; i < most + 4; i++) ask_and_stay(join());
  puts("done");
  pause();
  return 0;
}
