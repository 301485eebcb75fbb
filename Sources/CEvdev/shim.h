#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <linux/uinput.h>
#include <libevdev/libevdev.h>
#include <libevdev/libevdev-uinput.h>

// libevdev prints to standard error unless it has a function to log with. Its results say all that is used here.
static inline void touchtree_evdev_silence(void) {
  libevdev_set_log_function(NULL, NULL);
}

// The members are called differently where a long has 32 bits and a time has 64.
static inline int64_t touchtree_event_microseconds(struct input_event event) {
  return (int64_t)event.input_event_sec * 1000000 + (int64_t)event.input_event_usec;
}

// libevdev makes devices without the text for their port. The result is that of ioctl(2).
static inline int touchtree_uinput_set_phys(int uinput, const char *phys) {
  return ioctl(uinput, UI_SET_PHYS, phys);
}

// Lets the kernel send events of one code alone: type 0 stands for the types themselves. (EVIOCSMASK, Linux 4.4.)
static inline void touchtree_evdev_receive_only(int fd, uint16_t type, uint16_t code) {
  uint8_t types[EV_CNT / 8 + 1] = {0}, codes[KEY_CNT / 8 + 1] = {0};
  types[type / 8] = 1 << type % 8;
  codes[code / 8] = 1 << code % 8;
  struct input_mask mask = {.type = EV_SYN, .codes_size = EV_CNT / 8, .codes_ptr = (uintptr_t)types};
  ioctl(fd, EVIOCSMASK, &mask);
  mask = (struct input_mask){.type = type, .codes_size = KEY_CNT / 8, .codes_ptr = (uintptr_t)codes};
  ioctl(fd, EVIOCSMASK, &mask);
}
