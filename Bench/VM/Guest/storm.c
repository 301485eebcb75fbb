// Fingers that do whatever they like: on several panels of ten fingers at a rate, while panels are unplugged and return, and
// while clients of a control socket come, ask, send rubbish, fall silent and go. The same seed does the same.
//
// PID is the reader, which opens every panel before the first finger comes down; a panel that returns does not wait for it.
// CHANGES is how many times in 10 000 frames a finger comes down or lifts, UNPLUGS how many times in a million frames a panel is
// replaced; with UNPLUGS, the number of fingers that are down at most varies, and without, it is ten.
//
// All fingers are up at the end. What was done is then printed: `frames N downs N unplugs N clients N milliseconds N`.
#include <fcntl.h>
#include <linux/input.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "guest.h"

enum { MOST_PANELS = 16, FINGERS = 10, CLIENTS = 8, WIDTH = 1280, HEIGHT = 800 };

struct finger {
  int is_down, x, y, x_step, y_step;
};

static struct panel {
  int device;
  // As many fingers come down as this.
  int most;
  struct finger fingers[FINGERS];
} panels[MOST_PANELS];

static struct {
  long frames, downs, unplugs, clients;
} done;

static uint64_t state;

// From 0 to `count` - 1. (xorshift64)
static int below(int count) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (int)((state >> 33) % (uint64_t)count);
}

static void plug(struct panel *panel, int number) {
  char description[512];
  snprintf(description, sizeof description,
           "name VM storm %d\nproperty INPUT_PROP_DIRECT\nkey BTN_TOUCH\nabs ABS_MT_SLOT 0 %d\n"
           "abs ABS_MT_TRACKING_ID 0 65535\nabs ABS_MT_POSITION_X 0 %d\nabs ABS_MT_POSITION_Y 0 %d\ncreate",
           number, FINGERS - 1, WIDTH - 1, HEIGHT - 1);
  memset(panel->fingers, 0, sizeof panel->fingers);
  char node[64];
  panel->device = make_device(description, node, sizeof node);
}

static int next_place(int place, int *step, int end) {
  if (place + *step < 0 || place + *step >= end) *step = -*step;
  return place + *step;
}

// A finger that goes on moves on a straight line, so one that lifts has a speed.
static void move(struct finger *finger) {
  finger->x = next_place(finger->x, &finger->x_step, WIDTH);
  finger->y = next_place(finger->y, &finger->y_step, HEIGHT);
}

static void put_down(struct finger *finger) {
  *finger = (struct finger){1, below(WIDTH), below(HEIGHT), below(61) - 30, below(61) - 30};
  done.downs++;
}

// One frame of a panel, in which each finger changes its mind with a chance of `changes` in 10 000.
static void send_frame(struct panel *panel, int changes, int all_lift) {
  static int tracking;
  struct input_event events[FINGERS * 4 + 1];
  int count = 0;
#define EVENT(event_type, event_code, event_value) \
  events[count++] = (struct input_event){.type = (event_type), .code = (event_code), .value = (event_value)}
  for (int slot = 0; slot < FINGERS; slot++) {
    struct finger *finger = &panel->fingers[slot];
    int was_down = finger->is_down;
    if (all_lift || slot >= panel->most) {
      finger->is_down = 0;
    } else if (below(10000) < changes) {
      if (was_down) finger->is_down = 0; else put_down(finger);
    } else if (was_down) {
      move(finger);
    }
    if (!was_down && !finger->is_down) continue;
    EVENT(EV_ABS, ABS_MT_SLOT, slot);
    if (was_down != finger->is_down)
      EVENT(EV_ABS, ABS_MT_TRACKING_ID, finger->is_down ? ++tracking & 0xffff : -1);
    if (!finger->is_down) continue;
    EVENT(EV_ABS, ABS_MT_POSITION_X, finger->x);
    EVENT(EV_ABS, ABS_MT_POSITION_Y, finger->y);
  }
  EVENT(EV_SYN, SYN_REPORT, 0);
#undef EVENT
  size_t size = sizeof *events * (size_t)count;
  if (write(panel->device, events, size) != (ssize_t)size) fail_errno("writing events");
  done.frames++;
}

