#pragma once

// The state that is restored when the program dies. There is one for the process, because
// a signal handler has no other way to find it.

/// The restorers in their order.
///
/// A restored console draws on the framebuffer, and a line of the log is visible only on a restored terminal.
enum touchtree_restorer {
  touchtree_restorer_backlight,
  touchtree_restorer_framebuffer,
  touchtree_restorer_console,
  touchtree_restorer_log,
  touchtree_restorer_count
};

/// Calls `restore` at exit, and for a signal that ends the process before the earlier handler of that signal.
///
/// `restore` may make only calls that a signal handler may make. A
/// second call replaces the same restorer's function.
void touchtree_faults_catch(enum touchtree_restorer who, void (*restore)(void));

/// Releases a restorer. After the last one the previous signal handlers are restored.
void touchtree_faults_release(enum touchtree_restorer who);

/// The way in which the process ends.
struct touchtree_end {
  /// The signal; 0 for a call of exit.
  int signal;
  /// Whether the program did not fault: another process sent the
  /// signal, or the loop did not answer one in time.
  int is_from_outside;
  /// Whether the signal handler runs on the loop's thread.
  int is_loop_thread;
  /// The beginning of a line on standard error.
  const char *log_head;
};

/// Returns the present end, for a restorer.
const struct touchtree_end *touchtree_faults_end(void);

/// Restores everything for a call of _exit, which calls nothing else. A plugin's
/// call is a failure, so a status of 0 is changed.
void touchtree_faults_exit(int *status);

/// Whether a signal only reports that a call into a plugin takes long.
int touchtree_end_is_watch(int signal, int is_timer);
/// Returns the beginning of a line on standard error.
const char *touchtree_end_log_head(void);
/// Writes a line about the present call of the loop's thread, if it has taken as long as a watch lasts.
void touchtree_plugin_call_report_hang(const char *log_head);

/// Returns the signal that requested the end and that the loop did not see in time,
/// if this signal reports that; else this signal.
int touchtree_end_overdue(int signal, int is_timer);

/// Whether the process ends in a plugin, or in a thread that is not the loop's, while the loop is there.
int touchtree_end_is_by_plugin(void);

/// Begins the time limit of a call: a second if the process was
/// asked to end, else two until the call is reported.
void touchtree_end_limit_call(void);
/// Ends the time limit of a call.
void touchtree_end_limit_lift(void);

/// Whether the loop's thread is in a plugin.
int touchtree_plugin_is_called(void);
/// Writes a line about the plugin in which the process ends, if it does.
void touchtree_plugin_call_report(const struct touchtree_end *end);
