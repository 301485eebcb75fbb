#pragma once

#include "../CLinux/include/linux_loading.h"
// fcft's interface uses pixman's types. Taking them from the CPixman module keeps them one and the same type
// for an importer of both.
#include "../CPixman/shim.h"

#include <fcft/fcft.h>

// fcft brings fontconfig, FreeType, HarfBuzz and GLib: fifteen libraries that a tree without text does not need. So it
// is loaded when there is text, and not linked. The functions' types are the header's.
struct touchtree_fcft {
  __typeof__(&fcft_init) init;
  __typeof__(&fcft_capabilities) capabilities;
  __typeof__(&fcft_from_name) from_name;
  __typeof__(&fcft_destroy) destroy;
  __typeof__(&fcft_rasterize_char_utf32) rasterize_char_utf32;
  __typeof__(&fcft_rasterize_text_run_utf32) rasterize_text_run_utf32;
  __typeof__(&fcft_text_run_destroy) text_run_destroy;
};

// Returns null, or what is missing, in the words of dlerror(3).
static inline const char *touchtree_fcft_load(const char *library, struct touchtree_fcft *functions) {
  const struct touchtree_wanted wanted[] = {
    {"fcft_init", (void **)&functions->init},
    {"fcft_capabilities", (void **)&functions->capabilities},
    {"fcft_from_name", (void **)&functions->from_name},
    {"fcft_destroy", (void **)&functions->destroy},
    {"fcft_rasterize_char_utf32", (void **)&functions->rasterize_char_utf32},
    {"fcft_rasterize_text_run_utf32", (void **)&functions->rasterize_text_run_utf32},
    {"fcft_text_run_destroy", (void **)&functions->text_run_destroy},
  };
  return touchtree_load(library, wanted, sizeof wanted / sizeof *wanted);
}
