#pragma once

#include <errno.h>
#include <fcntl.h>
#include <linux/fb.h>
#include <linux/kd.h>
#include <linux/vt.h>
#include <signal.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

// Swift does not import variadic functions, so each ioctl has one typed function here.
// Each returns 0, or -1 with errno set, as ioctl does.

_Static_assert(sizeof(struct fb_var_screeninfo) == 160, "fb_var_screeninfo is the kernel's");
_Static_assert(sizeof(struct fb_fix_screeninfo) == (sizeof(long) == 8 ? 80 : 68), "fb_fix_screeninfo is the kernel's");

/// FBIOGET_FSCREENINFO
static inline int touchtree_fb_get_fixed(int fd, struct fb_fix_screeninfo *fixed) {
  return ioctl(fd, FBIOGET_FSCREENINFO, fixed);
}

/// FBIOGET_VSCREENINFO
static inline int touchtree_fb_get_variable(int fd, struct fb_var_screeninfo *variable) {
  return ioctl(fd, FBIOGET_VSCREENINFO, variable);
}

/// FBIOBLANK with FB_BLANK_UNBLANK
static inline int touchtree_fb_unblank(int fd) {
  return ioctl(fd, FBIOBLANK, FB_BLANK_UNBLANK);
}

/// FBIOBLANK with FB_BLANK_POWERDOWN
static inline int touchtree_fb_blank(int fd) {
  return ioctl(fd, FBIOBLANK, FB_BLANK_POWERDOWN);
}

/// FBIOGET_CON2FBMAP: the number of the framebuffer that shows a console. Any framebuffer can be asked.
static inline int touchtree_fb_of_console(int fd, uint32_t console, uint32_t *framebuffer) {
  struct fb_con2fbmap map = {.console = console};
  const int status = ioctl(fd, FBIOGET_CON2FBMAP, &map);
  *framebuffer = map.framebuffer;
  // −1 stands for a console that no framebuffer shows.
  return status == 0 && map.framebuffer < 32 ? 0 : -1;
}

static inline struct fb_cmap touchtree_fb_cmap(uint16_t *red, uint16_t *green, uint16_t *blue, uint32_t length) {
  struct fb_cmap map = {.start = 0, .len = length, .red = red, .green = green, .blue = blue, .transp = 0};
  return map;
}

/// FBIOGETCMAP, entries 0 ..< length; each array holds that many.
static inline int touchtree_fb_get_colors(
    int fd, uint16_t *red, uint16_t *green, uint16_t *blue, uint32_t length) {
  struct fb_cmap map = touchtree_fb_cmap(red, green, blue, length);
  return ioctl(fd, FBIOGETCMAP, &map);
}

/// FBIOPUTCMAP, entries 0 ..< length; each array holds that many.
static inline int touchtree_fb_put_colors(
    int fd, uint16_t *red, uint16_t *green, uint16_t *blue, uint32_t length) {
  struct fb_cmap map = touchtree_fb_cmap(red, green, blue, length);
  return ioctl(fd, FBIOPUTCMAP, &map);
}

/// flock(2) without waiting, so that two touchtrees do not use one device.
///
/// The kernel releases the lock when the process ends. `how` is LOCK_EX, LOCK_SH or
/// LOCK_UN. (Swift has a structure of that name.)
static inline int touchtree_lock(int fd, int how) {
  return flock(fd, how | LOCK_NB);
}

// F_OFD_SETLK. fcntl.h defines it only for _GNU_SOURCE. (Linux 3.15)
static const int touchtree_ofd_setlk = 37;

/// Takes or releases a shared or exclusive lock on the whole file,
/// without waiting. The open file description holds it.
///
/// flock(2) gives up a lock before it takes one of the other kind. This changes it in one
/// step, and keeps it after a failure. `kind` is F_RDLCK, F_WRLCK or F_UNLCK. (fcntl(2)
/// F_OFD_SETLK: EAGAIN or EACCES for another's lock.)
static inline int touchtree_lock_in_one_step(int fd, short kind) {
  struct flock lock = {.l_type = kind, .l_whence = SEEK_SET};
  return fcntl(fd, touchtree_ofd_setlk, &lock);
}

/// Whether the file is a character device of the framebuffer's major number.
///
/// Check this before opening, because opening any other device could have effects of its own.
static inline int touchtree_is_framebuffer(const struct stat *status) {
  return S_ISCHR(status->st_mode) && major(status->st_rdev) == 29;  // FB_MAJOR, kernel devices.txt
}

/// Whether the file is a character device of the terminals' major number.
static inline int touchtree_is_terminal(const struct stat *status) {
  return S_ISCHR(status->st_mode) && (major(status->st_rdev) == 4 || major(status->st_rdev) == 5);
}

/// KDGETMODE: KD_TEXT or KD_GRAPHICS. Fails on anything that is not a virtual terminal.
static inline int touchtree_vt_get_mode(int fd, int *mode) {
  return ioctl(fd, KDGETMODE, mode);
}

/// KDSETMODE
static inline int touchtree_vt_set_mode(int fd, int mode) {
  return ioctl(fd, KDSETMODE, mode);
}

