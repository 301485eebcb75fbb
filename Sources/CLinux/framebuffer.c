#include <signal.h>

#include "linux_display.h"
#include "linux_faults.h"

static volatile sig_atomic_t remembered_fd = -1;
static volatile sig_atomic_t has_colors;
static struct fb_cmap colors;
static volatile sig_atomic_t is_off;

// Makes only ioctls, because a fault handler calls it.
static void restore(void) {
  if (remembered_fd < 0) return;
  const int saved_errno = errno;
  if (has_colors) {
    struct fb_cmap map = colors;
    ioctl(remembered_fd, FBIOPUTCMAP, &map);
  }
  if (is_off) touchtree_fb_unblank(remembered_fd);
  errno = saved_errno;
}

static void remember(int fd) {
  if (remembered_fd != fd) has_colors = is_off = 0;
  remembered_fd = fd;
}

void touchtree_fb_remember_colors(int fd, uint16_t *red, uint16_t *green, uint16_t *blue, uint32_t length) {
  remember(fd);
  colors = touchtree_fb_cmap(red, green, blue, length);
  has_colors = 1;
  touchtree_faults_catch(touchtree_restorer_framebuffer, restore);
}

void touchtree_fb_remember_blank(int fd, int is_blank) {
  if (!is_blank && remembered_fd != fd) return;
  remember(fd);
  is_off = is_blank;
  touchtree_faults_catch(touchtree_restorer_framebuffer, restore);
}

void touchtree_fb_restore(int fd) {
  if (remembered_fd == fd) restore();
}

void touchtree_fb_forget(int fd) {
  if (remembered_fd != fd) return;
  remembered_fd = -1;
  has_colors = is_off = 0;
  touchtree_faults_release(touchtree_restorer_framebuffer);
}
