#pragma once

#include <stddef.h>
#include <stdint.h>

/// memset, by a call that the compiler cannot see through.
void baseline_set(void *memory, int value, size_t size);

/// memcpy, the same.
void baseline_copy(void *to, const void *from, size_t size);

/// pixman_fill of so many rows of 32-bit pixels.
void baseline_fill(uint32_t *pixels, int width, int height, uint32_t pixel);
