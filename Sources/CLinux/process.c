#define _GNU_SOURCE
#include "linux_process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Between vfork and execve the child runs in the parent's memory, while the parent's thread waits. So it
// makes only system calls, without allocation or locks. posix_spawn cannot do the part with prctl. The
// variables are in a separate stack frame, which the parent does not use when it goes on.
__attribute__((noinline)) static void become(const char *executable, char *const arguments[], char *const environment[],
                                             int input, int output, int errors, int lifeline, pid_t parent) {
  // The kernel's struct sigaction, with the handler SIG_DFL. glibc's function refuses the two
  // signals that glibc keeps for itself, and the program that started this one may have
  // ignored them. It fails for SIGKILL and SIGSTOP.
  static const unsigned long usual[4];
  for (int signal = 1; signal < NSIG; signal++) syscall(SYS_rt_sigaction, signal, usual, NULL, NSIG / 8);

  // A session has no controlling terminal. So a reader of /dev/tty cannot take the keys of the user who
  // started the daemon, and Ctrl-C there is only the daemon's.
  if (setsid() < 0) return;
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) return;
  // The parent died earlier.
  if (getppid() != parent) _exit(127);

  // PR_SET_PDEATHSIG covers only this process. When the parent's end of the lifeline is closed, the kernel
  // sends the signal to the whole group, as long as a process has this end open. (pipe(7), F_SETSIG)
  if (lifeline >= 0 && (fcntl(lifeline, F_SETOWN, -getpid()) < 0 || fcntl(lifeline, F_SETSIG, SIGKILL) < 0 ||
                        fcntl(lifeline, F_SETFL, O_ASYNC) < 0))
    return;

  if (input < 0) input = open("/dev/null", O_RDONLY | O_NOCTTY);
  if (input < 0) return;
  if (dup2(input, STDIN_FILENO) < 0 || dup2(output < 0 ? STDERR_FILENO : output, STDOUT_FILENO) < 0) return;
  if (errors >= 0 && dup2(errors, STDERR_FILENO) < 0) return;
  // Our descriptors are all closed on exec. A library's, or an inherited one, may not be.
  int others = STDERR_FILENO + 1;
  if (lifeline >= 0 && dup2(lifeline, others++) < 0) return;
  closefrom(others);
  // Scripts use the low numbers, as in `exec 3>file`. It stays at a low one if `ulimit -n` allows no other.
  if (lifeline >= 0 && fcntl(others - 1, F_DUPFD, touchtree_lifeline) >= 0) close(others - 1);

  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(executable, arguments, environment);
}

int touchtree_pipe(int ends[2]) {
  return pipe2(ends, O_CLOEXEC);
}

pid_t touchtree_spawn(const char *executable, char *const arguments[], char *const environment[], int input,
                      int output, int errors, int lifeline) {
  // A handler of ours that ran in the child would run in our memory.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const pid_t parent = getpid();
  // The child writes it in the shared memory.
  volatile int failure = 0;
  const pid_t child = vfork();
  if (child == 0) {
    become(executable, arguments, environment, input, output, errors, lifeline, parent);
    failure = errno;
    _exit(127);
  }
  const int cause = child < 0 ? errno : failure;
  if (child > 0 && cause != 0) {
    // It has ended, and is reaped here.
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return cause == 0 ? child : -cause;
}

// Makes only system calls between fork and its end, because a plugin's thread may have held a lock.
static _Noreturn void probe(const char *const paths[], int progress, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent || dup2(progress, STDIN_FILENO) < 0) _exit(1);
  // The child may stay for long, but the parent's files are closed when the parent closes them.
  closefrom(STDIN_FILENO + 1);
  for (char byte = 0; *paths && write(STDIN_FILENO, &byte, 1) >= 0; paths++) {
    struct stat status;
    // The contents of a pipe are for its reader.
    if (stat(*paths, &status) < 0 || !S_ISREG(status.st_mode)) continue;
    const int file = open(*paths, O_RDONLY);
    if (file < 0) continue;
    if (read(file, &byte, 1) < 0) byte = 0;
    close(file);
  }
  _exit(0);
}

pid_t touchtree_probe(const char *const paths[], int *progress) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) return -errno;
  // No handler of ours runs in the child, which has a copy of our eventfd.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) probe(paths, ends[1], parent);
  const int cause = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(ends[1]);
  *progress = ends[0];
  if (child > 0) return child;
  close(ends[0]);
  return -cause;
}
