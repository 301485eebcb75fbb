// The modes of a virtual terminal, on one line: graphics or text, the keyboard's mode, who decides about switching.
#include <fcntl.h>
#include <linux/kd.h>
#include <linux/vt.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "guest.h"

static const char *keyboard_name(int mode) {
  switch (mode) {
    case K_RAW: return "raw";
    case K_XLATE: return "translated";
    case K_MEDIUMRAW: return "medium-raw";
    case K_UNICODE: return "unicode";
    case K_OFF: return "off";
    default: return "unknown";
  }
}

int console_command(int count, char **arguments) {
  if (count != 1) fail("console wants one terminal");
  int terminal = open(arguments[0], O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0) fail_errno("%s", arguments[0]);
  int display, keyboard;
  struct vt_mode switching;
  if (ioctl(terminal, KDGETMODE, &display) < 0) fail_errno("KDGETMODE %s", arguments[0]);
  if (ioctl(terminal, KDGKBMODE, &keyboard) < 0) fail_errno("KDGKBMODE %s", arguments[0]);
  if (ioctl(terminal, VT_GETMODE, &switching) < 0) fail_errno("VT_GETMODE %s", arguments[0]);
  printf("display=%s keyboard=%s switching=%s\n", display == KD_GRAPHICS ? "graphics" : "text",
         keyboard_name(keyboard), switching.mode == VT_PROCESS ? "process" : "automatic");
  close(terminal);
  return 0;
}
