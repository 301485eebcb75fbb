// The modes of a virtual terminal, on one line: graphics or text, the keyboard's mode, who decides about switching.
// With `restore`, they are first made what they are after boot. With `type TEXT`, the text is typed on it, by no keyboard.
#include <fcntl.h>
#include <linux/kd.h>
#include <linux/vt.h>
#include <stdio.h>
#include <string.h>
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

static void restore(int terminal) {
  struct vt_mode automatic = {.mode = VT_AUTO};
  if (ioctl(terminal, KDSETMODE, KD_TEXT) < 0) fail_errno("KDSETMODE");
  if (ioctl(terminal, KDSKBMODE, K_UNICODE) < 0) fail_errno("KDSKBMODE");
  if (ioctl(terminal, VT_SETMODE, &automatic) < 0) fail_errno("VT_SETMODE");
}

static void type(int terminal, const char *text) {
  for (; *text; text++)
    if (ioctl(terminal, TIOCSTI, text) < 0) fail_errno("TIOCSTI");
}

int console_command(int count, char **arguments) {
  int restores = count == 2 && strcmp(arguments[1], "restore") == 0;
  int types = count == 3 && strcmp(arguments[1], "type") == 0;
  if (count != 1 && !restores && !types)
    fail("console wants one terminal, and may have 'restore' or 'type TEXT'");
  int terminal = open(arguments[0], O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0) fail_errno("%s", arguments[0]);
  if (restores) restore(terminal);
  if (types) type(terminal, arguments[2]);
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
