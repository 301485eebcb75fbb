#pragma once

#include <png.h>
#include <stdint.h>
#include <string.h>

// libpng reports errors by longjmp, which must not cross Swift frames. Its simplified interface (`png_image`)
// catches them inside the library. These functions add what Swift does not import: macros and sized buffers.

/// Starts reading; answers 0 with the reason in `image->message`. The header's size is in `image` afterwards.
static inline int touchtree_png_begin(png_image *image, const void *bytes, size_t count) {
  memset(image, 0, sizeof *image);
  image->version = PNG_IMAGE_VERSION;
  return png_image_begin_read_from_memory(image, bytes, count);
}

/// Decodes into width × height pixels of blue, green, red, straight alpha; frees `image` in any case.
/// Answers 0 with the reason in `image->message`.
static inline int touchtree_png_finish(png_image *image, uint32_t *pixels) {
  image->format = PNG_FORMAT_BGRA;
  // 16 bits without a word about gamma are what 8 bits would be, as every viewer takes them; libpng thinks linear.
  image->flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  return png_image_finish_read(image, NULL, pixels, (png_int_32)(image->width * 4), NULL);
}

/// Frees an image that was begun and is not wanted.
static inline void touchtree_png_abandon(png_image *image) { png_image_free(image); }

/// The most bytes that a file of width × height pixels of red, green, blue can need.
static inline size_t touchtree_png_bound(uint32_t width, uint32_t height) {
  png_image image = {.version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGB};
  return PNG_IMAGE_PNG_SIZE_MAX(image);
}

/// Encodes rows of red, green, blue bytes into `*count` bytes at `bytes` and puts the number used in `*count`.
/// Answers 0 with the reason in `image->message`.
static inline int touchtree_png_encode(
    png_image *image, uint32_t width, uint32_t height, const uint8_t *rgb, void *bytes, size_t *count) {
  memset(image, 0, sizeof *image);
  image->version = PNG_IMAGE_VERSION;
  image->width = width;
  image->height = height;
  image->format = PNG_FORMAT_RGB;
  return png_image_write_to_memory(image, bytes, count, 0, rgb, (png_int_32)(width * 3), NULL);
}

/// libpng's sentence on what went wrong.
static inline const char *touchtree_png_message(const png_image *image) { return image->message; }
