// Plugins: how their files are opened and loaded, and which of them the loop's thread is in.
#pragma once

#include <stdint.h>

/// Opens an entry of a folder: no link is followed, nothing is read, and no driver is called. For `openat`
/// and `fstat`. −1 with errno set. (O_PATH)
int touchtree_open_entry(int folder, const char *name);

/// Loads a file of an open folder, for good. The descriptor is taken over: it stays open if the loader knows the file by
/// it from now on. Null after a failure, of which dlerror(3) knows more.
void *touchtree_plugin_load(int folder, const char *name);

/// A counter that becomes readable when it is written to, closed on exec; it never waits. −1 with errno set. (eventfd(2))
int touchtree_eventfd(void);

/// A call into a plugin.
struct touchtree_plugin_call {
  /// Which handler and which file, as a line of the log begins. Null outside of plugins.
  const char *handler;
  /// Its name in touchtree.h.
  const uint8_t *function;
  /// The id of the responder that is asked, or null.
  const char *responder;
  /// On CLOCK_MONOTONIC, in nanoseconds.
  int64_t began;
};

/// Notes that the loop's thread goes into a plugin, for the line that is written when the process ends there. The texts
/// stay where they are until `touchtree_plugin_call_end`, which also gets when the call began. Returns the call that it was
/// in before.
struct touchtree_plugin_call touchtree_plugin_call_begin(const char *handler, const uint8_t *function,
                                                         const char *responder, int64_t *began);

/// Notes that it is back, with what `touchtree_plugin_call_begin` returned. Returns how long the call took, in
/// nanoseconds.
int64_t touchtree_plugin_call_end(struct touchtree_plugin_call outer, int64_t began);
