#pragma once

#include <sys/types.h>

/// The number of arguments of this program, with its name.
/// `touchtree_argument` returns one, and NULL after the last.
int touchtree_argument_count(void);
const char *touchtree_argument(int index);

/// The lifeline's descriptor in a started program, unless its limit of open files is lower.
enum { touchtree_lifeline = 63 };

/// Starts a program in a session of its own, and returns when the program has taken over.
///
/// Its input is /dev/null, and its errors and output go to this process's standard error, unless it gets
/// descriptors for them. No other descriptor but the lifeline is handed down. No signal is blocked or ignored
/// in it. It has no controlling terminal, and its process group has its own id. The kernel kills it when the
/// thread that started it ends, for whatever reason.
///
/// @param executable a path; PATH is not searched.
/// @param arguments, environment lists that end with NULL.
/// @param input, output, errors descriptors of this process, which stay open in it; -1 for none.
/// @param lifeline the reading end of a pipe for this program, or -1. When the other end is closed, the
/// kernel kills the program's process group. Clearing O_ASYNC of this end prevents that.
/// @returns the process id; or the negated errno, which is execve's if that failed.
pid_t touchtree_spawn(const char *executable, char *const arguments[], char *const environment[], int input,
                      int output, int errors, int lifeline);

/// Makes a pipe, closed on exec, with the reading end first. Returns
/// −1 with errno set after a failure. (pipe2(2))
int touchtree_pipe(int ends[2]);

/// Reads a byte of each file in a child process, which then ends. A path that leads to no file is skipped.
/// The kernel kills the child when the thread that started it ends.
///
/// @param paths a list that ends with NULL.
/// @param progress gets the end of a pipe, which is the caller's and never waits. It has a byte for each file
/// that was begun, and hangs up when the child has ended.
/// @returns the process id; or the negated errno.
pid_t touchtree_probe(const char *const paths[], int *progress);
