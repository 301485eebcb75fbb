#pragma once

#include "../CLinux/include/linux_loading.h"

#include <fribidi/fribidi.h>

// Loaded when a text may run to the left, and not linked. The functions' types are the header's.
struct touchtree_fribidi {
  __typeof__(&fribidi_get_bidi_types) get_bidi_types;
  __typeof__(&fribidi_get_bracket_types) get_bracket_types;
  __typeof__(&fribidi_get_par_embedding_levels_ex) get_par_embedding_levels;
  __typeof__(&fribidi_reorder_line) reorder_line;
  __typeof__(&fribidi_shape_mirroring) shape_mirroring;
};

// Returns null, or what is missing, in the words of dlerror(3).
static inline const char *touchtree_fribidi_load(const char *library, struct touchtree_fribidi *functions) {
  const struct touchtree_wanted wanted[] = {
    {"fribidi_get_bidi_types", (void **)&functions->get_bidi_types},
    {"fribidi_get_bracket_types", (void **)&functions->get_bracket_types},
    {"fribidi_get_par_embedding_levels_ex", (void **)&functions->get_par_embedding_levels},
    {"fribidi_reorder_line", (void **)&functions->reorder_line},
    {"fribidi_shape_mirroring", (void **)&functions->shape_mirroring},
  };
  return touchtree_load(library, wanted, sizeof wanted / sizeof *wanted);
}
