#pragma once

#include <png.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// libpng reports errors by longjmp, which must not cross Swift frames. Its simplified interface (`png_image`), by which pictures are written,
// catches them inside the library; the functions that read row by row catch them here. Others add what Swift does not import: macros and
// sized buffers.

/// A picture that is being read. Swift looks at it, and changes nothing.
struct touchtree_png {
  png_structp png;
  png_infop info;
  const uint8_t *bytes;
  size_t count, offset;
  uint32_t width, height;
  /// The row that is read next. An interlaced picture is read seven times, from the first row to the last one.
  uint32_t row;
  int pass, passes;
  char message[128];
};

static inline void touchtree_png_fail(png_structp png, png_const_charp message) {
  struct touchtree_png *reader = (struct touchtree_png *)png_get_error_ptr(png);
  snprintf(reader->message, sizeof reader->message, "%s", message);
  png_longjmp(png, 1);
}

// A picture that is only odd is shown.
static inline void touchtree_png_warn(png_structp png, png_const_charp message) { (void)png, (void)message; }

static inline void touchtree_png_bytes(png_structp png, png_bytep bytes, size_t count) {
  struct touchtree_png *reader = (struct touchtree_png *)png_get_io_ptr(png);
  if (count > reader->count - reader->offset) png_error(png, "read beyond end of data");
  memcpy(bytes, reader->bytes + reader->offset, count);
  reader->offset += count;
}

/// Reads what stands before the rows. Answers 0 with the reason in `message`. The bytes stay where they are until `touchtree_png_end`.
static inline int touchtree_png_begin(struct touchtree_png *reader, const void *bytes, size_t count) {
  memset(reader, 0, sizeof *reader);
  reader->bytes = (const uint8_t *)bytes;
  reader->count = count;
  reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, touchtree_png_fail, touchtree_png_warn);
  if (!reader->png) {
    if (!*reader->message) strcpy(reader->message, "out of memory");
    return 0;
  }
  if (setjmp(png_jmpbuf(reader->png))) return 0;
  reader->info = png_create_info_struct(reader->png);
  png_set_read_fn(reader->png, reader, touchtree_png_bytes);
  png_read_info(reader->png, reader->info);
  reader->width = png_get_image_width(reader->png, reader->info);
  reader->height = png_get_image_height(reader->png, reader->info);
  return 1;
}

/// Has rows read as blue, green, red, straight alpha, whatever the file has. Answers 0 with the reason in `message`.
static inline int touchtree_png_start(struct touchtree_png *reader) {
  if (setjmp(png_jmpbuf(reader->png))) return 0;
  png_set_expand(reader->png);
  png_set_gray_to_rgb(reader->png);
  // A file without a word about gamma is as every viewer takes it, of 16 bits too.
  png_set_alpha_mode_fixed(reader->png, PNG_ALPHA_PNG, PNG_DEFAULT_sRGB);
  png_set_scale_16(reader->png);
  png_set_add_alpha(reader->png, 0xff, PNG_FILLER_AFTER);
  png_set_bgr(reader->png);
  reader->passes = png_set_interlace_handling(reader->png);
  png_read_update_info(reader->png, reader->info);
  if (png_get_rowbytes(reader->png, reader->info) != (size_t)reader->width * 4) png_error(reader->png, "odd rows");
  return 1;
}

/// Reads up to `rows` rows of a pass into width × height pixels, which are zero at first. Answers 0 with the reason in `message`.
static inline int touchtree_png_rows(struct touchtree_png *reader, uint32_t *pixels, uint32_t rows) {
  if (setjmp(png_jmpbuf(reader->png))) return 0;
  for (; rows > 0 && reader->row < reader->height; rows--) {
    png_read_row(reader->png, (png_bytep)(pixels + (size_t)reader->row * reader->width), NULL);
    reader->row++;
  }
  if (reader->row == reader->height) {
    reader->row = 0;
    reader->pass++;
  }
  return 1;
}

/// Frees what reading needs, whether it came to its end or not.
static inline void touchtree_png_end(struct touchtree_png *reader) {
  if (reader->png) png_destroy_read_struct(&reader->png, &reader->info, NULL);
}

static inline const char *touchtree_png_reason(const struct touchtree_png *reader) { return reader->message; }

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
  // Without the choice of a filter for each row, which is most of the work and makes the picture of a panel a tenth smaller.
  image->flags = PNG_IMAGE_FLAG_FAST;
  return png_image_write_to_memory(image, bytes, count, 0, rgb, (png_int_32)(width * 3), NULL);
}

/// libpng's sentence on what went wrong.
static inline const char *touchtree_png_message(const png_image *image) { return image->message; }