// What a client may say, each only in part now and then.
static const char *const requests[] = {
    "{\"type\":\"stats\",\"id\":1}\n", "{\"type\":\"tree\",\"id\":2}\n", "{\"type\":\"subscribe\",\"events\":[\"touch\"]}\n",
    "{\"type\":\"screen\"}\n", "{\"type\":\"wake\"}\n", "{\"type\":\"hit\",\"point\":[1,2]}\n", "{\"type\":\"nonsense\"}\n",
    "[[[[[[[[", "\n\n\n", "{\"type\":\"set\",\"view\":\"level\",\"properties\":{\"value\":\"far\"}}\n",
};

static void disturb(int *client, const char *path) {
  if (*client < 0) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made < 0) fail_errno("socket");
    // With many that wait, or while the daemon reloads, it is refused.
    if (connect(made, (struct sockaddr *)&address, sizeof address) == 0) *client = made, done.clients++;
    else close(made);
  } else if (below(4) == 0) {
    close(*client);
    *client = -1;
  } else if (below(4) == 0) {
    char rubbish[300];
    for (size_t i = 0; i < sizeof rubbish; i++) rubbish[i] = (char)below(256);
    send(*client, rubbish, sizeof rubbish, MSG_DONTWAIT | MSG_NOSIGNAL);
  } else {
    const char *request = requests[below(sizeof requests / sizeof *requests)];
    size_t length = strlen(request);
    if (below(8) == 0) length /= 2;
    send(*client, request, length, MSG_DONTWAIT | MSG_NOSIGNAL);
  }
}

int storm_command(int count, char **arguments) {
  if (count != 7 && count != 8) fail("storm wants PID SEED SECONDS PANELS HERTZ CHANGES UNPLUGS [SOCKET]");
  const char *reader = arguments[0], *path = count == 8 ? arguments[7] : NULL;
  // A generator of this kind would stay at 0.
  state = ((uint64_t)number(arguments[1]) << 1 | 1) * 0x9e3779b97f4a7c15;
  int64_t seconds = number(arguments[2]);
  int panel_count = number(arguments[3]), rate = number(arguments[4]);
  int changes = number(arguments[5]), unplugs = number(arguments[6]);
  if (panel_count < 1 || panel_count > MOST_PANELS || rate < 1) fail("1 to %d panels, at 1 frame a second or more", MOST_PANELS);
  int clients[CLIENTS];
  for (int i = 0; i < CLIENTS; i++) clients[i] = -1;
  for (int i = 0; i < panel_count; i++) {
    plug(&panels[i], i);
    panels[i].most = FINGERS;
    await_reader(reader);
  }
  int64_t start = nanoseconds(), end = start + seconds * 1000000000;
  struct timespec due;
  clock_gettime(CLOCK_MONOTONIC, &due);
  while (nanoseconds() < end) {
    for (int i = 0; i < panel_count; i++) {
      if (unplugs && below(1000000) < unplugs) {
        close(panels[i].device);
        plug(&panels[i], i);
        done.unplugs++;
      }
      if (unplugs && below(200) == 0) panels[i].most = below(FINGERS + 1);
      send_frame(&panels[i], changes, 0);
    }
    if (path && below(20) == 0) disturb(&clients[below(CLIENTS)], path);
    due.tv_nsec += 1000000000L / rate;
    if (due.tv_nsec >= 1000000000L) due.tv_sec++, due.tv_nsec -= 1000000000L;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
  }
  for (int i = 0; i < panel_count; i++) send_frame(&panels[i], 0, 1);
  printf("frames %ld downs %ld unplugs %ld clients %ld milliseconds %ld\n", done.frames, done.downs, done.unplugs,
         done.clients, (long)((nanoseconds() - start) / 1000000));
  return 0;
}
