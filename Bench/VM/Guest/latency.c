// Measures how long it takes from a touch to its pixels: how long after a frame was written to a device the whole of a
// rectangle has changed, in the framebuffer's mapping, and on the glass, where the driver shows it. (screen.c)
//
//   vm-guest latency FRAMEBUFFER TOUCHES  NAME X,Y,WxH COMMAND…  [-- NAME X,Y,WxH COMMAND…]…
//   vm-guest latency kms TOUCHES …     the same on a bochs adapter's card, which one program at a time has
//
// Each command has a device of its own, whose node stands in for an @ at the end of a word, and has to change the corners
// of its rectangle while the middle of that is touched. They take turns, so that whatever else the machine does meets
// all of them. They run on the last processor; the one who measures stays on the first and never sleeps while it waits.
// On a machine with one processor it gives that up while it waits, and the times are those until the program and the
// kernel's worker sleep again. There the commands are real-time processes, unless LATENCY_FAIR is set: see `start`.
#define _GNU_SOURCE
#include <dirent.h>
#include <linux/input.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

enum { MOST_CONTENDERS = 8, WARM_UP = 5, CORNERS = 4, IDLE_SECONDS = 5 };

// In nanoseconds.
enum : int64_t { PATIENCE = 5000000000 };

enum place { MAPPING, GLASS, PLACES };

struct contender {
  const char *name;
  struct rectangle area;
  char **command;
  int device;
  pid_t process;
  int64_t *times[PLACES];
  // Context switches while nothing is touched; nanoseconds on a processor during the touches; kilobytes.
  int64_t wake_ups, busy, anonymous, dirty;
};

static struct screen screen;
static const volatile uint8_t *places[PLACES];
static long processors;

static void use_processor(int number) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(number, &set);
  if (sched_setaffinity(0, sizeof set, &set) < 0) fail_errno("processor %d", number);
}

