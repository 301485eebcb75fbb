#pragma once

#include "../CLinux/include/linux_loading.h"

#include <qrencode.h>

// Loaded for the first QR code, and not linked. The functions' types are the header's.
struct touchtree_qrencode {
  __typeof__(&QRcode_encodeString) encode;
  __typeof__(&QRcode_free) free;
};

// Returns null, or what is missing, in the words of dlerror(3).
static inline const char *touchtree_qrencode_load(const char *library, struct touchtree_qrencode *functions) {
  const struct touchtree_wanted wanted[] = {
    {"QRcode_encodeString", (void **)&functions->encode},
    {"QRcode_free", (void **)&functions->free},
  };
  return touchtree_load(library, wanted, sizeof wanted / sizeof *wanted);
}
