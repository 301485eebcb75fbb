#pragma once

#include "../CLinux/include/linux_loading.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>

// libjpeg(-turbo), which decodes row by row, so that a large photo is decoded in pieces. It reports errors by a jump, which ends in these
// functions: none crosses Swift's frames. It is loaded when there is a photo, and not linked. The functions' types are the header's.
struct touchtree_jpeg {
  __typeof__(&jpeg_std_error) errors;
  __typeof__(&jpeg_CreateDecompress) create;
  __typeof__(&jpeg_read_header) header;
  __typeof__(&jpeg_has_multiple_scans) has_scans;
  __typeof__(&jpeg_start_decompress) start;
  __typeof__(&jpeg_consume_input) consume;
  __typeof__(&jpeg_start_output) output;
  __typeof__(&jpeg_read_scanlines) rows;
  __typeof__(&jpeg_resync_to_restart) resync;
  __typeof__(&jpeg_destroy_decompress) destroy;
};

// Returns null, or what is missing, in the words of dlerror(3).
static inline const char *touchtree_jpeg_load(struct touchtree_jpeg *functions) {
  const struct touchtree_wanted wanted[] = {
    {"jpeg_std_error", (void **)&functions->errors},
    {"jpeg_CreateDecompress", (void **)&functions->create},
    {"jpeg_read_header", (void **)&functions->header},
    {"jpeg_has_multiple_scans", (void **)&functions->has_scans},
    {"jpeg_start_decompress", (void **)&functions->start},
    {"jpeg_consume_input", (void **)&functions->consume},
    {"jpeg_start_output", (void **)&functions->output},
    {"jpeg_read_scanlines", (void **)&functions->rows},
    {"jpeg_resync_to_restart", (void **)&functions->resync},
    {"jpeg_destroy_decompress", (void **)&functions->destroy},
  };
  // The library's name is the version of the interface in its header.
  return touchtree_load(
    JPEG_LIB_VERSION >= 80 ? "libjpeg.so.8" : "libjpeg.so.62", wanted, sizeof wanted / sizeof *wanted);
}

// A photo that is being decoded. Swift knows it as a pointer.
struct touchtree_photo {
  struct jpeg_decompress_struct state;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  jmp_buf failed;
  struct touchtree_jpeg functions;
  const uint8_t *bytes;
  size_t count;
  // How many of the bytes the library may have looked at: it stops at the end of them, and goes on when there are more.
  size_t given;
  // Whether it has looked for more than there is, and whether a row lacks something for that.
  int ended, lacks;
  unsigned width, height, reduction;
  enum { touchtree_photo_header, touchtree_photo_start, touchtree_photo_scans, touchtree_photo_rows } stage;
  char message[JMSG_LENGTH_MAX];
};

// What a photo in several scans is kept in until the last one, in bytes.
static const long touchtree_photo_memory = 64L << 20;
// Cameras and programs write ten or so. A scan of some bytes is as much work as a large one.
static const int touchtree_photo_scan_limit = 100;

static inline void touchtree_photo_fail(j_common_ptr state) {
  struct touchtree_photo *photo = (struct touchtree_photo *)state->client_data;
  if (state->err->msg_code == JERR_NO_BACKING_STORE) {
    snprintf(
      photo->message, sizeof photo->message, "its scans take more than %ld MiB; save it as a baseline JPEG, or smaller",
      touchtree_photo_memory >> 20);
  } else if (photo->ended) {
    strcpy(photo->message, "it is cut off before its first row");
  } else {
    state->err->format_message(state, photo->message);
  }
  longjmp(photo->failed, 1);
}

// What is only odd is shown as far as it goes.
static inline void touchtree_photo_warn(j_common_ptr state, int level) {
  struct touchtree_photo *photo = (struct touchtree_photo *)state->client_data;
  if (level < 0 && state->err->msg_code == JWRN_HIT_MARKER && photo->ended) photo->lacks = 1;
}
static inline void touchtree_photo_print(j_common_ptr state) { (void)state; }
static inline void touchtree_photo_source(j_decompress_ptr state) { (void)state; }

// Called at the end of what was given.
static inline boolean touchtree_photo_fill(j_decompress_ptr state) {
  static const JOCTET end[2] = {0xff, JPEG_EOI};
  struct touchtree_photo *photo = (struct touchtree_photo *)state->client_data;
  if (photo->given < photo->count) return FALSE;
  photo->ended = 1;
  state->src->next_input_byte = end;
  state->src->bytes_in_buffer = sizeof end;
  return TRUE;
}

static inline void touchtree_photo_skip(j_decompress_ptr state, long count) {
  struct touchtree_photo *photo = (struct touchtree_photo *)state->client_data;
  if (count <= 0) return;
  if ((size_t)count > state->src->bytes_in_buffer) {
    // Beyond what was given, but not beyond the file.
    size_t left = photo->count - photo->given, more = (size_t)count - state->src->bytes_in_buffer;
    if (more > left) more = left;
    photo->given += more;
    state->src->next_input_byte = photo->bytes + photo->given;
    state->src->bytes_in_buffer = 0;
  } else {
    state->src->next_input_byte += count;
    state->src->bytes_in_buffer -= (size_t)count;
  }
}

