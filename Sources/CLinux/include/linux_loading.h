#pragma once

#include <dlfcn.h>

// A function of a library, and where a pointer to it goes.
struct touchtree_wanted {
  const char *name;
  void **function;
};

// Loads a library and finds functions of it. Returns null, or what is missing, in the words of dlerror(3). The library
// is never unloaded.
static inline const char *touchtree_load(const char *library, const struct touchtree_wanted *wanted, unsigned count) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
  for (unsigned i = 0; i < count; i++) {
    *wanted[i].function = dlsym(handle, wanted[i].name);
    if (!*wanted[i].function) return dlerror();
  }
  return 0;
}
