// The least that shows a touch: reads a device and fills a rectangle of the framebuffer while something touches the
// device. What a daemon takes longer than this is its own.
#include <fcntl.h>
#include <linux/fb.h>
#include <linux/input.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "guest.h"

struct screen map_screen(const char *path) {
  struct screen screen = {.node = open(path, O_RDWR | O_CLOEXEC)};
  if (screen.node < 0) fail_errno("%s", path);
  struct fb_var_screeninfo mode;
  struct fb_fix_screeninfo memory;
  if (ioctl(screen.node, FBIOGET_VSCREENINFO, &mode) < 0) fail_errno("FBIOGET_VSCREENINFO");
  if (ioctl(screen.node, FBIOGET_FSCREENINFO, &memory) < 0) fail_errno("FBIOGET_FSCREENINFO");
  if (mode.bits_per_pixel != 32) fail("%s has %u bits a pixel, not 32", path, mode.bits_per_pixel);
  void *base = mmap(NULL, memory.smem_len, PROT_READ | PROT_WRITE, MAP_SHARED, screen.node, 0);
  if (base == MAP_FAILED) fail_errno("mapping %s", path);
  screen.width = mode.xres;
  screen.height = mode.yres;
  screen.stride = memory.line_length / 4;
  screen.pixels = (uint32_t *)base + mode.yoffset * screen.stride + mode.xoffset;
  return screen;
}

struct rectangle rectangle(const char *text) {
  struct rectangle area;
  if (sscanf(text, "%u,%u,%ux%u", &area.x, &area.y, &area.width, &area.height) != 4 || !area.width || !area.height)
    fail("'%s' is not X,Y,WxH", text);
  return area;
}

static void fill(const struct screen *screen, struct rectangle area, uint32_t colour) {
  for (unsigned y = area.y; y < area.y + area.height; y++) {
    uint32_t *row = screen->pixels + y * screen->stride + area.x;
    for (unsigned x = 0; x < area.width; x++) row[x] = colour;
  }
}

int square_command(int count, char **arguments) {
  if (count != 5) fail("square wants an event node, a framebuffer, X,Y,WxH and two colours");
  int node = open(arguments[0], O_RDONLY | O_CLOEXEC);
  if (node < 0) fail_errno("%s", arguments[0]);
  struct screen screen = map_screen(arguments[1]);
  struct rectangle area = rectangle(arguments[2]);
  uint32_t colours[2] = {(uint32_t)strtoul(arguments[4], NULL, 16), (uint32_t)strtoul(arguments[3], NULL, 16)};
  fill(&screen, area, colours[0]);

  int touched = 0, shown = 0;
  struct input_event events[64];
  for (ssize_t size; (size = read(node, events, sizeof events)) > 0;)
    for (size_t i = 0; i < (size_t)size / sizeof *events; i++) {
      if (events[i].type == EV_KEY && events[i].code == BTN_TOUCH) touched = events[i].value != 0;
      if (events[i].type != EV_SYN || events[i].code != SYN_REPORT || touched == shown) continue;
      shown = touched;
      fill(&screen, area, colours[shown]);
    }
  return 0;
}
