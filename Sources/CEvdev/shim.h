#pragma once
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <libevdev/libevdev.h>
#include <libevdev/libevdev-uinput.h>

// Hears what libevdev remarks about a device. `message` lives until return.
struct touchtree_evdev_listener {
  void (*hear)(void *context, const char *message);
  void *context;
};

// libevdev hands its remarks out as a format and a va_list, which Swift cannot take.
static inline void touchtree_evdev_log(
    const struct libevdev *device, enum libevdev_log_priority priority, void *data, const char *file, int line,
    const char *function, const char *format, va_list arguments) {
  (void)device, (void)priority, (void)file, (void)line, (void)function;
  // libevdev forgets the data while it reads a device's description, but not this function.
  const struct touchtree_evdev_listener *listener = (const struct touchtree_evdev_listener *)data;
  if (!listener) return;
  char message[1024];
  if (vsnprintf(message, sizeof message, format, arguments) < 0) return;
  listener->hear(listener->context, message);
}

// `listener` must live as long as the device.
static inline void touchtree_evdev_listen(
    struct libevdev *device, const struct touchtree_evdev_listener *listener) {
  libevdev_set_device_log_function(device, touchtree_evdev_log, LIBEVDEV_LOG_ERROR, (void *)listener);
}

// Without a function of its own, libevdev prints remarks that belong to no device to stderr.
static inline void touchtree_evdev_silence(void) {
  libevdev_set_log_function(NULL, NULL);
}

// The members are called differently where a long has 32 bits and a time has 64.
static inline int64_t touchtree_event_microseconds(const struct input_event *event) {
  return (int64_t)event->input_event_sec * 1000000 + (int64_t)event->input_event_usec;
}
