// Preloaded into a program, it writes down what the program does with framebuffers, cards and terminals, one line a call, in the
// order in which it happens:
//
//   LD_PRELOAD=libdisplay-witness.so WITNESS_LOG=/run/calls program
//
// With WITNESS_LIE, the display's driver lies, as far as the program can see; `lies` below has the words.
// With WITNESS_ROWS, the rows that are written are counted: see accesses.c.
#define _GNU_SOURCE
#include "witness.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libdrm/drm.h>
#include <linux/fb.h>
#include <linux/kd.h>
#include <linux/vt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static int log_file = -1;

static void say(const char *format, ...) {
  if (log_file < 0) return;
  char line[160];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (length > 0 && syscall(SYS_write, log_file, line, (size_t)length) < 0) log_file = -1;
}

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("WITNESS_LOG");
  if (!path) return;
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  // Out of the way of programs that look at the lowest numbers.
  log_file = fcntl(file, F_DUPFD_CLOEXEC, 200);
  close(file);
  if (log_file >= 0) return;
  perror(path);
  _exit(127);
}

// "fb0", "tty1", "card0"; NULL for anything else.
static const char *name_of(int fd) {
  static char name[16];
  struct stat status;
  if (syscall(SYS_fstat, fd, &status) != 0 || !S_ISCHR(status.st_mode)) return NULL;
  const unsigned number = minor(status.st_rdev);
  switch (major(status.st_rdev)) {
    case 29: snprintf(name, sizeof name, "fb%u", number); return name;
    case 4: snprintf(name, sizeof name, "tty%u", number); return name;
    case 226: snprintf(name, sizeof name, "card%u", number); return name;
    default: return NULL;
  }
}

static int is_framebuffer(int fd) {
  const char *name = name_of(fd);
  return name && name[0] == 'f';
}

static int lies(const char *lie) {
  const char *chosen = getenv("WITNESS_LIE");
  return chosen && strcmp(chosen, lie) == 0;
}

static const char *word_for(unsigned long request, void *argument) {
  const long value = (long)argument;
  switch (request) {
    case KDSETMODE: return value == KD_GRAPHICS ? "graphics" : "text";
    case KDSKBMODE: return value == K_OFF ? "keyboard off" : "keyboard on";
    case VT_SETMODE: return ((struct vt_mode *)argument)->mode == VT_PROCESS ? "switching process" : "switching automatic";
    case FBIOPUT_VSCREENINFO: return "mode";
    case FBIOPUTCMAP: return "colors";
    case DRM_IOCTL_MODE_ATOMIC: return "atomic request";
    case DRM_IOCTL_MODE_SETCRTC: return "mode";
    case DRM_IOCTL_MODE_PAGE_FLIP: return "flip";
    case DRM_IOCTL_MODE_DIRTYFB: return "dirty";
    case DRM_IOCTL_MODE_OBJ_SETPROPERTY:
    case DRM_IOCTL_MODE_SETPROPERTY: return "property";
    default: return NULL;
  }
}

// Makes the kernel's answer what a bad driver's would be.
static void falsify(unsigned long request, void *argument) {
  struct fb_fix_screeninfo *fixed = argument;
  struct fb_var_screeninfo *variable = argument;
  if (request == FBIOGET_FSCREENINFO) {
    if (lies("short-rows")) fixed->line_length = 100;
    if (lies("short-memory")) fixed->smem_len = 4096;
  } else if (request == FBIOGET_VSCREENINFO) {
    if (lies("depth")) variable->bits_per_pixel = 16;
    if (lies("channel")) variable->red.offset = 30;
    if (lies("shared-bits")) variable->green = variable->red;
    if (lies("no-size")) variable->xres = 0;
    if (lies("offset")) variable->yoffset = 100000;
  } else if (lies("overlay") && request == DRM_IOCTL_MODE_GETPLANE) {
    // A plane of another program.
    ((struct drm_mode_get_plane *)argument)->fb_id = 9999;
  } else if (lies("overlay") && request == DRM_IOCTL_MODE_OBJ_GETPROPERTIES) {
    const struct drm_mode_obj_get_properties *properties = argument;
    uint64_t *values = (uint64_t *)(uintptr_t)properties->prop_values_ptr;
    // Its type, 1, is "Primary", and 0 is "Overlay".
    for (uint32_t i = 0; properties->obj_type == DRM_MODE_OBJECT_PLANE && values && i < properties->count_props; i++)
      if (values[i] == 1) values[i] = 0;
  }
}

// Whether a card gets a mode that is wider than its driver can show.
static int is_too_wide(unsigned long request, const void *argument) {
  const unsigned most = 1024;
  if (request == DRM_IOCTL_MODE_SETCRTC) return ((const struct drm_mode_crtc *)argument)->mode.hdisplay > most;
  if (request != DRM_IOCTL_MODE_CREATEPROPBLOB) return 0;
  const struct drm_mode_create_blob *blob = argument;
  const struct drm_mode_modeinfo *mode = (const void *)(uintptr_t)blob->data;
  return blob->length == sizeof *mode && mode->hdisplay > most;
}

int ioctl(int fd, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  const char *name = name_of(fd);
  const char *word = name ? word_for(request, argument) : NULL;
  if (word) say("%s %s\n", name, word);
  if (request == DRM_IOCTL_SET_CLIENT_CAP && lies("no-atomic") &&
      ((struct drm_set_client_cap *)argument)->capability == DRM_CLIENT_CAP_ATOMIC) {
    errno = EOPNOTSUPP;
    return -1;
  }
  if (lies("narrow") && is_too_wide(request, argument)) {
    errno = EINVAL;
    return -1;
  }
  const int status = (int)syscall(SYS_ioctl, fd, request, argument);
  if (name && status == 0) {
    const int cause = errno;
    falsify(request, argument);
    errno = cause;
  }
  return status;
}

int fsync(int fd) {
  const char *name = name_of(fd);
  if (name) say("%s flushed after %llu writes\n", name, witness_writes());
  return (int)syscall(SYS_fsync, fd);
}

int close(int fd) {
  const char *name = name_of(fd);
  if (name) say("%s closed after %llu writes\n", name, witness_writes());
  return (int)syscall(SYS_close, fd);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  if (is_framebuffer(fd)) {
    if (lies("no-writes")) {
      errno = EINVAL;
      return -1;
    }
    // As over a slow bus.
    if (lies("slow")) usleep(2000);
    // Less than was asked for, unless it is a byte.
    if (lies("partial")) count = (count + 1) / 2;
    witness_write(fd, count, offset);
  }
  return syscall(SYS_pwrite64, fd, bytes, count, offset);
}

// On 64-bit machines the same.
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) { return pwrite(fd, bytes, count, offset); }

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  void *memory = (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
  if (memory != MAP_FAILED && fd >= 0 && is_framebuffer(fd)) {
    say("%s mapped\n", name_of(fd));
    witness_read();
  }
  return memory;
}

ssize_t pread(int fd, void *bytes, size_t count, off_t offset) {
  if (is_framebuffer(fd)) witness_read();
  return syscall(SYS_pread64, fd, bytes, count, offset);
}

ssize_t read(int fd, void *bytes, size_t count) {
  if (is_framebuffer(fd)) witness_read();
  return syscall(SYS_read, fd, bytes, count);
}
