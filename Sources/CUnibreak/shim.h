#pragma once

#include "../CLinux/include/linux_loading.h"

#include <linebreak.h>

// Loaded when a text is broken into lines elsewhere than at spaces, and not linked. The functions' types are the header's.
struct touchtree_unibreak {
  __typeof__(&init_linebreak) init_linebreak;
  __typeof__(&set_linebreaks_utf32) set_linebreaks;
};

// Returns null, or what is missing, in the words of dlerror(3).
static inline const char *touchtree_unibreak_load(const char *library, struct touchtree_unibreak *functions) {
  const struct touchtree_wanted wanted[] = {
    {"init_linebreak", (void **)&functions->init_linebreak},
    {"set_linebreaks_utf32", (void **)&functions->set_linebreaks},
  };
  return touchtree_load(library, wanted, sizeof wanted / sizeof *wanted);
}
