// A screen by kernel mode setting: the least that shows a picture on the first connected connector of a card, by the
// kernel's own calls, and the memory that a bochs adapter scans out. (libdrm `drm_mode.h`)
#include <errno.h>
#include <fcntl.h>
#include <libdrm/drm.h>
#include <libdrm/drm_mode.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest.h"

enum { MOST = 16, MOST_MODES = 64 };

static void call(int card, unsigned long request, void *argument, const char *what) {
  while (ioctl(card, request, argument) < 0)
    if (errno != EINTR && errno != EAGAIN) fail_errno("%s", what);
}

// The connector, its first mode, and a CRTC; the first connector that has modes counts.
static void choose(int card, struct drm_mode_crtc *crtc, uint32_t *connector) {
  uint32_t connectors[MOST], crtcs[MOST];
  struct drm_mode_card_res resources = {.connector_id_ptr = (uintptr_t)connectors, .count_connectors = MOST,
                                        .crtc_id_ptr = (uintptr_t)crtcs, .count_crtcs = MOST};
  call(card, DRM_IOCTL_MODE_GETRESOURCES, &resources, "DRM_IOCTL_MODE_GETRESOURCES");
  for (uint32_t i = 0; i < resources.count_connectors && i < MOST; i++) {
    // Without room for modes the monitor is asked.
    struct drm_mode_get_connector report = {.connector_id = connectors[i]};
    call(card, DRM_IOCTL_MODE_GETCONNECTOR, &report, "DRM_IOCTL_MODE_GETCONNECTOR");
    static struct drm_mode_modeinfo modes[MOST_MODES];
    report = (struct drm_mode_get_connector){
        .connector_id = connectors[i], .modes_ptr = (uintptr_t)modes, .count_modes = MOST_MODES};
    call(card, DRM_IOCTL_MODE_GETCONNECTOR, &report, "DRM_IOCTL_MODE_GETCONNECTOR");
    if (report.count_modes == 0 || report.count_modes > MOST_MODES) continue;
    *connector = connectors[i];
    *crtc = (struct drm_mode_crtc){.crtc_id = crtcs[0], .mode_valid = 1, .mode = modes[0]};
    return;
  }
  fail("no connector has modes");
}

struct screen kms_screen(const char *path) {
  struct screen screen = {.node = open(path, O_RDWR | O_CLOEXEC), .depth = 4};
  if (screen.node < 0) fail_errno("%s", path);
  struct drm_mode_crtc crtc;
  uint32_t connector;
  choose(screen.node, &crtc, &connector);
  struct drm_mode_create_dumb dumb = {.width = crtc.mode.hdisplay, .height = crtc.mode.vdisplay, .bpp = 32};
  call(screen.node, DRM_IOCTL_MODE_CREATE_DUMB, &dumb, "DRM_IOCTL_MODE_CREATE_DUMB");
  struct drm_mode_fb_cmd buffer = {.width = dumb.width, .height = dumb.height, .pitch = dumb.pitch, .bpp = 32,
                                   .depth = 24, .handle = dumb.handle};
  call(screen.node, DRM_IOCTL_MODE_ADDFB, &buffer, "DRM_IOCTL_MODE_ADDFB");
  struct drm_mode_map_dumb map = {.handle = dumb.handle};
  call(screen.node, DRM_IOCTL_MODE_MAP_DUMB, &map, "DRM_IOCTL_MODE_MAP_DUMB");
  screen.pixels = mmap(NULL, dumb.size, PROT_READ | PROT_WRITE, MAP_SHARED, screen.node, (off_t)map.offset);
  if (screen.pixels == MAP_FAILED) fail_errno("mapping a dumb buffer");
  crtc.fb_id = screen.framebuffer = buffer.fb_id;
  crtc.set_connectors_ptr = (uintptr_t)&connector;
  crtc.count_connectors = 1;
  call(screen.node, DRM_IOCTL_MODE_SETCRTC, &crtc, "DRM_IOCTL_MODE_SETCRTC");
  screen.width = dumb.width;
  screen.height = dumb.height;
  screen.stride = dumb.pitch;
  return screen;
}

void kms_say_dirty(const struct screen *screen, struct rectangle area) {
  const struct drm_clip_rect clip = {(unsigned short)area.x, (unsigned short)area.y,
                                     (unsigned short)(area.x + area.width), (unsigned short)(area.y + area.height)};
  struct drm_mode_fb_dirty_cmd dirty = {.fb_id = screen->framebuffer, .num_clips = 1, .clips_ptr = (uintptr_t)&clip};
  // A driver that scans the buffer out has no such call.
  if (ioctl(screen->node, DRM_IOCTL_MODE_DIRTYFB, &dirty) < 0 && errno != ENOSYS) fail_errno("DRM_IOCTL_MODE_DIRTYFB");
}

static void *map_resource(int number, size_t *size) {
  char path[96];
  struct stat status;
  snprintf(path, sizeof path, "/sys/class/drm/card0/device/resource%d", number);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0 || fstat(file, &status) < 0) fail_errno("%s", path);
  void *memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) fail_errno("mapping %s", path);
  close(file);
  *size = (size_t)status.st_size;
  return memory;
}

// The adapter's registers say where the picture begins: the virtual width and the offsets of the Bochs display interface,
// two bytes each from 0x500 on. (QEMU docs/specs/standard-vga.txt)
const volatile uint8_t *kms_glass(struct screen *screen) {
  static const uint8_t *memory;
  static const volatile uint16_t *registers;
  size_t size;
  if (!memory) {
    memory = map_resource(0, &size);
    registers = (const volatile uint16_t *)((const uint8_t *)map_resource(2, &size) + 0x500);
  }
  enum { WIDTH = 1, HEIGHT = 2, VIRTUAL_WIDTH = 6, X = 8, Y = 9 };
  *screen = (struct screen){.node = -1, .width = registers[WIDTH], .height = registers[HEIGHT], .depth = 4,
                            .stride = registers[VIRTUAL_WIDTH] * 4u};
  return memory + (size_t)registers[Y] * screen->stride + registers[X] * 4u;
}
