// What the event loop waits on, and the constants of it that Swift cannot import because they are macros with
// casts or enumerators of an anonymous type.
#pragma once

#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

_Static_assert(sizeof(struct signalfd_siginfo) == 128, "signalfd_siginfo is kernel ABI");

static const uint32_t touchtree_epollin = EPOLLIN;
static const uint32_t touchtree_epollout = EPOLLOUT;
static const int touchtree_epoll_cloexec = EPOLL_CLOEXEC;
static const int touchtree_sfd_flags = SFD_NONBLOCK | SFD_CLOEXEC;
static const int touchtree_tfd_flags = TFD_NONBLOCK | TFD_CLOEXEC;

/// A socket on which the kernel, and udev after it, say which devices come, go and change. −1 with errno set where that
/// is not to be had. (NETLINK_KOBJECT_UEVENT)
int touchtree_device_events(void);
