// For memfd_create, accept4, close_range and struct ucred.
#define _GNU_SOURCE
#include "linux_control.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <malloc.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

// MFD_NOEXEC_SEAL, which Debian 12's headers lack.
static const unsigned touchtree_noexec_seal = 0x0008U;

// Aligned for a control message with one descriptor.
typedef union {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int))];
} one_descriptor;

ssize_t touchtree_send(int socket, const void *bytes, size_t count, int descriptor, int waits) {
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  one_descriptor control = {0};
  if (descriptor >= 0) {
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  ssize_t sent;
  do sent = sendmsg(socket, &message, MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT));
  while (sent < 0 && errno == EINTR);
  return sent;
}

ssize_t touchtree_receive(int socket, void *bytes, size_t capacity, int *descriptor) {
  struct iovec part = {.iov_base = bytes, .iov_len = capacity};
  one_descriptor control = {0};
  // Exactly one fits. The kernel would install a second one in the padding, and it would stay open.
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = CMSG_LEN(sizeof(int))};
  *descriptor = -1;
  ssize_t count;
  do count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (count < 0 && errno == EINTR);
  if (count < 0) return -1;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header != NULL && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
      header->cmsg_len == CMSG_LEN(sizeof(int))) {
    memcpy(descriptor, CMSG_DATA(header), sizeof *descriptor);
  }
  return count;
}

// The next packet in a connection's queue.
typedef struct {
  // As from recvmsg: 0 if the other end sends no more.
  ssize_t count;
  int has_descriptors;
} next_in_queue;

// Looks at the next packet without taking it. The kernel keeps the
// packet, so closing a descriptor here has no effect.
//
// Each message comes with its sender's credentials. There is room only for these, so anything cut off is
// descriptors. (unix(7) SO_PASSCRED, recvmsg(2) MSG_PEEK and MSG_CTRUNC)
static next_in_queue look(int socket, void *bytes, size_t capacity) {
  const int yes = 1;
  next_in_queue next = {.count = -1};
  if (setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) < 0) return next;
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(struct ucred))];
  } control;
  struct iovec part = {.iov_base = bytes, .iov_len = capacity};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  do next.count = recvmsg(socket, &message, MSG_PEEK | MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  while (next.count < 0 && errno == EINTR);
  if (next.count < 0) return next;
  next.has_descriptors = (message.msg_flags & MSG_CTRUNC) != 0;
  return next;
}

ssize_t touchtree_receive_bytes(int socket, void *bytes, size_t capacity) {
  const next_in_queue next = look(socket, bytes, capacity);
  if (next.count < 0) return -1;
  if (next.has_descriptors) {
    errno = EBADMSG;
    return -1;
  }
  // No more than was looked at, because descriptors may come with the rest.
  ssize_t count;
  do count = recv(socket, bytes, (size_t)next.count, MSG_DONTWAIT);
  while (count < 0 && errno == EINTR);
  return count;
}

// Takes out the queue of a connection that gets nothing more, up to the
// first descriptors. Returns whether there are any.
static int drain(int socket) {
  char bytes[4096];
  for (;;) {
    const next_in_queue next = look(socket, bytes, sizeof bytes);
    if (next.has_descriptors) return 1;
    if (next.count <= 0) return 0;
    (void)recv(socket, bytes, (size_t)next.count, MSG_DONTWAIT);
  }
}

// Closes every descriptor but two.
static void close_others(unsigned one, unsigned other) {
  const unsigned low = one < other ? one : other, high = one < other ? other : one;
  if (low > 0) close_range(0, low - 1, 0);
  if (high > low + 1) close_range(low + 1, high - 1, 0);
  close_range(high + 1, ~0U, 0);
}

