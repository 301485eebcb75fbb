#include "linux_display.h"

#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include "linux_faults.h"

static volatile sig_atomic_t armed;
static volatile sig_atomic_t console_fd = -1;
static volatile sig_atomic_t console_keyboard;
static volatile sig_atomic_t takes_switches;
static volatile sig_atomic_t home_console;
static volatile sig_atomic_t has_line_settings;
static struct termios line_settings;

void touchtree_console_restore(void) {
  if (!armed) return;
  armed = 0;
  const int saved_errno = errno;
  // Pending input was not meant for the program that reads the terminal next.
  if (has_line_settings) tcsetattr(console_fd, TCSAFLUSH, &line_settings);
  has_line_settings = 0;
  ioctl(console_fd, KDSKBMODE, (int)console_keyboard);
  ioctl(console_fd, KDSETMODE, KD_TEXT);
  if (takes_switches) touchtree_vt_switch_automatically(console_fd);
  takes_switches = 0;
  // If another terminal was chosen since, it stays visible.
  if (home_console > 0 && touchtree_vt_active(console_fd) == touchtree_vt_number(console_fd))
    touchtree_vt_activate(console_fd, (int)home_console);
  home_console = 0;
  errno = saved_errno;
}

void touchtree_console_arm(int fd, int keyboard_mode) {
  console_fd = fd;
  console_keyboard = keyboard_mode;
  armed = 1;
  touchtree_faults_catch(touchtree_restorer_console, touchtree_console_restore);
}

int touchtree_console_take_switches(void) {
  const struct vt_mode process = {.mode = VT_PROCESS,
                                  .relsig = (short)touchtree_vt_release_signal(),
                                  .acqsig = (short)touchtree_vt_acquire_signal()};
  takes_switches = 1;
  const int status = ioctl(console_fd, VT_SETMODE, &process);
  if (status != 0) takes_switches = 0;
  return status;
}

void touchtree_console_return_to(int console) {
  home_console = console;
}

int touchtree_console_quiet(void) {
  if (tcgetpgrp(console_fd) != getpgrp()) return 0;
  if (tcgetattr(console_fd, &line_settings) != 0) return 0;
  struct termios quiet = line_settings;
  quiet.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON);
  quiet.c_lflag |= ISIG;
  has_line_settings = 1;
  if (tcsetattr(console_fd, TCSANOW, &quiet) == 0) return 1;
  has_line_settings = 0;
  return 0;
}

void touchtree_console_disarm(void) {
  armed = 0;
  takes_switches = 0;
  home_console = 0;
  touchtree_faults_release(touchtree_restorer_console);
}
