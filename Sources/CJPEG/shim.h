#pragma once

#include "../CLinux/include/linux_loading.h"

#include <turbojpeg.h>

// libjpeg-turbo's own interface, which answers errors with a number: the one of libjpeg has them jump, and no jump may cross Swift's
// frames. It is loaded when there is a photo, and not linked. The functions' types are the header's.
struct touchtree_jpeg {
  __typeof__(&tjInitDecompress) begin;
  __typeof__(&tjDecompressHeader3) header;
  __typeof__(&tjDecompress2) decompress;
  __typeof__(&tjGetErrorStr2) message;
  __typeof__(&tjGetErrorCode) code;
  __typeof__(&tjDestroy) end;
};

// Returns null, or what is missing, in the words of dlerror(3).
static inline const char *touchtree_jpeg_load(const char *library, struct touchtree_jpeg *functions) {
  const struct touchtree_wanted wanted[] = {
    {"tjInitDecompress", (void **)&functions->begin},
    {"tjDecompressHeader3", (void **)&functions->header},
    {"tjDecompress2", (void **)&functions->decompress},
    {"tjGetErrorStr2", (void **)&functions->message},
    {"tjGetErrorCode", (void **)&functions->code},
    {"tjDestroy", (void **)&functions->end},
  };
  return touchtree_load(library, wanted, sizeof wanted / sizeof *wanted);
}

// Constants of enumerations, which Swift would import as types of their own.
static const int touchtree_jpeg_pixels = TJPF_BGRA;
static const int touchtree_jpeg_warning = TJERR_WARNING;
