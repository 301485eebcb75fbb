// The guest tool: what a test needs inside the virtual machine and busybox does not have.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Subcommands. Each gets its arguments without the subcommand's name, and returns an exit status.
int agent_command(int count, char **arguments);
int device_command(int count, char **arguments);
int watch_command(int count, char **arguments);
int framebuffer_command(int count, char **arguments);
int dump_command(int count, char **arguments);
int pixel_command(int count, char **arguments);
int colors_command(int count, char **arguments);
int console_command(int count, char **arguments);
int notify_command(int count, char **arguments);
int as_command(int count, char **arguments);
int glass_command(int count, char **arguments);
int square_command(int count, char **arguments);
int latency_command(int count, char **arguments);
int cost_command(int count, char **arguments);
int delay_command(int count, char **arguments);
int calls_command(int count, char **arguments);
int storm_command(int count, char **arguments);
int balance_command(int count, char **arguments);
int clients_command(int count, char **arguments);

// Makes the device that lines in the words of device.c describe, the last of which is `create`. It is there until the
// descriptor is closed; `node` is the path of its event node.
int make_device(char *description, char *node, size_t node_size);
// Waits until a process has opened the device that was made last, and sleeps again.
void await_reader(const char *pid);

// The same by uhid: a touchscreen of 1280×800 units with one contact. It is a touch of this device that a report has.
int make_hid(const char *name, char *node, size_t node_size);
void send_report(int device, int is_down, int x, int y);

// In pixels of the display; its text is X,Y,WxH.
struct rectangle {
  unsigned x, y, width, height;
};
struct rectangle rectangle(const char *text);

// A mapped framebuffer of 16 or 32 bits a pixel.
struct screen {
  int node;
  uint8_t *pixels;
  // In pixels.
  unsigned width, height;
  // In bytes: from one row to the next, of a pixel, and from the start of the memory to the first visible pixel.
  unsigned stride, depth, start;
  // The number that the card has for it; 0 for a framebuffer.
  uint32_t framebuffer;
};
struct screen map_screen(const char *path);
// The first pixel in the memory that is scanned out, laid out as the framebuffer is; NULL if it cannot be seen.
const volatile uint8_t *map_glass(const struct screen *screen);
// The same of a card: sets a mode and shows a buffer of 32 bits a pixel.
struct screen kms_screen(const char *path);
// Tells the driver what was written.
void kms_say_dirty(const struct screen *screen, struct rectangle area);
// The first pixel that a bochs adapter scans out, and how the picture is laid out, as the adapter's registers say now.
const volatile uint8_t *kms_glass(struct screen *screen);
// Of a pixel, in bytes from the first visible one.
size_t place_in(const struct screen *screen, unsigned x, unsigned y);

// Prints "vm-guest: …" and exits with status 1. With `_errno`, the system's reason follows.
[[noreturn]] void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
[[noreturn]] void fail_errno(const char *format, ...) __attribute__((format(printf, 1, 2)));

// A whole number, decimal or 0x…; anything else ends the program.
int32_t number(const char *text);

// Of CLOCK_MONOTONIC.
int64_t nanoseconds(void);

// By the kernel's name or by number.
unsigned type_named(const char *text);
unsigned code_named(unsigned type, const char *text);
unsigned property_named(const char *text);
// By name alone: BTN_TOUCH and ABS_X say their type.
void event_named(const char *text, unsigned *type, unsigned *code);
