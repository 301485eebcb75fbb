// Reads a device back: its description in the words of device.c, then its events, until it goes or we are killed.
#include <errno.h>
#include <fcntl.h>
#include <libevdev/libevdev.h>
#include <linux/input.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "guest.h"

static void print_axis(const struct libevdev *device, unsigned code) {
  const struct input_absinfo *axis = libevdev_get_abs_info(device, code);
  printf("abs %s %d %d %d %d %d\n", libevdev_event_code_get_name(EV_ABS, code), axis->minimum, axis->maximum,
         axis->fuzz, axis->flat, axis->resolution);
}

static void print_description(const struct libevdev *device) {
  printf("name %s\n", libevdev_get_name(device));
  if (libevdev_get_phys(device)) printf("phys %s\n", libevdev_get_phys(device));
  printf("id 0x%04x 0x%04x 0x%04x 0x%04x\n", libevdev_get_id_bustype(device), libevdev_get_id_vendor(device),
         libevdev_get_id_product(device), libevdev_get_id_version(device));
  for (unsigned property = 0; property < INPUT_PROP_CNT; property++)
    if (libevdev_has_property(device, property)) printf("property %s\n", libevdev_property_get_name(property));
  for (unsigned code = 0; code < KEY_CNT; code++)
    if (libevdev_has_event_code(device, EV_KEY, code))
      printf("key %s\n", libevdev_event_code_get_name(EV_KEY, code));
  for (unsigned code = 0; code < REL_CNT; code++)
    if (libevdev_has_event_code(device, EV_REL, code))
      printf("rel %s\n", libevdev_event_code_get_name(EV_REL, code));
  for (unsigned code = 0; code < ABS_CNT; code++)
    if (libevdev_has_event_code(device, EV_ABS, code)) print_axis(device, code);
}

static void print_event(const struct input_event *event) {
  const char *name = libevdev_event_code_get_name(event->type, event->code);
  if (name)
    printf("%s=%d\n", name, event->value);
  else
    printf("%u:%u=%d\n", event->type, event->code, event->value);
}

int watch_command(int count, char **arguments) {
  if (count != 1) fail("watch wants one event node");
  int node = open(arguments[0], O_RDONLY | O_CLOEXEC);
  if (node < 0) fail_errno("%s", arguments[0]);
  struct libevdev *device;
  if ((errno = -libevdev_new_from_fd(node, &device))) fail_errno("%s", arguments[0]);
  print_description(device);
  puts("watching");
  // Not through libevdev, which would make the kernel's stream better than it is.
  struct input_event events[64];
  for (ssize_t size; (size = read(node, events, sizeof events)) > 0;)
    for (size_t i = 0; i < (size_t)size / sizeof *events; i++) print_event(&events[i]);
  puts("gone");
  libevdev_free(device);
  close(node);
  return 0;
}
