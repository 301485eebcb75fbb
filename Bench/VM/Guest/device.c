// Makes an input device by uinput and plays events on it. It uses the ioctls themselves, so that devices can be made
// as wrong as real ones are.
//
// One command a line; names are the kernel's, or numbers:
//
//   name TEXT                     before create; \n, \e, \\ and \xHH stand for a byte each
//   uhid                          the device is a touchscreen by uhid; it has a name and reports
//   phys TEXT
//   id BUS VENDOR PRODUCT VERSION
//   property INPUT_PROP_DIRECT
//   key BTN_TOUCH …               one or more codes
//   rel REL_X …
//   abs ABS_X MIN MAX [FUZZ FLAT RESOLUTION]
//   bit EV_MSC MSC_SCAN           any other code
//   create                        prints the path of the event node
//
//   frame ABS_X=3 BTN_TOUCH=1 …   these events and a SYN_REPORT, in one write
//   report DOWN X Y               of a device by uhid
//   emit ABS_X=3 3:1=7 …          these events, without a SYN_REPORT; prints 'stalled' if that took more than 25 ms
//   range ABS_X MIN MAX           what uinput refuses: any range, on a device that exists
//   flood FRAMES PER_SECOND ABS_X so many frames, in each of which the axis changes
//   reader PID                    waits until this process has opened the device, and sleeps again
//   written FILE TEXT             waits until TEXT, spaces and all, is in the last 4 KB of a file
//   sleep MILLISECONDS
//   say TEXT                      prints it: everything before it was written
//   unplug                        the next one is described, and created, from here on
//   destroy
#include <dirent.h>
#include <fcntl.h>
#include <linux/uinput.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "guest.h"

enum { MOST_EVENTS = 512, MOST_WORDS = MOST_EVENTS };

static int device = -1;
static char node[64];
// As long as uhid takes it; uinput takes less.
static char device_name[128];
static int is_hid;
static struct uinput_setup setup = {.name = "vm-guest", .id = {.bustype = BUS_VIRTUAL, .version = 1}};

#define REQUEST(request, argument, ...) \
  do { \
    if (ioctl(device, request, argument) < 0) fail_errno(__VA_ARGS__); \
  } while (0)

static void add_bit(unsigned type, const char *name) {
  static const unsigned long requests[EV_CNT] = {
      [EV_KEY] = UI_SET_KEYBIT, [EV_REL] = UI_SET_RELBIT, [EV_ABS] = UI_SET_ABSBIT, [EV_MSC] = UI_SET_MSCBIT,
      [EV_LED] = UI_SET_LEDBIT, [EV_SND] = UI_SET_SNDBIT, [EV_FF] = UI_SET_FFBIT,   [EV_SW] = UI_SET_SWBIT,
  };
  if (type >= EV_CNT || !requests[type]) fail("event type %u cannot be added to a device", type);
  REQUEST(UI_SET_EVBIT, type, "event type %u", type);
  REQUEST(requests[type], code_named(type, name), "%s", name);
}

static void add_axis(char **words, int count) {
  if (count != 3 && count != 6) fail("abs wants AXIS MIN MAX [FUZZ FLAT RESOLUTION]");
  struct uinput_abs_setup axis = {.code = (uint16_t)code_named(EV_ABS, words[0])};
  axis.absinfo.minimum = number(words[1]);
  axis.absinfo.maximum = number(words[2]);
  if (count == 6) {
    axis.absinfo.fuzz = number(words[3]);
    axis.absinfo.flat = number(words[4]);
    axis.absinfo.resolution = number(words[5]);
  }
  REQUEST(UI_SET_EVBIT, EV_ABS, "abs %s", words[0]);
  REQUEST(UI_ABS_SETUP, &axis, "abs %s", words[0]);
}

// The node of a device that now exists. The kernel made it before UI_DEV_CREATE returned.
static void print_node(void) {
  char folder[300] = "/sys/devices/virtual/input/";
  size_t length = strlen(folder);
  REQUEST(UI_GET_SYSNAME(sizeof folder - length - 1), folder + length, "UI_GET_SYSNAME");
  DIR *entries = opendir(folder);
  if (!entries) fail_errno("%s", folder);
  for (struct dirent *entry; (entry = readdir(entries));)
    if (strncmp(entry->d_name, "event", 5) == 0) snprintf(node, sizeof node, "/dev/input/%.40s", entry->d_name);
  closedir(entries);
  puts(node);
}

