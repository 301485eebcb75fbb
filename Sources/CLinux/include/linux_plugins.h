// Opening and loading of plugins' files, and the plugin that the loop's thread is in.
#pragma once

#include <stdint.h>

/// Opens an entry of a folder for `openat` and `fstat`. No link is
/// followed, nothing is read, and no driver is called.
///
/// Returns −1 with errno set after a failure. (O_PATH)
int touchtree_open_entry(int folder, const char *name);

/// Loads a file of an open folder, and never unloads it. Returns null
/// after a failure, with details from dlerror(3).
///
/// The descriptor is taken over. It stays open if the loader knows the file by it from now on.
void *touchtree_plugin_load(int folder, const char *name);

/// Makes a counter that is readable after a write, closed on exec, and never waits.
/// −1 with errno set after a failure. (eventfd(2))
int touchtree_eventfd(void);

/// A call into a plugin.
struct touchtree_plugin_call {
  /// The handler and the file, as in the beginning of a line of the log. Null outside of plugins.
  const char *handler;
  /// The function's name in touchtree.h.
  const uint8_t *function;
  /// The id of the responder that is asked, or null.
  const char *responder;
  /// The beginning on CLOCK_MONOTONIC, in nanoseconds.
  int64_t began;
};

/// Records a call into a plugin by the loop's thread, for the line that is written if the process ends there.
///
/// The texts must stay valid until `touchtree_plugin_call_end`, which
/// also gets the beginning. Returns the outer call.
struct touchtree_plugin_call touchtree_plugin_call_begin(const char *handler, const uint8_t *function,
                                                         const char *responder, int64_t *began);

/// Records the return, given the outer call and the beginning.
/// Returns the duration of the call in nanoseconds.
int64_t touchtree_plugin_call_end(struct touchtree_plugin_call outer, int64_t began);
