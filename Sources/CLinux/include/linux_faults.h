#pragma once

// What has to be put back when the program dies. One for the process: a signal handler has no other way to find it.

/// Calls `restore` when a signal comes that ends the process, before whoever caught that signal earlier gets it, and at
/// exit. `restore` may call only what a signal handler may call. A second call replaces the first one's function.
void touchtree_faults_catch(void (*restore)(void));

/// Gives the signals back to whoever had them.
void touchtree_faults_release(void);
