// Measures how much later a program hears of a frame when a bridge stands between it and the panel.
//
//   vm-guest delay FRAMES FINGERS COMMAND…
//
// The command takes the panel, whose node stands in for an @ at the end of a word, and gives it back as a device whose name ends in
// " (touchtree bridge)". Every frame moves all fingers. A time is from before the frame is written to the panel until a reader that
// waited for it has read its SYN_REPORT: first of the panel itself, then of the bridge's device. In a machine that counts instructions
// a nanosecond is one, the kernel's included.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <linux/input.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

enum { MOST_FINGERS = 10, WARM_UP = 20, PATIENCE = 5000, TRIES = 600 };

static int panel;
static int32_t fingers;

static int32_t add(struct input_event *events, int32_t count, uint16_t type, uint16_t code, int32_t value) {
  events[count] = (struct input_event){.type = type, .code = code, .value = value};
  return count + 1;
}

// A frame in which every finger is `down`, somewhere else than in the last.
static void write_frame(int32_t number, int is_first, int is_last) {
  struct input_event events[MOST_FINGERS * 4 + 2];
  int32_t count = 0;
  for (int32_t finger = 0; finger < fingers; finger++) {
    count = add(events, count, EV_ABS, ABS_MT_SLOT, finger);
    if (is_first || is_last) count = add(events, count, EV_ABS, ABS_MT_TRACKING_ID, is_last ? -1 : finger + 1);
    if (is_last) continue;
    count = add(events, count, EV_ABS, ABS_MT_POSITION_X, 100 + 300 * finger + number % 200);
    count = add(events, count, EV_ABS, ABS_MT_POSITION_Y, 200 + number % 300);
  }
  if (is_first || is_last) count = add(events, count, EV_KEY, BTN_TOUCH, is_first);
  count = add(events, count, EV_SYN, SYN_REPORT, 0);
  size_t size = sizeof *events * (size_t)count;
  if (write(panel, events, size) != (ssize_t)size) fail_errno("writing events");
}

// Reads until the end of a frame. Returns whether one came in time.
static int read_frame(int reader) {
  struct pollfd readable = {.fd = reader, .events = POLLIN};
  while (poll(&readable, 1, PATIENCE) == 1) {
    struct input_event events[256];
    ssize_t size = read(reader, events, sizeof events);
    if (size < 0) fail_errno("reading events");
    for (size_t i = 0; i < (size_t)size / sizeof *events; i++)
      if (events[i].type == EV_SYN && events[i].code == SYN_REPORT) return 1;
  }
  return 0;
}

static void drain(int reader) {
  struct pollfd readable = {.fd = reader, .events = POLLIN};
  while (poll(&readable, 1, 20) == 1) read_frame(reader);
}

static int ascending(const void *first, const void *second) {
  int64_t difference = *(const int64_t *)first - *(const int64_t *)second;
  return (difference > 0) - (difference < 0);
}

static void measure(int reader, int64_t *times, int32_t frames) {
  write_frame(0, 1, 0);
  drain(reader);
  for (int32_t frame = -WARM_UP; frame < frames; frame++) {
    int64_t start = nanoseconds();
    write_frame(frame + WARM_UP + 1, 0, 0);
    if (!read_frame(reader)) fail("frame %d did not come through", frame);
    if (frame >= 0) times[frame] = nanoseconds() - start;
    // Everyone sleeps again, as between two reports of a panel.
    usleep(8000);
  }
  write_frame(0, 0, 1);
  drain(reader);
  qsort(times, (size_t)frames, sizeof *times, ascending);
}

static int open_bridged(void) {
  static const char suffix[] = " (touchtree bridge)";
  for (int attempt = 0; attempt < TRIES; attempt++, usleep(100000)) {
    DIR *entries = opendir("/dev/input");
    if (!entries) continue;
    int found = -1;
    for (struct dirent *entry; found < 0 && (entry = readdir(entries));) {
      char path[300], name[256] = "";
      if (strncmp(entry->d_name, "event", 5) != 0) continue;
      snprintf(path, sizeof path, "/dev/input/%s", entry->d_name);
      int node = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
      if (node < 0) continue;
      if (ioctl(node, EVIOCGNAME(sizeof name), name) < 0) name[0] = 0;
      size_t length = strlen(name);
      if (length > sizeof suffix - 1 && strcmp(name + length - (sizeof suffix - 1), suffix) == 0) found = node;
      else close(node);
    }
    closedir(entries);
    if (found >= 0) return found;
  }
  fail("nothing was bridged");
}

static void print(const char *name, const int64_t *sorted, int32_t frames) {
  printf("%s", name);
  static const int parts[] = {50, 90, 99, 100};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    printf(" %.1f", (double)sorted[(int64_t)(frames - 1) * parts[i] / 100] / 1000);
  puts("");
}

int delay_command(int count, char **arguments) {
  if (count < 3) fail("delay wants a number of frames, one of fingers, and a command");
  int32_t frames = number(arguments[0]);
  fingers = number(arguments[1]);
  if (frames < 1 || fingers < 1 || fingers > MOST_FINGERS) fail("there are 1 to %d fingers", MOST_FINGERS);
  char description[] =
      "name Delayed panel\nproperty INPUT_PROP_DIRECT\nkey BTN_TOUCH\nabs ABS_MT_SLOT 0 9\nabs ABS_MT_TRACKING_ID 0 65535\n"
      "abs ABS_MT_POSITION_X 0 4095 0 0 20\nabs ABS_MT_POSITION_Y 0 4095 0 0 20\ncreate\n";
  char node[64];
  panel = make_device(description, node, sizeof node);
  int64_t *without = calloc((size_t)frames, sizeof *without), *with = calloc((size_t)frames, sizeof *with);
  if (!without || !with) fail("%d frames are too many", frames);

  int reader = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (reader < 0) fail_errno("%s", node);
  measure(reader, without, frames);
  close(reader);

  char **command = arguments + 2;
  for (char **word = command; *word; word++) {
    size_t length = strlen(*word);
    if (length == 0 || (*word)[length - 1] != '@') continue;
    char *filled = malloc(length + sizeof node);
    if (!filled) fail("there is no memory");
    sprintf(filled, "%.*s%s", (int)length - 1, *word, node);
    *word = filled;
  }
  pid_t bridge = fork();
  if (bridge < 0) fail_errno("fork");
  if (bridge == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execvp(command[0], command);
    fail_errno("%s", command[0]);
  }
  reader = open_bridged();
  // It has the panel, and waits for it.
  char pid[16];
  snprintf(pid, sizeof pid, "%d", bridge);
  await_reader(pid);
  measure(reader, with, frames);
  kill(bridge, SIGTERM);
  waitpid(bridge, NULL, 0);

  // In microseconds: p50, p90, p99 and the longest.
  print("panel", without, frames);
  print("bridge", with, frames);
  int64_t last = (int64_t)(frames - 1) * 99 / 100;
  printf("added %.1f\n", (double)(with[last] - without[last]) / 1000);
  return 0;
}
