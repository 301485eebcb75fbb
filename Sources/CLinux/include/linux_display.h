#pragma once

#include <errno.h>
#include <fcntl.h>
#include <linux/fb.h>
#include <linux/kd.h>
#include <linux/vt.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

// Swift does not import variadic functions, so each ioctl has one typed function here.
// All of them answer 0, or -1 with errno set, as ioctl does.

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

/// Whether the file is a character device of the framebuffer's major number. Opening any other device could
/// have effects of its own, so this is asked first.
static inline int touchtree_is_framebuffer(const struct stat *status) {
  return S_ISCHR(status->st_mode) && major(status->st_rdev) == 29;  // FB_MAJOR, kernel devices.txt
}

/// Whether the file is a character device of the terminals' major number.
static inline int touchtree_is_terminal(const struct stat *status) {
  return S_ISCHR(status->st_mode) && (major(status->st_rdev) == 4 || major(status->st_rdev) == 5);
}

/// KDGETMODE: KD_TEXT or KD_GRAPHICS. Fails on anything that is no virtual terminal.
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

// The console, as it has to be put back. One for the process: a fault handler has no other way to find it.

/// Remembers a terminal and the keyboard mode to give back to it, and catches the fault signals, so that a
/// crash restores it too. The descriptor stays the caller's and must stay open until `touchtree_console_disarm`.
void touchtree_console_arm(int fd, int keyboard_mode);

/// Lets the keyboard of the remembered terminal send signals (Ctrl-C) and nothing else, if this process is in the
/// terminal's foreground. Answers whether it did; then `touchtree_console_restore` undoes it.
int touchtree_console_quiet(void);

/// Puts the remembered terminal back to text mode with its keyboard, if it is not back yet. Calls ioctl
/// and tcsetattr and nothing else, so it may be called from any signal handler. errno is kept.
void touchtree_console_restore(void);

/// Forgets the terminal and gives the fault signals back to whoever had them.
void touchtree_console_disarm(void);
