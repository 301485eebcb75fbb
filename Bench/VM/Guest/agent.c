// Takes jobs from the host, each in a session of its own and without a terminal, like a service.
//
// The host names a job by a line on a serial port. /shared/jobs/NAME/command is what a shell does; output, pid and status go beside it,
// and `done NAME` is said. Many tests consist of a hundred small jobs, and a process is the most expensive of what they need: a job is
// one process, which becomes a shell at once.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "guest.h"

enum { most_jobs = 256, longest_name = 32 };
static struct job {
  pid_t pid;
  char name[longest_name];
} jobs[most_jobs];

// Opens the serial port that is the host's: the second one, or that of a serial card where the machine has one port of another kind.
static int open_port(void) {
  const char *path = access("/dev/ttyAMA0", F_OK) == 0 ? "/dev/ttyS0" : "/dev/ttyS1";
  int port = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
  struct termios modes;
  if (port < 0 || tcgetattr(port, &modes) < 0) fail_errno("%s", path);
  cfmakeraw(&modes);
  if (tcsetattr(port, TCSANOW, &modes) < 0) fail_errno("%s", path);
  return port;
}

static void say(int port, const char *line) {
  for (size_t left = strlen(line); left > 0;) {
    ssize_t count = write(port, line, left);
    if (count < 0) fail_errno("the host's port");
    line += count, left -= (size_t)count;
  }
}

// Opens one of a job's files, which are relative to its folder.
static int job_file(const char *job, const char *file) {
  char path[128];
  snprintf(path, sizeof path, "/shared/jobs/%s/%s", job, file);
  return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
}

static void note(const char *job, const char *file, int number) {
  int descriptor = job_file(job, file);
  if (descriptor < 0 || dprintf(descriptor, "%d\n", number) < 0) fail_errno("job %s: %s", job, file);
  close(descriptor);
}

static void start(const char *name) {
  struct job *job = jobs;
  while (job < jobs + most_jobs && job->pid) job++;
  if (job == jobs + most_jobs) fail("job %s: there are %d jobs already", name, most_jobs);
  char command[128];
  snprintf(command, sizeof command, "/shared/jobs/%s/command", name);
  int null = open("/dev/null", O_RDONLY | O_CLOEXEC), out = job_file(name, "stdout"), err = job_file(name, "stderr");
  if (null < 0 || out < 0 || err < 0) fail_errno("job %s", name);
  // Nothing is copied: this process waits until the other one is a shell.
  pid_t pid = vfork();
  if (pid < 0) fail_errno("job %s", name);
  if (pid == 0) {
    sigset_t none;
    sigemptyset(&none);
    if (sigprocmask(SIG_SETMASK, &none, NULL) == 0 && setsid() > 0 && chdir("/") == 0 && dup2(null, 0) == 0 &&
        dup2(out, 1) == 1 && dup2(err, 2) == 2)
      execl("/bin/sh", "sh", command, NULL);
    _exit(126);
  }
  close(null), close(out), close(err);
  job->pid = pid;
  strcpy(job->name, name);
  note(name, "pid", pid);
}

// Also of what a job has left to the first process, which this one is without a service manager.
static void reap(int port) {
  int status;
  for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
    for (struct job *job = jobs; job < jobs + most_jobs; job++) {
      if (job->pid != pid) continue;
      job->pid = 0;
      note(job->name, "status", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
      char line[longest_name + 8];
      snprintf(line, sizeof line, "done %s\n", job->name);
      say(port, line);
    }
}

int agent_command(int count, char **arguments) {
  (void)arguments;
  if (count != 0) fail("agent wants no arguments");
  setenv("PATH", "/bin:/usr/bin:/sbin:/usr/sbin", 1);
  setenv("HOME", "/", 1);
  // Root uses files of its own and of the user that became root: here of the host's user, who writes what lies in /shared.
  struct stat shared;
  if (stat("/shared", &shared) < 0) fail_errno("/shared");
  char owner[16];
  snprintf(owner, sizeof owner, "%u", shared.st_uid);
  setenv("SUDO_UID", owner, 1);

  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  if (sigprocmask(SIG_BLOCK, &ended, NULL) < 0) fail_errno("sigprocmask");
  int signals = signalfd(-1, &ended, SFD_CLOEXEC), port = open_port();
  if (signals < 0) fail_errno("signalfd");
  say(port, "ready\n");

  char line[longest_name];
  size_t length = 0;
  struct pollfd sources[] = {{.fd = port, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
  for (;;) {
    if (poll(sources, 2, -1) < 0 && errno != EINTR) fail_errno("poll");
    if (sources[1].revents) {
      struct signalfd_siginfo information;
      if (read(signals, &information, sizeof information) < 0) fail_errno("signalfd");
      reap(port);
    }
    if (!sources[0].revents) continue;
    if (read(port, line + length, 1) != 1) fail_errno("the host's port");
    if (line[length] != '\n') {
      if (++length == sizeof line) fail("a job's name is too long");
      continue;
    }
    line[length] = 0;
    length = 0;
    start(line);
  }
}
