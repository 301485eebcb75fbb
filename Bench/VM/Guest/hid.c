// A touchscreen with one contact by uhid, whose name may be what uinput's may not: empty, or 127 bytes long.
// (kernel hid/uhid.rst)
#include <fcntl.h>
#include <glob.h>
#include <linux/uhid.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

enum { BUS = 3, VENDOR = 0x7674 };

// Digitizer, touch screen, finger: tip switch, X up to 1279, Y up to 799. (HID usage tables)
static const uint8_t descriptor[] = {
    0x05, 0x0d, 0x09, 0x04, 0xa1, 0x01, 0x09, 0x22, 0xa1, 0x02,             // collections
    0x09, 0x42, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x01, 0x81, 0x02, // a bit
    0x75, 0x07, 0x81, 0x03,                                                 // seven that mean nothing
    0x05, 0x01, 0x09, 0x30, 0x26, 0xff, 0x04, 0x75, 0x10, 0x81, 0x02,       // 16 bits
    0x09, 0x31, 0x26, 0x1f, 0x03, 0x81, 0x02, 0xc0, 0xc0,                   // 16 bits
};

static void send_event(int device, const struct uhid_event *event) {
  if (write(device, event, sizeof *event) != sizeof *event) fail_errno("/dev/uhid");
}

int make_hid(const char *name, char *made_node, size_t node_size) {
  int device = open("/dev/uhid", O_RDWR | O_CLOEXEC);
  if (device < 0) fail_errno("/dev/uhid");
  static struct uhid_event event = {.type = UHID_CREATE2};
  struct uhid_create2_req *request = &event.u.create2;
  snprintf((char *)request->name, sizeof request->name, "%s", name);
  memcpy(request->rd_data, descriptor, sizeof descriptor);
  request->rd_size = sizeof descriptor;
  request->bus = BUS;
  request->vendor = VENDOR;
  // One that is there already has another number.
  request->product = (uint32_t)getpid() & 0xffff;
  send_event(device, &event);
  char pattern[128];
  snprintf(pattern, sizeof pattern, "/sys/devices/virtual/misc/uhid/*:%04X:%04X.*/input/input*/event*", VENDOR,
           request->product);
  glob_t found = {0};
  // The kernel makes it a little later.
  while (glob(pattern, 0, NULL, &found) != 0) {
    globfree(&found);
    usleep(1000);
  }
  snprintf(made_node, node_size, "/dev/input/%.40s", strrchr(found.gl_pathv[0], '/') + 1);
  globfree(&found);
  return device;
}

void send_report(int device, int is_down, int x, int y) {
  struct uhid_event event = {.type = UHID_INPUT2, .u.input2.size = 5};
  const uint8_t report[5] = {is_down != 0, x & 0xff, (x >> 8) & 0xff, y & 0xff, (y >> 8) & 0xff};
  memcpy(event.u.input2.data, report, sizeof report);
  send_event(device, &event);
}