// The evdev handler takes any range from each user who may write to the node.
static void set_range(const char *name, int32_t minimum, int32_t maximum) {
  unsigned code = code_named(EV_ABS, name);
  struct input_absinfo axis;
  int events = open(node, O_RDWR | O_CLOEXEC);
  if (events < 0) fail_errno("%s", node);
  if (ioctl(events, EVIOCGABS(code), &axis) < 0) fail_errno("EVIOCGABS %s", name);
  axis.minimum = minimum;
  axis.maximum = maximum;
  if (ioctl(events, EVIOCSABS(code), &axis) < 0) fail_errno("EVIOCSABS %s", name);
  close(events);
}

static int is_open_in(const char *pid) {
  char folder[64], link[400], target[64];
  snprintf(folder, sizeof folder, "/proc/%.20s/fd", pid);
  DIR *entries = opendir(folder);
  if (!entries) fail_errno("%s", folder);
  int found = 0;
  for (struct dirent *entry; !found && (entry = readdir(entries));) {
    snprintf(link, sizeof link, "%s/%s", folder, entry->d_name);
    ssize_t length = readlink(link, target, sizeof target - 1);
    if (length < 0) continue;
    target[length] = 0;
    found = strcmp(target, node) == 0;
  }
  closedir(entries);
  return found;
}

// In the course of opening a device its state is read: what happens before that is no news.
static int sleeps(const char *pid) {
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
  int stat = open(path, O_RDONLY | O_CLOEXEC);
  if (stat < 0) fail_errno("%s", path);
  ssize_t length = read(stat, text, sizeof text - 1);
  close(stat);
  text[length < 0 ? 0 : length] = 0;
  const char *state = strrchr(text, ')');
  return state && state[1] == ' ' && state[2] == 'S';
}

static int ends_with(const char *file, const char *text) {
  static char tail[4097];
  int log = open(file, O_RDONLY | O_CLOEXEC);
  if (log < 0) return 0;
  off_t size = lseek(log, 0, SEEK_END);
  ssize_t length = pread(log, tail, sizeof tail - 1, size < 4096 ? 0 : size - 4096);
  close(log);
  tail[length < 0 ? 0 : length] = 0;
  return strstr(tail, text) != NULL;
}

static void open_uinput(void) {
  device = open("/dev/uinput", O_RDWR | O_CLOEXEC);
  if (device < 0) fail_errno("/dev/uinput");
}

static void wait_a_little(void) { usleep(1000); }

void await_reader(const char *pid) {
  while (!is_open_in(pid) || !sleeps(pid)) wait_a_little();
}

static void create(void) {
  REQUEST(UI_DEV_SETUP, &setup, "UI_DEV_SETUP");
  REQUEST(UI_DEV_CREATE, 0, "UI_DEV_CREATE (the kernel refused the description)");
  print_node();
}

// CODE=VALUE or TYPE:CODE=VALUE.
static struct input_event event_from(char *text) {
  char *equals = strchr(text, '=');
  if (!equals) fail("'%s' is not CODE=VALUE", text);
  *equals = 0;
  unsigned type, code;
  char *colon = strchr(text, ':');
  if (colon) {
    *colon = 0;
    type = type_named(text);
    code = code_named(type, colon + 1);
  } else {
    event_named(text, &type, &code);
  }
  return (struct input_event){.type = (uint16_t)type, .code = (uint16_t)code, .value = number(equals + 1)};
}

static void emit(char **words, int count, int with_report) {
  static struct input_event events[MOST_EVENTS + 1];
  for (int i = 0; i < count; i++) events[i] = event_from(words[i]);
  if (with_report) events[count++] = (struct input_event){.type = EV_SYN, .code = SYN_REPORT};
  size_t size = sizeof *events * (size_t)count;
  if (write(device, events, size) != (ssize_t)size) fail_errno("writing events");
}

static void flood(int32_t frames, int32_t rate, const char *axis) {
  unsigned code = code_named(EV_ABS, axis);
  struct timespec due;
  clock_gettime(CLOCK_MONOTONIC, &due);
  for (int32_t i = 0; i < frames; i++) {
    struct input_event events[2] = {{.type = EV_ABS, .code = (uint16_t)code, .value = i % 1000},
                                    {.type = EV_SYN, .code = SYN_REPORT}};
    if (write(device, events, sizeof events) != sizeof events) fail_errno("writing events");
    due.tv_nsec += 1000000000L / rate;
    if (due.tv_nsec >= 1000000000L) due.tv_sec++, due.tv_nsec -= 1000000000L;
    // A sleep for each frame would be too slow: many at once, as from a driver that has gone mad.
    if (i % 100 == 99) clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
  }
}

