// For Unix sockets whose bytes carry a descriptor, for which Swift cannot lay out the control messages.
#pragma once

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

/// Sends bytes; `descriptor` goes with the first of them, −1 for none.
///
/// Answers how many were taken, or −1 with errno set. Waits only if `waits` is not 0. (sendmsg(2), unix(7) SCM_RIGHTS)
ssize_t touchtree_send(int socket, const void *bytes, size_t count, int descriptor, int waits);

/// Receives what is there; waits for it.
///
/// Answers how many bytes; 0 when the other end is gone; −1 with errno set.
/// `*descriptor` is what came with them, to be closed by the caller, or −1. (recvmsg(2))
ssize_t touchtree_receive(int socket, void *bytes, size_t capacity, int *descriptor);

/// Receives what is next, from a sender that has no descriptors to give. Does not wait.
///
/// Answers as `touchtree_receive`. What comes with descriptors stays in the queue: −1 with EBADMSG. The process that
/// takes them out has to close them, and for a TCP socket with SO_LINGER this takes as long as the sender likes.
ssize_t touchtree_receive_bytes(int socket, void *bytes, size_t capacity);

/// Closes a connection, and is not kept waiting by descriptors in its queue: a process of its own closes those.
/// Where none can be started, the connection stays open.
void touchtree_close_connection(int socket);

/// A file that is only memory, closed on exec; −1 with errno set. (memfd_create(2))
int touchtree_memory_file(const char *name);

/// Memory of a fixed size that other processes can be given, zeroed; NULL with errno set. A process that gets the
/// file can map it for reading, and since Linux 5.1 not for writing. `*file` is to be closed by the caller, and the memory unmapped.
/// (memfd_create(2), fcntl(2) F_ADD_SEALS)
void *touchtree_shared_memory(const char *name, size_t size, int *file);

/// The other end of a connection that came in, which neither blocks nor is inherited; −1 with errno set. (accept4(2))
int touchtree_accept(int socket);

/// The process at the other end of a connection, or that listens there; 0 if it is not known. (unix(7) SO_PEERCRED)
pid_t touchtree_peer(int socket);

/// Whether that process may open a file for reading and writing, by what stat(2) says of the file: as root, as its owner, or by its
/// group; or is of this process's user. (unix(7) SO_PEERCRED, SO_PEERGROUPS)
int touchtree_peer_may_open(int socket, const struct stat *file);

/// Locks a file without waiting; −1 with errno set, EWOULDBLOCK when another one has it. (flock(2) LOCK_EX)
int touchtree_lock_file(int file);

/// What was sent and the other end has not read, in bytes as the kernel counts them. (unix(7) SIOCOUTQ)
int touchtree_unread(int socket);

/// Returns to the system what was freed and the allocator keeps. (malloc_trim(3))
void touchtree_return_memory(void);

/// Has sending, receiving and connecting give up after a time. (socket(7) SO_RCVTIMEO, SO_SNDTIMEO)
int touchtree_limit_waiting(int socket, int seconds);
