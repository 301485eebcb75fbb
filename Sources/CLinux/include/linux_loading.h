#pragma once

#include <dlfcn.h>

// A function of a library, with the place for its pointer.
struct touchtree_wanted {
  const char *name;
  void **function;
};

// Loads a library, which is never unloaded, and finds functions of it. Returns null,
// or the missing one in the words of dlerror(3).
static inline const char *touchtree_load(const char *library, const struct touchtree_wanted *wanted, unsigned count) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
  for (unsigned i = 0; i < count; i++) {
    *wanted[i].function = dlsym(handle, wanted[i].name);
    if (!*wanted[i].function) return dlerror();
  }
  return 0;
}
