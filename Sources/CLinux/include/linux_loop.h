// What the event loop waits on, and the constants of it that Swift cannot import because they are macros with
// casts or enumerators of an anonymous type.
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

/// Whether this is the thread that the program began with.
static inline bool touchtree_is_main_thread(void) { return syscall(SYS_gettid) == getpid(); }

// What a run loop has of libdispatch, which declares it in none of its headers: CoreFoundation, for which it is, declares it itself.

/// The descriptor that becomes readable when something is put into the main queue.
int _dispatch_get_main_queue_handle_4CF(void);

/// Does what waits in the main queue. Call it on the main thread alone.
void _dispatch_main_queue_callback_4CF(void *unused);

/// Catches signals that ask for the process' end. From then on one of them makes the returned descriptor readable, and
/// ends the process if the loop does not come to it: after a second in a plugin, after three elsewhere. The lines that
/// are then written to standard error begin with `log_head`. −1 with errno set. The descriptor is the caller's.
int touchtree_ends_catch(const int32_t *signals, uint32_t count, const char *log_head);

/// The signal that came, or 0; the time that the loop had for it is over. A plugin that is called from now on has a
/// second.
int touchtree_ends_take(void);

/// Restores the signals' earlier handlers. Call it before the descriptor is closed.
void touchtree_ends_release(void);
