#include "baseline.h"

#include <string.h>

// Of pixman.h, which needs pkg-config's flags.
int pixman_fill(uint32_t *bits, int stride, int bpp, int x, int y, int width, int height, uint32_t filler);

void baseline_set(void *memory, int value, size_t size) {
  memset(memory, value, size);
}

void baseline_copy(void *to, const void *from, size_t size) {
  memcpy(to, from, size);
}

void baseline_fill(uint32_t *pixels, int width, int height, uint32_t pixel) {
  pixman_fill(pixels, width, 32, 0, 0, width, height, pixel);
}
