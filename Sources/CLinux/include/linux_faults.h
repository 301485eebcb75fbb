#pragma once

// What has to be put back when the program dies of its own fault. One for the process: a fault handler has no other way
// to find it.

/// Calls `restore` when a fault signal comes, before whoever caught that signal earlier gets it, or the process ends.
/// `restore` may call only what a signal handler may call. A second call replaces the first one's function.
void touchtree_faults_catch(void (*restore)(void));

/// Gives the fault signals back to whoever had them.
void touchtree_faults_release(void);
