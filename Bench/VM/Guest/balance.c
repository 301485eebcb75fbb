// Reads a trace, as JSON, and keeps the balance of each touch and responder: one begin, moves only after it, one end. Whenever
// nothing came for a moment, and at the end, it prints `begins N ends N open N`; a line that breaks the balance is printed as
// `wrong: LINE`.
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

enum { MOST_OPEN = 4096 };

static struct pair {
  long long touch;
  char responder[64];
} open_pairs[MOST_OPEN];
static int open_count;
static long begins, ends;

static int index_of(long long touch, const char *responder) {
  for (int i = 0; i < open_count; i++)
    if (open_pairs[i].touch == touch && strcmp(open_pairs[i].responder, responder) == 0) return i;
  return -1;
}

static void take(const char *line) {
  static const char start[] = "{\"event\":\"touch\",";
  if (strncmp(line, start, strlen(start)) != 0) return;
  long long touch;
  char phase[16], responder[64];
  if (sscanf(line + strlen(start), "\"touch\":%lld,\"phase\":\"%15[a-z]\",\"responder\":\"%63[^\"]\"", &touch, phase,
             responder) != 3)
    fail("no line of a trace: %s", line);
  int index = index_of(touch, responder);
  int begins_now = strcmp(phase, "began") == 0;
  int ends_now = strcmp(phase, "ended") == 0 || strcmp(phase, "cancelled") == 0;
  if (begins_now == (index >= 0)) {
    printf("wrong: %s\n", line);
  } else if (begins_now) {
    if (open_count == MOST_OPEN) fail("%d touches and responders have no end", MOST_OPEN);
    open_pairs[open_count].touch = touch;
    strcpy(open_pairs[open_count++].responder, responder);
    begins++;
  } else if (ends_now) {
    open_pairs[index] = open_pairs[--open_count];
    ends++;
  }
}

static void print_balance(void) { printf("begins %ld ends %ld open %d\n", begins, ends, open_count); }

int balance_command(int count, char **arguments) {
  if (count != 1) fail("balance wants a trace");
  int trace = open(arguments[0], O_RDONLY | O_CLOEXEC);
  if (trace < 0) fail_errno("%s", arguments[0]);
  static char text[1 << 16];
  size_t length = 0;
  for (;;) {
    struct pollfd ready = {.fd = trace, .events = POLLIN};
    if (poll(&ready, 1, 100) == 0) {
      print_balance();
      poll(&ready, 1, -1);
    }
    ssize_t size = read(trace, text + length, sizeof text - 1 - length);
    if (size <= 0) break;
    length += (size_t)size;
    text[length] = 0;
    char *line = text;
    for (char *end; (end = strchr(line, '\n')); line = end + 1) {
      *end = 0;
      take(line);
    }
    length -= (size_t)(line - text);
    if (length == sizeof text - 1) fail("a line of the trace is too long");
    memmove(text, line, length);
  }
  print_balance();
  return 0;
}
