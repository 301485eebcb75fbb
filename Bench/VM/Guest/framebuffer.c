// What a framebuffer says of itself, on one line:
//   WIDTH HEIGHT BITS LINE-LENGTH X-OFFSET Y-OFFSET RED-OFFSET RED-LENGTH GREEN-… BLUE-…
// It can be given another mode first: WxHxBPP, and words such as virtual=700x960, offset=13,480, alpha=1, grey=1.
#include <fcntl.h>
#include <linux/fb.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "guest.h"

static void read_word(struct fb_var_screeninfo *screen, const char *word) {
  if (sscanf(word, "virtual=%ux%u", &screen->xres_virtual, &screen->yres_virtual) == 2) return;
  if (sscanf(word, "offset=%u,%u", &screen->xoffset, &screen->yoffset) == 2) return;
  // vfb has a bit of alpha in 16 bits when it is asked for one.
  if (sscanf(word, "alpha=%u", &screen->transp.length) == 1) return;
  if (sscanf(word, "grey=%u", &screen->grayscale) == 1) return;
  fail("'%s' is no word of a mode", word);
}

static void set_mode(int node, int count, char **words) {
  struct fb_var_screeninfo screen;
  if (ioctl(node, FBIOGET_VSCREENINFO, &screen) < 0) fail_errno("FBIOGET_VSCREENINFO");
  if (sscanf(words[0], "%ux%ux%u", &screen.xres, &screen.yres, &screen.bits_per_pixel) != 3)
    fail("'%s' is not WxHxBPP", words[0]);
  screen.xres_virtual = screen.xres;
  screen.yres_virtual = screen.yres;
  screen.xoffset = screen.yoffset = 0;
  screen.transp.length = 0;
  screen.grayscale = 0;
  for (int i = 1; i < count; i++) read_word(&screen, words[i]);
  screen.activate = FB_ACTIVATE_NOW;
  if (ioctl(node, FBIOPUT_VSCREENINFO, &screen) < 0) fail_errno("FBIOPUT_VSCREENINFO %s", words[0]);
}

struct geometry {
  struct fb_var_screeninfo screen;
  struct fb_fix_screeninfo memory;
};

static struct geometry print_geometry(int node) {
  struct geometry it;
  if (ioctl(node, FBIOGET_VSCREENINFO, &it.screen) < 0) fail_errno("FBIOGET_VSCREENINFO");
  if (ioctl(node, FBIOGET_FSCREENINFO, &it.memory) < 0) fail_errno("FBIOGET_FSCREENINFO");
  printf("%u %u %u %u %u %u %u %u %u %u %u %u\n", it.screen.xres, it.screen.yres, it.screen.bits_per_pixel,
         it.memory.line_length, it.screen.xoffset, it.screen.yoffset, it.screen.red.offset, it.screen.red.length,
         it.screen.green.offset, it.screen.green.length, it.screen.blue.offset, it.screen.blue.length);
  return it;
}

int framebuffer_command(int count, char **arguments) {
  if (count < 1) fail("framebuffer wants a node, and may have WxHxBPP and more");
  int node = open(arguments[0], O_RDWR | O_CLOEXEC);
  if (node < 0) fail_errno("%s", arguments[0]);
  if (count > 1) set_mode(node, count - 1, arguments + 1);
  print_geometry(node);
  close(node);
  return 0;
}

// The geometry, and on the next line a visible pixel as the memory has it, of 8 bits or more.
int pixel_command(int count, char **arguments) {
  if (count != 3) fail("pixel wants a node, X and Y");
  int node = open(arguments[0], O_RDONLY | O_CLOEXEC);
  if (node < 0) fail_errno("%s", arguments[0]);
  struct geometry it = print_geometry(node);
  off_t x = it.screen.xoffset + number(arguments[1]), y = it.screen.yoffset + number(arguments[2]);
  off_t size = it.screen.bits_per_pixel / 8;
  uint32_t pixel = 0;
  if (pread(node, &pixel, (size_t)size, y * it.memory.line_length + x * size) != size) fail_errno("reading a pixel");
  printf("%u\n", pixel);
  close(node);
  return 0;
}

// The entries of a framebuffer's colour map, one a line: RED GREEN BLUE, 16 bits each.
int colors_command(int count, char **arguments) {
  if (count != 2) fail("colors wants a node and how many entries");
  int node = open(arguments[0], O_RDWR | O_CLOEXEC);
  if (node < 0) fail_errno("%s", arguments[0]);
  unsigned short red[256] = {0}, green[256] = {0}, blue[256] = {0};
  int entries = number(arguments[1]);
  if (entries < 1 || entries > 256) fail("a colour map has 1 to 256 entries");
  struct fb_cmap map = {.len = (unsigned)entries, .red = red, .green = green, .blue = blue};
  if (ioctl(node, FBIOGETCMAP, &map) < 0) fail_errno("FBIOGETCMAP");
  for (int i = 0; i < entries; i++) printf("%u %u %u\n", red[i], green[i], blue[i]);
  close(node);
  return 0;
}
