// A framebuffer as two memories: the one that /dev/fbN maps, and the glass, which is the adapter's own memory, whose
// pixels are scanned out. Drivers with a shadow buffer copy the one to the other later. (kernel fb/deferred_io.rst)
#include <fcntl.h>
#include <linux/fb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest.h"

struct screen map_screen(const char *path) {
  struct screen screen = {.node = open(path, O_RDWR | O_CLOEXEC)};
  if (screen.node < 0) fail_errno("%s", path);
  struct fb_var_screeninfo mode;
  struct fb_fix_screeninfo memory;
  if (ioctl(screen.node, FBIOGET_VSCREENINFO, &mode) < 0) fail_errno("FBIOGET_VSCREENINFO");
  if (ioctl(screen.node, FBIOGET_FSCREENINFO, &memory) < 0) fail_errno("FBIOGET_FSCREENINFO");
  if (mode.bits_per_pixel != 32 && mode.bits_per_pixel != 16)
    fail("%s has %u bits a pixel, not 16 or 32", path, mode.bits_per_pixel);
  void *base = mmap(NULL, memory.smem_len, PROT_READ | PROT_WRITE, MAP_SHARED, screen.node, 0);
  if (base == MAP_FAILED) fail_errno("mapping %s", path);
  screen.width = mode.xres;
  screen.height = mode.yres;
  screen.stride = memory.line_length;
  screen.depth = mode.bits_per_pixel / 8;
  screen.start = mode.yoffset * memory.line_length + mode.xoffset * screen.depth;
  screen.pixels = (uint8_t *)base + screen.start;
  return screen;
}

struct rectangle rectangle(const char *text) {
  struct rectangle area;
  if (sscanf(text, "%u,%u,%ux%u", &area.x, &area.y, &area.width, &area.height) != 4 || !area.width || !area.height)
    fail("'%s' is not X,Y,WxH", text);
  return area;
}

size_t place_in(const struct screen *screen, unsigned x, unsigned y) {
  return (size_t)y * screen->stride + (size_t)x * screen->depth;
}

// As many bytes as are compared to find the picture, in the middle of its first and its last row.
enum { PATTERN = 64 };

static void show_pattern(const struct screen *screen, const size_t places[2], uint8_t bytes[2][PATTERN]) {
  for (int i = 0; i < 2; i++)
    if (pwrite(screen->node, bytes[i], PATTERN, (off_t)(screen->start + places[i])) != PATTERN)
      fail_errno("writing a pattern");
  fsync(screen->node);
}

// The glass's first pixel, or NULL. Pictures begin with a page of the adapter's memory.
static const volatile uint8_t *find(const uint8_t *memory, size_t size, const size_t places[2],
                                    uint8_t patterns[2][PATTERN]) {
  for (size_t page = 0; page + places[1] + PATTERN <= size; page += 4096)
    if (memcmp(memory + page + places[0], patterns[0], PATTERN) == 0 &&
        memcmp(memory + page + places[1], patterns[1], PATTERN) == 0)
      return memory + page;
  return NULL;
}

// The adapter's memory is its first PCI resource, which the kernel lets programs map if it was booted with
// iomem=relaxed. The picture in it is found by a pattern, after which the screen is as before.
const volatile uint8_t *map_glass(const struct screen *screen) {
  struct stat status;
  char path[128];
  if (fstat(screen->node, &status) < 0) fail_errno("fstat");
  snprintf(path, sizeof path, "/sys/class/graphics/fb%u/device/resource0", (unsigned)(status.st_rdev & 255));
  int resource = open(path, O_RDONLY | O_CLOEXEC);
  if (resource < 0 || fstat(resource, &status) < 0) return NULL;
  const uint8_t *memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, resource, 0);
  close(resource);
  if (memory == MAP_FAILED) return NULL;

  unsigned middle = screen->width / 2;
  const size_t places[2] = {place_in(screen, middle, 0), place_in(screen, middle, screen->height - 1)};
  uint8_t patterns[2][PATTERN], before[2][PATTERN];
  for (int i = 0; i < 2; i++) {
    memcpy(before[i], screen->pixels + places[i], PATTERN);
    for (int byte = 0; byte < PATTERN; byte++) patterns[i][byte] = (uint8_t)(17 + 100 * i + byte * 37);
  }
  show_pattern(screen, places, patterns);
  const volatile uint8_t *glass = NULL;
  for (int attempt = 0; attempt < 100 && !glass; attempt++) {
    glass = find(memory, (size_t)status.st_size, places, patterns);
    if (!glass) usleep(20000);
  }
  show_pattern(screen, places, before);
  return glass;
}

static const uint8_t *glass_of(const struct screen *screen, const char *path) {
  const volatile uint8_t *glass = map_glass(screen);
  if (!glass) fail("the memory that %s is scanned out from cannot be mapped", path);
  return (const uint8_t *)glass;
}

// Prints how many rows of a rectangle the glass does not have as the mapping has them.
//
// With a number of milliseconds, prints instead how often the rectangle's first pixel changed in the mapping, and how
// often on the glass, in that time. "ready" comes first.
int glass_command(int count, char **arguments) {
  if (count != 2 && count != 3) fail("glass wants a framebuffer and X,Y,WxH, and may have milliseconds");
  struct screen screen = map_screen(arguments[0]);
  const uint8_t *memories[2] = {screen.pixels, glass_of(&screen, arguments[0])};
  struct rectangle area = rectangle(arguments[1]);
  if (count == 2) {
    unsigned different = 0;
    for (unsigned y = area.y; y < area.y + area.height; y++) {
      size_t row = place_in(&screen, area.x, y);
      if (memcmp(memories[0] + row, memories[1] + row, area.width * screen.depth) != 0) different++;
    }
    printf("%u\n", different);
    return 0;
  }

  size_t place = place_in(&screen, area.x, area.y);
  unsigned changes[2] = {0};
  uint8_t last[2][4];
  for (int i = 0; i < 2; i++) memcpy(last[i], memories[i] + place, screen.depth);
  puts("ready");
  int64_t end = nanoseconds() + number(arguments[2]) * INT64_C(1000000);
  while (nanoseconds() < end)
    for (int i = 0; i < 2; i++) {
      uint8_t now[4];
      for (unsigned byte = 0; byte < screen.depth; byte++) now[byte] = ((const volatile uint8_t *)memories[i])[place + byte];
      if (memcmp(now, last[i], screen.depth) == 0) continue;
      memcpy(last[i], now, screen.depth);
      changes[i]++;
    }
  printf("%u %u\n", changes[0], changes[1]);
  return 0;
}
