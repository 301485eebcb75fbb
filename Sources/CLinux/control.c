// For memfd_create and accept4.
#define _GNU_SOURCE
#include "linux_control.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>

// MFD_NOEXEC_SEAL, which Debian 12's headers lack.
static const unsigned touchtree_noexec_seal = 0x0008U;

// Aligned as the kernel wants a control message with one descriptor.
typedef union {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int))];
} one_descriptor;

int touchtree_send_packet(int socket, const void *bytes, size_t count, int descriptor) {
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
  do sent = sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -1 : 0;
}

ssize_t touchtree_receive_packet(int socket, void *bytes, size_t capacity, int *descriptor) {
  struct iovec part = {.iov_base = bytes, .iov_len = capacity};
  one_descriptor control = {0};
  // Exactly one fits: the kernel would install a second one in what is there for alignment, and nobody would close it.
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = CMSG_LEN(sizeof(int))};
  *descriptor = -1;
  ssize_t count;
  do count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_TRUNC);
  while (count < 0 && errno == EINTR);
  if (count < 0) return -1;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header != NULL && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
      header->cmsg_len == CMSG_LEN(sizeof(int))) {
    memcpy(descriptor, CMSG_DATA(header), sizeof *descriptor);
  }
  return count;
}

int touchtree_memory_file(const char *name) {
  // Where memory must not be executable, it has to be said; older kernels do not know the word. (Linux 6.3)
  const int file = memfd_create(name, MFD_CLOEXEC | touchtree_noexec_seal);
  return file >= 0 || errno != EINVAL ? file : memfd_create(name, MFD_CLOEXEC);
}

int touchtree_accept(int socket) {
  return accept4(socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int touchtree_limit_waiting(int socket, int seconds) {
  struct timeval time = {.tv_sec = seconds};
  if (setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time) < 0) return -1;
  return setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}