// Null without memory. The bytes stay where they are until touchtree_photo_end.
static inline struct touchtree_photo *touchtree_photo_begin(
    const struct touchtree_jpeg *functions, const void *bytes, size_t count, unsigned width, unsigned height,
    unsigned reduction) {
  struct touchtree_photo *photo = (struct touchtree_photo *)calloc(1, sizeof *photo);
  if (!photo) return NULL;
  photo->functions = *functions;
  photo->bytes = (const uint8_t *)bytes;
  photo->count = count;
  photo->width = width;
  photo->height = height;
  photo->reduction = reduction;
  photo->state.err = functions->errors(&photo->errors);
  photo->errors.error_exit = touchtree_photo_fail;
  photo->errors.emit_message = touchtree_photo_warn;
  photo->errors.output_message = touchtree_photo_print;
  photo->state.client_data = photo;
  if (setjmp(photo->failed)) {
    free(photo);
    return NULL;
  }
  functions->create(&photo->state, JPEG_LIB_VERSION, sizeof photo->state);
  photo->state.mem->max_memory_to_use = touchtree_photo_memory;
  photo->source.init_source = touchtree_photo_source;
  photo->source.fill_input_buffer = touchtree_photo_fill;
  photo->source.skip_input_data = touchtree_photo_skip;
  photo->source.resync_to_restart = functions->resync;
  photo->source.term_source = touchtree_photo_source;
  photo->source.next_input_byte = photo->bytes;
  photo->state.src = &photo->source;
  return photo;
}

static inline int touchtree_photo_is_cut(struct touchtree_photo *photo, unsigned row) {
  snprintf(photo->message, sizeof photo->message, "it is cut off after row %u of %u", row, photo->height);
  return -1;
}

// Reads scans up to about a number of pixels. Answers whether all are read, or -1 with the reason in the message.
static inline int touchtree_photo_read_scans(struct touchtree_photo *photo, unsigned pixels) {
  struct jpeg_decompress_struct *state = &photo->state;
  const unsigned long row = (unsigned long)state->image_width * state->max_v_samp_factor * DCTSIZE;
  for (unsigned long done = 0; done < pixels; done += row) {
    int answer = photo->functions.consume(state);
    if (answer == JPEG_SUSPENDED) return 0;
    if (state->input_scan_number > touchtree_photo_scan_limit) {
      snprintf(photo->message, sizeof photo->message, "it has more than %d scans", touchtree_photo_scan_limit);
      return -1;
    }
    if (answer != JPEG_REACHED_EOI) continue;
    if (photo->ended) return touchtree_photo_is_cut(photo, 0);
    return photo->functions.output(state, state->input_scan_number) ? 1 : 0;
  }
  return 0;
}

// Looks at up to `more` further bytes and decodes up to `rows` rows, each of the width that was given. A pixel is blue, green, red and
// 255, or four inks. About so many pixels are looked at before there is a row. Answers how many rows these are, or -1 with the reason
// in the message.
static inline int touchtree_photo_decode(
    struct touchtree_photo *photo, size_t more, uint32_t *row, unsigned rows, unsigned pixels) {
  struct jpeg_decompress_struct *state = &photo->state;
  if (setjmp(photo->failed)) return -1;
  if (more > photo->count - photo->given) more = photo->count - photo->given;
  photo->given += more;
  photo->source.bytes_in_buffer += more;
  if (photo->stage == touchtree_photo_header) {
    if (photo->functions.header(state, TRUE) == JPEG_SUSPENDED) return 0;
    const int inks = state->jpeg_color_space == JCS_CMYK || state->jpeg_color_space == JCS_YCCK;
    state->out_color_space = inks ? JCS_CMYK : JCS_EXT_BGRA;
    state->scale_num = 1;
    state->scale_denom = photo->reduction;
    state->buffered_image = photo->functions.has_scans(state);
    photo->stage = touchtree_photo_start;
  }
  if (photo->stage == touchtree_photo_start) {
    if (!photo->functions.start(state)) return 0;
    if (state->output_width != photo->width || state->output_height != photo->height) {
      strcpy(photo->message, "it has two sizes");
      return -1;
    }
    photo->stage = state->buffered_image ? touchtree_photo_scans : touchtree_photo_rows;
  }
  if (photo->stage == touchtree_photo_scans) {
    int answer = touchtree_photo_read_scans(photo, pixels);
    if (answer <= 0) return answer;
    photo->stage = touchtree_photo_rows;
    return 0;
  }
  const unsigned first = state->output_scanline;
  while (state->output_scanline - first < rows && state->output_scanline < state->output_height) {
    JSAMPROW next = (JSAMPROW)(row + (size_t)(state->output_scanline - first) * photo->width);
    if (photo->functions.rows(state, &next, 1) == 0) break;
    if (photo->lacks) return touchtree_photo_is_cut(photo, state->output_scanline - 1);
  }
  return (int)(state->output_scanline - first);
}

// Whether pixels are inks, as print shops and Adobe's programs write them: 255 is none. (CMYK, YCCK)
static inline int touchtree_photo_has_inks(const struct touchtree_photo *photo) {
  return photo->state.out_color_space == JCS_CMYK;
}

static inline const char *touchtree_photo_message(const struct touchtree_photo *photo) { return photo->message; }

static inline void touchtree_photo_end(struct touchtree_photo *photo) {
  photo->functions.destroy(&photo->state);
  free(photo);
}
