// What a framebuffer says of itself, on one line:
//   WIDTH HEIGHT BITS LINE-LENGTH X-OFFSET Y-OFFSET RED-OFFSET RED-LENGTH GREEN-… BLUE-…
#include <fcntl.h>
#include <linux/fb.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "guest.h"

static void set_mode(int node, const char *mode) {
  struct fb_var_screeninfo screen;
  if (ioctl(node, FBIOGET_VSCREENINFO, &screen) < 0) fail_errno("FBIOGET_VSCREENINFO");
  if (sscanf(mode, "%ux%ux%u", &screen.xres, &screen.yres, &screen.bits_per_pixel) != 3)
    fail("'%s' is not WxHxBPP", mode);
  screen.xres_virtual = screen.xres;
  screen.yres_virtual = screen.yres;
  screen.activate = FB_ACTIVATE_NOW;
  if (ioctl(node, FBIOPUT_VSCREENINFO, &screen) < 0) fail_errno("FBIOPUT_VSCREENINFO %s", mode);
}

int framebuffer_command(int count, char **arguments) {
  if (count < 1 || count > 2) fail("framebuffer wants a node, and may have WxHxBPP");
  int node = open(arguments[0], O_RDWR | O_CLOEXEC);
  if (node < 0) fail_errno("%s", arguments[0]);
  if (count == 2) set_mode(node, arguments[1]);

  struct fb_var_screeninfo screen;
  struct fb_fix_screeninfo memory;
  if (ioctl(node, FBIOGET_VSCREENINFO, &screen) < 0) fail_errno("FBIOGET_VSCREENINFO");
  if (ioctl(node, FBIOGET_FSCREENINFO, &memory) < 0) fail_errno("FBIOGET_FSCREENINFO");
  printf("%u %u %u %u %u %u %u %u %u %u %u %u\n", screen.xres, screen.yres, screen.bits_per_pixel,
         memory.line_length, screen.xoffset, screen.yoffset, screen.red.offset, screen.red.length,
         screen.green.offset, screen.green.length, screen.blue.offset, screen.blue.length);
  close(node);
  return 0;
}
