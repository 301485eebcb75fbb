#pragma once

#include <sys/types.h>

/// Starts a program in a session of its own, and returns when the program has taken over.
///
/// Its input is /dev/null, its output and errors are this process' standard error; no other descriptor is handed down.
/// No signal is blocked in it, and none ignored. It has no controlling terminal, and its process group has its own id.
/// The kernel kills it when the thread that started it ends, whatever the reason.
///
/// @param executable a path; PATH is not searched.
/// @param arguments, environment end with NULL.
/// @returns its process id; or the negated errno, which is execve's where that failed.
pid_t touchtree_spawn(const char *executable, char *const arguments[], char *const environment[]);
