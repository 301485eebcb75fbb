#pragma once

// What is restored when the program dies. One for the process: a signal handler has no other way to find it.

/// The restorers, in their order: a restored console draws on the framebuffer, and a line of the log is visible only on a
/// restored terminal.
enum touchtree_restorer {
  touchtree_restorer_backlight,
  touchtree_restorer_framebuffer,
  touchtree_restorer_console,
  touchtree_restorer_log,
  touchtree_restorer_count
};

/// Calls `restore` when a signal comes that ends the process, before the earlier handler of that signal, and at
/// exit. `restore` may call only what a signal handler may call. A second call replaces the same restorer's function.
void touchtree_faults_catch(enum touchtree_restorer who, void (*restore)(void));

/// This one has nothing left to restore. After the last one the previous signal handlers are restored.
void touchtree_faults_release(enum touchtree_restorer who);

/// How the process ends.
struct touchtree_end {
  /// 0 for a call of exit.
  int signal;
  /// Another process sent the signal, or the loop did not answer one in time; the program did not fault.
  int is_from_outside;
  /// Whether the signal handler runs on the thread that the loop runs on.
  int is_loop_thread;
  /// What a line on standard error begins with.
  const char *log_head;
};

/// How it ends, for a restorer.
const struct touchtree_end *touchtree_faults_end(void);

/// Restores everything for a call of _exit, which nothing else is called by. A plugin's is a failure: a status of 0 is
/// changed.
void touchtree_faults_exit(int *status);

/// Whether a signal only says that a call into a plugin takes long.
int touchtree_end_is_watch(int signal, int is_timer);
/// What a line on standard error begins with.
const char *touchtree_end_log_head(void);
/// Writes a line about the call that the loop's thread is in, if it has taken as long as a watch lasts.
void touchtree_plugin_call_report_hang(const char *log_head);

/// The signal that asked for the end, which the loop did not see in time, if that is what this one says; or itself.
int touchtree_end_overdue(int signal, int is_timer);

/// Whether the process ends in a plugin, or in a thread that is not the loop's, while the loop is there.
int touchtree_end_is_by_plugin(void);

/// The call that begins may take a second, if the process was asked to end; otherwise it is reported if it takes two.
void touchtree_end_limit_call(void);
/// The call is over.
void touchtree_end_limit_lift(void);

/// Whether the loop's thread is in a plugin.
int touchtree_plugin_is_called(void);
/// Writes a line about the plugin that the process ends in, if it does.
void touchtree_plugin_call_report(const struct touchtree_end *end);
