#pragma once

// What has to be put back when the program dies. One for the process: a signal handler has no other way to find it.

/// Who has something to put back, in the order in which it is done: a console that comes back draws on the framebuffer.
enum touchtree_restorer { touchtree_restorer_framebuffer, touchtree_restorer_console, touchtree_restorer_count };

/// Calls `restore` when a signal comes that ends the process, before whoever caught that signal earlier gets it, and at
/// exit. `restore` may call only what a signal handler may call. A second call replaces the same restorer's function.
void touchtree_faults_catch(enum touchtree_restorer who, void (*restore)(void));

/// This one has nothing to put back any more. After the last one the signals are given back to whoever had them.
void touchtree_faults_release(enum touchtree_restorer who);