/// KDGKBMODE
static inline int touchtree_vt_get_keyboard(int fd, int *mode) {
  return ioctl(fd, KDGKBMODE, mode);
}

/// KDSKBMODE
static inline int touchtree_vt_set_keyboard(int fd, int mode) {
  return ioctl(fd, KDSKBMODE, mode);
}

/// The number of the virtual terminal behind a descriptor, from 1; 0 if there is none.
/// (TIOCGDEV, which looks behind /dev/tty and /dev/tty0.)
static inline int touchtree_vt_number(int fd) {
  unsigned device;
  if (ioctl(fd, TIOCGDEV, &device) != 0 || (device >> 8 & 0xfff) != 4) return 0;
  const int number = (int)((device & 0xff) | (device >> 12 & 0xfff00));
  return number >= MIN_NR_CONSOLES && number <= MAX_NR_CONSOLES ? number : 0;
}

/// The number of the active virtual terminal, or 0. (VT_GETSTATE)
static inline int touchtree_vt_active(int fd) {
  struct vt_stat state;
  return ioctl(fd, VT_GETSTATE, &state) == 0 ? state.v_active : 0;
}

/// VT_OPENQRY: the number of an unused virtual terminal; below 1 if all are in use.
static inline int touchtree_vt_unused(int fd) {
  int number = 0;
  return ioctl(fd, VT_OPENQRY, &number) == 0 ? number : -1;
}

/// VT_ACTIVATE: requests another virtual terminal, and does not wait for it.
static inline int touchtree_vt_activate(int fd, int number) {
  return ioctl(fd, VT_ACTIVATE, number);
}

/// VT_DISALLOCATE: frees a virtual terminal that is not used any more.
static inline int touchtree_vt_disallocate(int fd, int number) {
  return ioctl(fd, VT_DISALLOCATE, number);
}

/// VT_SETMODE with VT_AUTO: the kernel switches to another terminal without asking.
static inline int touchtree_vt_switch_automatically(int fd) {
  struct vt_mode automatic = {.mode = VT_AUTO};
  return ioctl(fd, VT_SETMODE, &automatic);
}

/// VT_RELDISP with 1: allows the requested switch. Fails if none was requested.
static inline int touchtree_vt_let_go(int fd) {
  return ioctl(fd, VT_RELDISP, 1);
}

/// VT_RELDISP with VT_ACKACQ: the switch to us has been noticed.
static inline int touchtree_vt_acknowledge(int fd) {
  return ioctl(fd, VT_RELDISP, VT_ACKACQ);
}

/// The signal when the terminal becomes active again.
///
/// Real-time signals are queued, and nothing else sends these. The kernel may send a release right after
/// an acquire, and the lower signal is read first.
static inline int touchtree_vt_acquire_signal(void) {
  return SIGRTMIN;
}

/// The signal before another terminal becomes active.
static inline int touchtree_vt_release_signal(void) {
  return SIGRTMIN + 1;
}

// The original state of a framebuffer. There is one for the process, so that a fault handler finds it.

/// Remembers entries 0 ..< length of the colour map. They are also restored if the process dies of a signal.
///
/// The arrays stay the caller's and must not change. The
/// descriptor must stay open until `touchtree_fb_forget`.
void touchtree_fb_remember_colors(int fd, uint16_t *red, uint16_t *green, uint16_t *blue, uint32_t length);

/// Remembers whether the display was switched off. If so, it is switched on if the process dies of a signal.
void touchtree_fb_remember_blank(int fd, int is_blank);

/// Restores the remembered state of the framebuffer, and goes on remembering it.
void touchtree_fb_restore(int fd);

/// Forgets this framebuffer. Does nothing if another one is remembered.
void touchtree_fb_forget(int fd);

/// Remembers the brightness to write to a backlight's file if the process
/// dies of a signal. There is one for the process.
///
/// The descriptor stays the caller's and must stay open until `touchtree_backlight_forget`.
void touchtree_backlight_remember(int fd, int64_t brightness);

void touchtree_backlight_forget(void);

// The original state of the console. There is one for the process.

/// Remembers a terminal and the keyboard mode to restore, and catches the signals that would end the process.
///
/// So a crash or an exit restores the terminal too. The descriptor stays the caller's and
/// must stay open until `touchtree_console_disarm`.
void touchtree_console_arm(int fd, int keyboard_mode);

/// Makes the kernel ask, by the two signals, before another terminal replaces the remembered one. (VT_SETMODE
/// with VT_PROCESS) `touchtree_console_restore` undoes it.
int touchtree_console_take_switches(void);

/// Makes `touchtree_console_restore` show this virtual terminal in the end; 0 for none.
void touchtree_console_return_to(int console);

/// Lets the keyboard of the remembered terminal send only signals (Ctrl-C), if
/// this process is in the terminal's foreground.
///
/// Returns whether it did. `touchtree_console_restore` then undoes it.
int touchtree_console_quiet(void);

/// Restores text mode, the keyboard and automatic switching of the
/// remembered terminal, if that was not yet done.
///
/// It calls only ioctl and tcsetattr, so any signal handler may call it. errno is kept.
void touchtree_console_restore(void);

/// Forgets the terminal and restores the signals' earlier handlers.
void touchtree_console_disarm(void);
