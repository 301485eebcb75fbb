#pragma once

#include <sys/types.h>

/// How many arguments this program was given, with its name; and one of them, NULL behind the last.
int touchtree_argument_count(void);
const char *touchtree_argument(int index);

/// The descriptor that a started program has its lifeline at, unless its limit of open files is lower.
enum { touchtree_lifeline = 63 };

/// Starts a program in a session of its own, and returns when the program has taken over.
///
/// Its errors and its output go to this process' standard error, unless it gets descriptors for them; its input is
/// /dev/null, unless it gets one. No other descriptor but the lifeline is handed down.
/// No signal is blocked in it, and none ignored. It has no controlling terminal, and its process group has its own id.
/// The kernel kills it when the thread that started it ends, whatever the reason.
///
/// @param executable a path; PATH is not searched.
/// @param arguments, environment end with NULL.
/// @param input, output, errors descriptors of this process, which stay open in it; -1 for none.
/// @param lifeline the end to read of a pipe of its own, or -1: when the other end is closed, the kernel kills the program's
///   process group. Clearing O_ASYNC of this end prevents that.
/// @returns its process id; or the negated errno, which is execve's where that failed.
pid_t touchtree_spawn(const char *executable, char *const arguments[], char *const environment[], int input,
                      int output, int errors, int lifeline);

/// A pipe, closed on exec: the end to read, and the end to write. −1 with errno set. (pipe2(2))
int touchtree_pipe(int ends[2]);

/// Reads a byte of each file in a child process, which ends when it has them all. A path that leads to something else than a
/// file, or to nothing, is passed over. The kernel kills the child when the thread that started it ends.
///
/// @param paths end with NULL.
/// @param progress gets the end of a pipe, which is the caller's and never waits: it has a byte for each file that was begun,
///   and hangs up when the child has ended.
/// @returns its process id; or the negated errno.
pid_t touchtree_probe(const char *const paths[], int *progress);