static void set_name(const char *text) {
  static const char escapes[] = "ne\\", meanings[] = "\n\x1b\\";
  size_t length = 0;
  while (*text && length < sizeof device_name - 1) {
    char byte = *text++;
    const char *escape = byte == '\\' && *text ? strchr(escapes, *text) : NULL;
    unsigned value;
    if (escape) {
      byte = meanings[escape - escapes];
      text++;
    } else if (byte == '\\' && sscanf(text, "x%2x", &value) == 1) {
      byte = (char)value;
      text += 3;
    }
    device_name[length++] = byte;
  }
  device_name[length] = 0;
  snprintf(setup.name, sizeof setup.name, "%s", device_name);
}

// Everything after the first word.
static char *rest_of(char *line) {
  line += strcspn(line, " \t");
  return line + strspn(line, " \t");
}

// Returns whether the device stays.
static int perform(char *line) {
  char *rest = rest_of(line);
  if (strncmp(line, "name ", 5) == 0) return set_name(rest), 1;
  if (strncmp(line, "say ", 4) == 0) return puts(rest), 1;
  if (strncmp(line, "phys ", 5) == 0) {
    REQUEST(UI_SET_PHYS, rest, "phys");
    return 1;
  }
  if (strncmp(line, "written ", 8) == 0) {
    const char *file = strtok(rest, " "), *text = strtok(NULL, "");
    if (!text) fail("written wants FILE TEXT");
    while (!ends_with(file, text)) wait_a_little();
    return 1;
  }

  char *words[MOST_WORDS];
  int count = 0;
  for (char *word = strtok(line, " \t"); word; word = strtok(NULL, " \t")) {
    if (count == MOST_WORDS) fail("a line may have %d words", MOST_WORDS);
    words[count++] = word;
  }
  if (count == 0 || *words[0] == '#') return 1;
  const char *verb = words[0];
  char **arguments = words + 1;
  count--;

  if (strcmp(verb, "frame") == 0) {
    emit(arguments, count, 1);
  } else if (strcmp(verb, "emit") == 0) {
    int64_t start = nanoseconds();
    emit(arguments, count, 0);
    if (nanoseconds() - start > 25000000) puts("stalled");
  } else if (strcmp(verb, "sleep") == 0 && count == 1) {
    usleep((useconds_t)number(arguments[0]) * 1000);
  } else if (strcmp(verb, "range") == 0 && count == 3) {
    set_range(arguments[0], number(arguments[1]), number(arguments[2]));
  } else if (strcmp(verb, "flood") == 0 && count == 3) {
    flood(number(arguments[0]), number(arguments[1]), arguments[2]);
  } else if (strcmp(verb, "reader") == 0 && count == 1) {
    await_reader(arguments[0]);
  } else if (strcmp(verb, "id") == 0 && count == 4) {
    setup.id = (struct input_id){(uint16_t)number(arguments[0]), (uint16_t)number(arguments[1]),
                                 (uint16_t)number(arguments[2]), (uint16_t)number(arguments[3])};
  } else if (strcmp(verb, "property") == 0 && count == 1) {
    REQUEST(UI_SET_PROPBIT, property_named(arguments[0]), "property %s", arguments[0]);
  } else if (strcmp(verb, "key") == 0) {
    for (int i = 0; i < count; i++) add_bit(EV_KEY, arguments[i]);
  } else if (strcmp(verb, "rel") == 0) {
    for (int i = 0; i < count; i++) add_bit(EV_REL, arguments[i]);
  } else if (strcmp(verb, "abs") == 0) {
    add_axis(arguments, count);
  } else if (strcmp(verb, "bit") == 0 && count == 2) {
    add_bit(type_named(arguments[0]), arguments[1]);
  } else if (strcmp(verb, "report") == 0 && count == 3) {
    send_report(device, number(arguments[0]), number(arguments[1]), number(arguments[2]));
  } else if (strcmp(verb, "uhid") == 0) {
    is_hid = 1;
  } else if (strcmp(verb, "create") == 0 && is_hid) {
    close(device);
    device = make_hid(device_name, node, sizeof node);
    puts(node);
  } else if (strcmp(verb, "create") == 0) {
    create();
  } else if (strcmp(verb, "unplug") == 0) {
    close(device);
    open_uinput();
  } else if (strcmp(verb, "destroy") == 0) {
    return 0;
  } else {
    fail("'%s' with %d arguments is not a command; see the head of device.c", verb, count);
  }
  return 1;
}

int make_device(char *description, char *made_node, size_t node_size) {
  open_uinput();
  for (char *rest, *line = strtok_r(description, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) perform(line);
  snprintf(made_node, node_size, "%s", node);
  int made = device;
  device = -1;
  return made;
}

int device_command(int count, char **arguments) {
  (void)arguments;
  if (count) fail("device takes no arguments: its description comes on stdin");
  open_uinput();
  static char line[16 * 1024];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (!perform(line)) break;
  }
  close(device);
  return 0;
}
