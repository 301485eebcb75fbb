// The sources of the event loop, and its constants that Swift cannot import: macros
// with casts, and enumerators of an anonymous type.
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

_Static_assert(sizeof(struct signalfd_siginfo) == 128, "signalfd_siginfo is kernel ABI");

static const uint32_t touchtree_epollin = EPOLLIN;
static const uint32_t touchtree_epollout = EPOLLOUT;
static const uint32_t touchtree_epollet = EPOLLET;
static const int touchtree_epoll_cloexec = EPOLL_CLOEXEC;
static const int touchtree_efd_flags = EFD_NONBLOCK | EFD_CLOEXEC;
static const int touchtree_sfd_flags = SFD_NONBLOCK | SFD_CLOEXEC;
static const int touchtree_tfd_flags = TFD_NONBLOCK | TFD_CLOEXEC;
static const int touchtree_tfd_wall_clock = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET;

/// Whether this is the program's first thread.
static inline bool touchtree_is_main_thread(void) { return syscall(SYS_gettid) == getpid(); }

// libdispatch's functions for a run loop. None of its headers declares
// them, and CoreFoundation declares them itself.

/// Returns the descriptor that is readable when the main queue has work.
int _dispatch_get_main_queue_handle_4CF(void);

/// Does the waiting work of the main queue. Call it only on the main thread.
void _dispatch_main_queue_callback_4CF(void *unused);

/// Catches the signals that request the end of the process.
///
/// Such a signal makes the returned descriptor readable. It ends the process if the loop does not read the
/// descriptor within a second in a plugin, or three elsewhere. Lines that are then written to standard error
/// begin with `log_head`. The caller owns the descriptor. −1 with errno set after a failure.
int touchtree_ends_catch(const int32_t *signals, uint32_t count, const char *log_head);

/// Returns the signal that arrived, or 0, and ends the loop's time limit. A
/// plugin that is called from now on has a second.
int touchtree_ends_take(void);

/// Restores the signals' earlier handlers. Call it before the descriptor is closed.
void touchtree_ends_release(void);
