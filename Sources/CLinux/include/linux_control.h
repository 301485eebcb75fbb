// Unix sockets whose bytes carry a descriptor. Swift cannot lay out their control messages.
#pragma once

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

/// Sends bytes. `descriptor` goes with the first of them; −1 for none.
///
/// Returns the number of bytes taken, or −1 with errno set. It waits only if
/// `waits` is not 0. (sendmsg(2), unix(7) SCM_RIGHTS)
ssize_t touchtree_send(int socket, const void *bytes, size_t count, int descriptor, int waits);

/// Waits for bytes and receives those that are there.
///
/// Returns the number of bytes; 0 if the other end is gone; −1 with errno set. `*descriptor` is the
/// descriptor that came with them, for the caller to close, or −1. (recvmsg(2))
ssize_t touchtree_receive(int socket, void *bytes, size_t capacity, int *descriptor);

/// Receives the next bytes from a sender that has no descriptors to give, without waiting.
///
/// Returns as `touchtree_receive`, but −1 with EBADMSG for bytes with descriptors, which stay in
/// the queue. The process that takes them out has to close them, and for a TCP socket with
/// SO_LINGER this takes as long as the sender likes.
ssize_t touchtree_receive_bytes(int socket, void *bytes, size_t capacity);

/// Closes a connection without waiting for descriptors in its queue, which a separate process closes.
///
/// If no process can be started, the connection stays open.
void touchtree_close_connection(int socket);

/// Makes a file in memory, closed on exec. Returns −1 with errno set after a failure. (memfd_create(2))
int touchtree_memory_file(const char *name);

/// Makes zeroed memory of a fixed size that other processes can
/// be given; NULL with errno set after a failure.
///
/// A process that gets the file can map it for reading, and since Linux 5.1 not for writing. The caller
/// closes `*file` and unmaps the memory. (memfd_create(2), fcntl(2) F_ADD_SEALS)
void *touchtree_shared_memory(const char *name, size_t size, int *file);

/// Accepts a connection that neither blocks nor is inherited. Returns
/// −1 with errno set after a failure. (accept4(2))
int touchtree_accept(int socket);

/// Returns the process at the other end of a connection, or that
/// listens there; 0 if unknown. (unix(7) SO_PEERCRED)
pid_t touchtree_peer(int socket);

/// Returns whether that process may open a file for reading and writing, by the file's status from stat(2).
///
/// It may as root, as the file's owner, by the file's group, or as a process of this
/// process's user. (unix(7) SO_PEERCRED, SO_PEERGROUPS)
int touchtree_peer_may_open(int socket, const struct stat *file);

/// Locks a file without waiting. Returns −1 with errno set, EWOULDBLOCK if
/// another process has the lock. (flock(2) LOCK_EX)
int touchtree_lock_file(int file);

/// Returns the sent bytes that the other end has not read, as the kernel counts them. (unix(7) SIOCOUTQ)
int touchtree_unread(int socket);

/// Returns freed memory that the allocator keeps to the system. (malloc_trim(3))
void touchtree_return_memory(void);

/// Makes sending, receiving and connecting give up after a time. (socket(7) SO_RCVTIMEO, SO_SNDTIMEO)
int touchtree_limit_waiting(int socket, int seconds);