static void start(struct contender *contender, int index, int processor) {
  char description[512], node[64];
  snprintf(description, sizeof description,
           "name Bench panel %d\nproperty INPUT_PROP_DIRECT\nkey BTN_TOUCH\nabs ABS_MT_SLOT 0 9\n"
           "abs ABS_MT_TRACKING_ID 0 65535\nabs ABS_MT_POSITION_X 0 %u\nabs ABS_MT_POSITION_Y 0 %u\n"
           "abs ABS_X 0 %u\nabs ABS_Y 0 %u\ncreate\n",
           index, screen.width - 1, screen.height - 1, screen.width - 1, screen.height - 1);
  contender->device = make_device(description, node, sizeof node);
  for (char **word = contender->command; *word; word++) {
    size_t length = strlen(*word);
    if (length == 0 || (*word)[length - 1] != '@') continue;
    char *filled = malloc(length + sizeof node);
    sprintf(filled, "%.*s%s", (int)length - 1, *word, node);
    *word = filled;
  }

  contender->process = fork();
  if (contender->process < 0) fail_errno("fork");
  if (contender->process > 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  use_processor(processor);
  // With one processor the kernel's worker waits until the program sleeps. Otherwise, on kernel 6.12, it interrupts a
  // program after no row, after three, or after each, which depends on what the one who measures has used before.
  const struct sched_param real_time = {.sched_priority = 1};
  if (processors == 1 && !getenv("LATENCY_FAIR") && sched_setscheduler(0, SCHED_RR, &real_time) < 0)
    fail_errno("SCHED_RR");
  execvp(contender->command[0], contender->command);
  fail_errno("%s", contender->command[0]);
}

// A panel's usual frame: slots, and what a program that knows none of them reads.
static void touch(const struct contender *contender, int is_down) {
  static int32_t contact;
  contact = (contact + is_down) % 65536;
  // Never where the last touch was: the kernel leaves out what has not changed, and not every program remembers it. There
  // are fewer than 11 contenders.
  int32_t x = (int32_t)(contender->area.x + contender->area.width / 2) + contact % 11 - 5;
  int32_t y = (int32_t)(contender->area.y + contender->area.height / 2) + contact % 11 - 5;
  const struct input_event down[] = {
      {.type = EV_ABS, .code = ABS_MT_TRACKING_ID, .value = contact},
      {.type = EV_ABS, .code = ABS_MT_POSITION_X, .value = x},
      {.type = EV_ABS, .code = ABS_MT_POSITION_Y, .value = y},
      {.type = EV_KEY, .code = BTN_TOUCH, .value = 1},
      {.type = EV_ABS, .code = ABS_X, .value = x},
      {.type = EV_ABS, .code = ABS_Y, .value = y},
      {.type = EV_SYN, .code = SYN_REPORT},
  };
  static const struct input_event up[] = {
      {.type = EV_ABS, .code = ABS_MT_TRACKING_ID, .value = -1},
      {.type = EV_KEY, .code = BTN_TOUCH, .value = 0},
      {.type = EV_SYN, .code = SYN_REPORT},
  };
  size_t size = is_down ? sizeof down : sizeof up;
  if (write(contender->device, is_down ? down : up, size) != (ssize_t)size) fail_errno("writing events");
}

static uint32_t pixel(enum place place, size_t offset) {
  const volatile uint8_t *bytes = places[place] + offset;
  return screen.depth == 4 ? *(const volatile uint32_t *)bytes : *(const volatile uint16_t *)bytes;
}

// Whether the glass has the whole rectangle as the mapping has it.
static int is_shown(struct rectangle area) {
  for (unsigned y = area.y; y < area.y + area.height; y++) {
    size_t row = place_in(&screen, area.x, y);
    if (memcmp((const uint8_t *)places[MAPPING] + row, (const uint8_t *)places[GLASS] + row, area.width * screen.depth))
      return 0;
  }
  return 1;
}

// Touches, or lets go, and waits for the pixels to change. Returns whether they did; `times` are nanoseconds.
static int changes(const struct contender *contender, int is_down, int64_t patience, int64_t times[PLACES]) {
  struct rectangle area = contender->area;
  unsigned right = area.x + area.width - 1, bottom = area.y + area.height - 1;
  const size_t corners[CORNERS] = {place_in(&screen, area.x, area.y), place_in(&screen, right, area.y),
                                   place_in(&screen, area.x, bottom), place_in(&screen, right, bottom)};
  uint32_t before[PLACES][CORNERS];
  for (enum place place = MAPPING; place < PLACES; place++)
    for (int i = 0; i < CORNERS; i++) before[place][i] = pixel(place, corners[i]);
  times[MAPPING] = times[GLASS] = -1;
  int64_t start = nanoseconds();
  unsigned rounds = 0;
  touch(contender, is_down);
  do {
    if (processors == 1) sched_yield();
    for (enum place place = MAPPING; place < PLACES; place++) {
      if (times[place] >= 0) continue;
      // The last one first: it is the last to change.
      int left = CORNERS;
      while (left > 0 && pixel(place, corners[left - 1]) != before[place][left - 1]) left--;
      if (left > 0) continue;
      int64_t time = nanoseconds() - start;
      if (place == MAPPING || (times[MAPPING] >= 0 && is_shown(area))) times[place] = time;
    }
    rounds++;
  } while (times[GLASS] < 0 && (rounds % 4096 != 0 || nanoseconds() - start < patience));
  return times[GLASS] >= 0;
}

// What was written is on the glass. Programs go to sleep again, and the driver's own timers end.
static void rest(int index) { usleep(60000 + (useconds_t)(index * 7919 % 20000)); }

static int by_kms;

// Each program has buffers of its own.
static void find_kms_picture(void) {
  if (by_kms) places[MAPPING] = places[GLASS] = kms_glass(&screen);
}

// It may take a while until a program reads its device.
static void await(const struct contender *contender) {
  int64_t times[PLACES];
  for (int attempt = 0; attempt < 30; attempt++) {
    find_kms_picture();
    int lit = changes(contender, 1, PATIENCE / 4, times);
    int dark = changes(contender, 0, PATIENCE / 4, times);
    if (lit && dark) return;
    usleep(500000);
  }
  fail("%s does not show that it is touched", contender->name);
}

// Adds up the numbers that `format` finds in a file; 0 if it is not there.
static int64_t sum_in(const char *path, const char *format) {
  FILE *text = fopen(path, "r");
  if (!text) return 0;
  int64_t sum = 0;
  char line[256];
  long long value;
  while (fgets(line, sizeof line, text))
    if (sscanf(line, format, &value) == 1) sum += value;
  fclose(text);
  return sum;
}

static int64_t sum_over_threads(pid_t process, const char *file, const char *format) {
  char path[320];
  snprintf(path, sizeof path, "/proc/%d/task", process);
  DIR *threads = opendir(path);
  if (!threads) fail_errno("%s", path);
  int64_t sum = 0;
  for (struct dirent *thread; (thread = readdir(threads));) {
    snprintf(path, sizeof path, "/proc/%d/task/%s/%s", process, thread->d_name, file);
    sum += sum_in(path, format);
  }
  closedir(threads);
  return sum;
}

static int64_t switches(pid_t process) {
  return sum_over_threads(process, "status", "voluntary_ctxt_switches: %lld") +
         sum_over_threads(process, "status", "nonvoluntary_ctxt_switches: %lld");
}

static int64_t busy(pid_t process) { return sum_over_threads(process, "schedstat", "%lld %*d %*d"); }

// Kilobytes that only this program can use. Neither the screen's memory counts nor clean pages of files: in the machine
// files lie in a RAM disk, all of whose pages are called dirty.
static int64_t private_memory(pid_t process) {
  char path[64], line[512], writable[8] = "";
  snprintf(path, sizeof path, "/proc/%d/smaps", process);
  FILE *text = fopen(path, "r");
  if (!text) fail_errno("%s", path);
  int64_t sum = 0;
  long long dirty = 0, value;
  int is_screen = 0;
  while (fgets(line, sizeof line, text)) {
    if (sscanf(line, "%*x-%*x %7s", writable) == 1) is_screen = strstr(line, "/dev/fb") != NULL;
    if (sscanf(line, "Private_Dirty: %lld", &value) == 1) dirty = value;
    if (sscanf(line, "Anonymous: %lld", &value) == 1 && !is_screen) sum += writable[1] == 'w' ? dirty : value;
  }
  fclose(text);
  return sum;
}

static int ascending(const void *first, const void *second) {
  int64_t difference = *(const int64_t *)first - *(const int64_t *)second;
  return (difference > 0) - (difference < 0);
}

static double microseconds(const int64_t *sorted, int count, int percent) {
  return (double)sorted[(count - 1) * percent / 100] / 1000;
}

// Times in microseconds, and how they compare with the first contender's.
static void print_tables(struct contender *contenders, int count, int touches) {
  for (int i = 0; i < count; i++)
    for (enum place place = MAPPING; place < PLACES; place++)
      qsort(contenders[i].times[place], (size_t)touches, sizeof(int64_t), ascending);
  puts("| program | mapping p50 | p90 | p99 | glass p50 | p90 | p99 | against the first |");
  puts("|---|---|---|---|---|---|---|---|");
  double first = microseconds(contenders[0].times[GLASS], touches, 50);
  for (int i = 0; i < count; i++) {
    printf("| %s ", contenders[i].name);
    for (enum place place = MAPPING; place < PLACES; place++)
      for (int part = 0; part < 3; part++)
        printf("| %.1f ", microseconds(contenders[i].times[place], touches, (const int[]){50, 90, 99}[part]));
    printf("| %.2f |\n", microseconds(contenders[i].times[GLASS], touches, 50) / first);
  }
  printf("\n| program | RssAnon, kB | private, kB | switches in %d s | CPU of 1000 taps, s |\n", IDLE_SECONDS);
  puts("|---|---|---|---|---|");
  for (int i = 0; i < count; i++)
    printf("| %s | %lld | %lld | %lld | %.2f |\n", contenders[i].name, (long long)contenders[i].anonymous,
           (long long)contenders[i].dirty, (long long)contenders[i].wake_ups,
           (double)contenders[i].busy / touches / 1000000);
}

static void watch_idle(struct contender *contenders, int count) {
  sleep(1);
  for (int i = 0; i < count; i++) contenders[i].wake_ups = -switches(contenders[i].process);
  sleep(IDLE_SECONDS);
  for (int i = 0; i < count; i++) contenders[i].wake_ups += switches(contenders[i].process);
}

// On one processor: whatever else can run runs first, so that a time is what the program and the kernel's worker take.
static void give_way(void) {
  if (processors > 1) return;
  struct sched_param none = {0};
  if (sched_setscheduler(0, SCHED_IDLE, &none) < 0) fail_errno("SCHED_IDLE");
}

static void measure(struct contender *contenders, int count, int touches) {
  for (int index = -WARM_UP; index < touches; index++)
    for (int i = 0; i < count; i++) {
      struct contender *contender = &contenders[i];
      if (index == 0) contender->busy = -busy(contender->process);
      int64_t down[PLACES], up[PLACES];
      if (!changes(contender, 1, PATIENCE, down) || !changes(contender, 0, PATIENCE, up))
        fail("touch %d of %s was not shown in time", index, contender->name);
      for (enum place place = MAPPING; index >= 0 && place < PLACES; place++) contender->times[place][index] = down[place];
      rest(index + WARM_UP);
    }
  for (int i = 0; i < count; i++) {
    contenders[i].busy += busy(contenders[i].process);
    contenders[i].dirty = private_memory(contenders[i].process);
    char status[64];
    snprintf(status, sizeof status, "/proc/%d/status", contenders[i].process);
    contenders[i].anonymous = sum_in(status, "RssAnon: %lld");
  }
}

static void run(struct contender *contenders, int count, int touches) {
  watch_idle(contenders, count);
  give_way();
  measure(contenders, count, touches);
}

static void end(struct contender *contenders, int count) {
  for (int i = 0; i < count; i++) {
    kill(contenders[i].process, SIGTERM);
    waitpid(contenders[i].process, NULL, 0);
  }
}

int latency_command(int count, char **arguments) {
  if (count < 5) fail("latency wants a framebuffer, a number of touches, a name, X,Y,WxH and a command");
  processors = sysconf(_SC_NPROCESSORS_ONLN);
  by_kms = strcmp(arguments[0], "kms") == 0;
  if (by_kms) {
    // The panels of the devices are as large as the picture will be.
    screen.width = 1280;
    screen.height = 800;
  } else {
    screen = map_screen(arguments[0]);
    places[MAPPING] = screen.pixels;
    places[GLASS] = map_glass(&screen);
  }
  if (!by_kms && !places[GLASS]) fail("the memory that %s is scanned out from cannot be mapped", arguments[0]);
  int touches = number(arguments[1]);
  if (touches < 1) fail("at least one touch is needed");

  static struct contender contenders[MOST_CONTENDERS];
  int contender_count = 0;
  use_processor(0);
  for (char **next = arguments + 2; next + 2 < arguments + count;) {
    if (contender_count == MOST_CONTENDERS) fail("there may be %d commands", MOST_CONTENDERS);
    struct contender *contender = &contenders[contender_count];
    contender->name = *next++;
    contender->area = rectangle(*next++);
    contender->command = next;
    while (next < arguments + count && strcmp(*next, "--") != 0) next++;
    if (next == contender->command) fail("a command is missing");
    *next++ = NULL;
    for (enum place place = MAPPING; place < PLACES; place++)
      contender->times[place] = calloc((size_t)touches, sizeof(int64_t));
    start(contender, ++contender_count, (int)processors - 1);
    await(contender);
    if (by_kms) {
      run(contender, 1, touches);
      end(contender, 1);
    }
  }
  if (!by_kms) {
    run(contenders, contender_count, touches);
    end(contenders, contender_count);
  }
  print_tables(contenders, contender_count, touches);
  return 0;
}
