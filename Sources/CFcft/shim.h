#pragma once

// fcft's interface uses pixman's types. Taking them from the CPixman module keeps them one and the same type
// for an importer of both.
#include "../CPixman/shim.h"

#include <dlfcn.h>
#include <fcft/fcft.h>
#include <utf8proc.h>

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
  // Of utf8proc, which fcft shapes lines with; null where it was built without.
  __typeof__(&utf8proc_get_property) get_property;
};

// A character's class in the bidirectional algorithm; 0 where nobody knows.
static inline int32_t touchtree_bidi_class(const struct touchtree_fcft *functions, int32_t character) {
  return functions->get_property ? functions->get_property(character)->bidi_class : 0;
}

// Returns null, or what is missing, in the words of dlerror(3). The library is never unloaded.
static inline const char *touchtree_fcft_load(const char *library, struct touchtree_fcft *functions) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
  const struct {
    const char *name;
    void **function;
  } wanted[] = {
    {"fcft_init", (void **)&functions->init},
    {"fcft_capabilities", (void **)&functions->capabilities},
    {"fcft_from_name", (void **)&functions->from_name},
    {"fcft_destroy", (void **)&functions->destroy},
    {"fcft_rasterize_char_utf32", (void **)&functions->rasterize_char_utf32},
    {"fcft_rasterize_text_run_utf32", (void **)&functions->rasterize_text_run_utf32},
    {"fcft_text_run_destroy", (void **)&functions->text_run_destroy},
  };
  for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    *wanted[i].function = dlsym(handle, wanted[i].name);
    if (!*wanted[i].function) return dlerror();
  }
  *(void **)&functions->get_property = dlsym(handle, "utf8proc_get_property");
  return NULL;
}
