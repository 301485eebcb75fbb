#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "guest.h"

static const struct {
  const char *name;
  const char *arguments;
  int (*run)(int, char **);
} commands[] = {
    {"agent", "                  run what the host says on a serial port", agent_command},
    {"device", "                 make an input device from a description on stdin, then play it", device_command},
    {"watch", "NODE             print what a device is, then its events", watch_command},
    {"framebuffer", "NODE [WxHxBPP …] print its geometry, or set it first", framebuffer_command},
    {"dump", "FILE             put its bytes into the memory that the host shares, and print how many they are", dump_command},
    {"pixel", "NODE X Y          print its geometry, and a pixel", pixel_command},
    {"colors", "NODE COUNT       print its colour map", colors_command},
    {"console", "TTY [restore | type TEXT]  print its modes, or make them normal first", console_command},
    {"notify", "SOCKET           print what services say to NOTIFY_SOCKET", notify_command},
    {"as", "UID GID[,GID…] COMMAND…   run a command without root's rights", as_command},
    {"glass", "FRAMEBUFFER X,Y,WxH [MS]  count the rows that are not on the glass, or a pixel's changes", glass_command},
    {"square", "EVENTS FRAMEBUFFER X,Y,WxH COLOUR BACKGROUND map|fsync|write|dirty  fill a rectangle while a device is touched", square_command},
    {"latency", "FRAMEBUFFER TOUCHES X,Y,WxH COMMAND… [-- …]  measure the time from a touch to its pixels", latency_command},
    {"cost", "COMMAND…         run a command, and print for how many nanoseconds it ran", cost_command},
    {"delay", "FRAMES FINGERS COMMAND…  measure how much later a frame comes through a bridge", delay_command},
    {"calls", "PID FILE         count a process's system calls", calls_command},
    {"storm", "PID SEED SECONDS PANELS HERTZ CHANGES UNPLUGS [SOCKET]  play random fingers, replugs and clients", storm_command},
    {"balance", "TRACE          count the begins and the ends of touches in a trace as it is written", balance_command},
    {"clients", "SOCKET COUNT    be every kind of bad client, and so many that say nothing, and as many that do", clients_command},
};

static void say_why(const char *format, va_list arguments, const char *reason) {
  fputs("vm-guest: ", stderr);
  vfprintf(stderr, format, arguments);
  if (reason) fprintf(stderr, ": %s", reason);
  fputc('\n', stderr);
  exit(1);
}

void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say_why(format, arguments, NULL);
  abort();
}

void fail_errno(const char *format, ...) {
  const char *reason = strerror(errno);
  va_list arguments;
  va_start(arguments, format);
  say_why(format, arguments, reason);
  abort();
}

int32_t number(const char *text) {
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 0);
  if (errno || end == text || *end || value < INT32_MIN || value > INT32_MAX)
    fail("'%s' is not a 32-bit number", text);
  return (int32_t)value;
}

int64_t nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

int main(int count, char **arguments) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (size_t i = 0; count > 1 && i < sizeof commands / sizeof *commands; i++)
    if (strcmp(arguments[1], commands[i].name) == 0) return commands[i].run(count - 2, arguments + 2);
  fputs("usage:\n", stderr);
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    fprintf(stderr, "  vm-guest %s %s\n", commands[i].name, commands[i].arguments);
  return 64;
}