// Leaves closing to a process that does nothing else. Its parent ends at once, so that nobody
// has to wait for it. It is the last to have the descriptor. It ends when this process has
// closed its own, and then the other end of the pipe.
static void close_elsewhere(int descriptor) {
  int closed[2];
  if (pipe2(closed, O_CLOEXEC) < 0) return;
  const pid_t child = fork();
  if (child == 0) {
    const pid_t last = fork();
    if (last == 0) {
      close_others((unsigned)descriptor, (unsigned)closed[0]);
      char byte;
      while (read(closed[0], &byte, sizeof byte) < 0 && errno == EINTR) continue;
    }
    _exit(last < 0);
  }
  close(closed[0]);
  int status = -1;
  if (child > 0) {
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  }
  if (status == 0) close(descriptor);
  close(closed[1]);
}

void touchtree_close_connection(int socket) {
  // From here on the other end cannot send anything.
  shutdown(socket, SHUT_RDWR);
  if (drain(socket)) {
    close_elsewhere(socket);
  } else {
    close(socket);
  }
}

int touchtree_memory_file(const char *name) {
  // The flag is required where memory must not be executable. Older kernels reject it. (Linux 6.3)
  const int file = memfd_create(name, MFD_CLOEXEC | touchtree_noexec_seal);
  return file >= 0 || errno != EINVAL ? file : memfd_create(name, MFD_CLOEXEC);
}

// F_SEAL_FUTURE_WRITE: memory that is already mapped stays writable. (Linux 5.1)
enum { touchtree_seal_future_write = 0x0010 };

void *touchtree_shared_memory(const char *name, size_t size, int *file) {
  int memory = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | touchtree_noexec_seal);
  if (memory < 0 && errno == EINVAL) memory = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (memory < 0) return NULL;
  // Allocated now, because a missing page would later be a fault signal.
  void *bytes = MAP_FAILED;
  if (ftruncate(memory, (off_t)size) == 0 && fallocate(memory, 0, 0, (off_t)size) == 0)
    bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  const int seals = F_SEAL_SHRINK | F_SEAL_GROW;
  if (bytes == MAP_FAILED ||
      (fcntl(memory, F_ADD_SEALS, seals | touchtree_seal_future_write) < 0 &&
       fcntl(memory, F_ADD_SEALS, seals) < 0)) {
    const int cause = errno;
    if (bytes != MAP_FAILED) munmap(bytes, size);
    close(memory);
    errno = cause;
    return NULL;
  }
  *file = memory;
  return bytes;
}

int touchtree_accept(int socket) {
  return accept4(socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

static int credentials(int socket, struct ucred *peer) {
  socklen_t length = sizeof *peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, peer, &length);
}

pid_t touchtree_peer(int socket) {
  struct ucred peer;
  return credentials(socket, &peer) == 0 ? peer.pid : 0;
}

// NGROUPS_MAX of old kernels. A process with more groups is asked only for its first one.
enum { most_groups = 1024 };

int touchtree_peer_may_open(int socket, const struct stat *file) {
  struct ucred peer;
  if (credentials(socket, &peer) != 0) return 0;
  if (peer.uid == 0 || peer.uid == geteuid()) return 1;
  if (peer.uid == file->st_uid) return (file->st_mode & 0600) == 0600;
  if ((file->st_mode & 0060) != 0060) return 0;
  if (peer.gid == file->st_gid) return 1;
  gid_t groups[most_groups];
  socklen_t length = sizeof groups;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &length) != 0) return 0;
  for (size_t i = 0; i < length / sizeof *groups; i++) {
    if (groups[i] == file->st_gid) return 1;
  }
  return 0;
}

int touchtree_lock_file(int file) {
  return flock(file, LOCK_EX | LOCK_NB);
}

int touchtree_unread(int socket) {
  int count = 0;
  return ioctl(socket, SIOCOUTQ, &count) < 0 ? 0 : count;
}

void touchtree_return_memory(void) { malloc_trim(0); }

int touchtree_limit_waiting(int socket, int seconds) {
  struct timeval time = {.tv_sec = seconds};
  if (setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time) < 0) return -1;
  return setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}
