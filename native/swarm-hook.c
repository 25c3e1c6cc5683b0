/*
 * swarm-hook: what a coding agent starts for every hook call. It hands its stdin to the daemon's socket and prints the
 * daemon's answer. POSIX, no dependencies, one file; `swarm install` compiles it. An agent pays for it on every tool
 * call: 0.3 to 0.5 ms of process start, where Node's own start is 30 to 50.
 *
 *   swarm-hook AGENT [--guard] [--timeout-ms N]
 *
 * Copilot CLI and Cursor read Claude Code's settings too, and drop the arguments of the hooks there: started with none,
 * it is a guard for an agent whose input tells who it is (SWARM_ARGUMENTS).
 *
 * Whatever goes wrong, an entry with --guard denies (exit 2, a reason on stderr) and any other one stays silent
 * (exit 0): agents take every other ending for consent.
 *
 * Request:  "swarm-hook/1 AGENT GUARD TIMEOUT_MS ENV_BYTES INPUT_BYTES\n", variables each ending in NUL, the input.
 * Answer:   "EXIT STDOUT_BYTES STDERR_BYTES\n", stdout, stderr.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SWARM_SOCKET
#error "compile with -DSWARM_HOME, -DSWARM_SOCKET, -DSWARM_NODE, -DSWARM_CLI, -DSWARM_VARIABLES and -DSWARM_ARGUMENTS"
#endif

enum { max_input = 1024 * 1024, max_answer = 4 * 1024 * 1024, max_env = 64 * 1024, max_header = 256 };

static int is_guard = 0;
static pid_t evaluator = 0;

/* Only what is safe in a signal handler: write and _exit. */
static void fail(const char *why) {
  if (!is_guard) _exit(0);
  const char before[] = "swarm: denied, because this call could not be judged: ";
  if (write(2, before, sizeof before - 1) < 0 || write(2, why, strlen(why)) < 0 || write(2, "\n", 1) < 0) _exit(2);
  _exit(2);
}

static void on_deadline(int signal_number) {
  (void)signal_number;
  if (evaluator > 0) kill(evaluator, SIGKILL);
  fail("no answer came before the agent's own deadline");
}

static int write_all(int fd, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t written = write(fd, bytes, length);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return -1;
    bytes += written;
    length -= (size_t)written;
  }
  return 0;
}

/* Reads to the end; -1 on an error, limit + 1 when there is more than that. */
static ssize_t read_all(int fd, char *into, size_t limit) {
  size_t length = 0;
  for (;;) {
    ssize_t got = read(fd, into + length, limit + 1 - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    length += (size_t)got;
    if (got == 0 || length > limit) return (ssize_t)length;
  }
}

/* The variables by which agents can be told apart. Others of theirs hold tokens, and stay where they are. */
static size_t collect_env(char *into) {
  static const char *const names[] = {SWARM_VARIABLES};
  size_t length = 0;
  for (size_t at = 0; at < sizeof names / sizeof *names; at++) {
    const char *value = getenv(names[at]);
    if (value == NULL || length + strlen(names[at]) + strlen(value) + 2 > max_env) continue;
    length += (size_t)sprintf(into + length, "%s=%s", names[at], value) + 1;
  }
  return length;
}

static int connect_daemon(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (sizeof SWARM_SOCKET > sizeof address.sun_path) return -1;
  memcpy(address.sun_path, SWARM_SOCKET, sizeof SWARM_SOCKET);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0) return -1;
  if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
  close(fd);
  return -1;
}

/* No daemon: the same configuration is evaluated by a process of its own, some fifty times slower. */
static int evaluate(int argc, char **argv, const char *input, size_t length) {
  char *args[16] = {SWARM_NODE, SWARM_CLI, "hook"};
  for (int at = 1; at < argc && at < 12; at++) args[at + 2] = argv[at];
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return -1;
  evaluator = fork();
  if (evaluator < 0) return -1;
  if (evaluator == 0) {
    signal(SIGPIPE, SIG_DFL);
    if (setenv("SWARM_HOME", SWARM_HOME, 1) != 0) _exit(127);
    if (dup2(pipe_ends[0], 0) < 0) _exit(127);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    execv(args[0], args);
    _exit(127);
  }
  close(pipe_ends[0]);
  int wrote = write_all(pipe_ends[1], input, length);
  close(pipe_ends[1]);
  int status = 0;
  while (waitpid(evaluator, &status, 0) < 0)
    if (errno != EINTR) return -1;
  evaluator = 0;
  if (wrote != 0 || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

/* Reads until the lengths in the answer's header are met: waiting for the daemon to close costs another 0.1 ms. */
static void read_answer(int fd, char *answer, int *exit_code, size_t *body, size_t *out, size_t *err) {
  size_t length = 0;
  for (;;) {
    char *end = memchr(answer, '\n', length < 64 ? length : 64);
    if (end != NULL && *body == 0) {
      int header_end = 0;
      *end = 0;
      if (sscanf(answer, "%d %zu %zu%n", exit_code, out, err, &header_end) != 3 || answer + header_end != end)
        fail("the daemon's answer is cut off");
      *body = (size_t)(end - answer) + 1;
      if (*out > max_answer || *err > max_answer || *body + *out + *err > max_answer)
        fail("the daemon's answer cannot be read");
    }
    if (*body > 0 && length == *body + *out + *err) return;
    if (*body > 0 && length > *body + *out + *err) fail("the daemon's answer is cut off");
    if (*body == 0 && length >= 64) fail("the daemon's answer is cut off");
    ssize_t got = read(fd, answer + length, max_answer - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("the daemon's answer cannot be read");
    if (got == 0) fail("the daemon's answer is cut off");
    length += (size_t)got;
  }
}

int main(int argc, char **argv) {
  long timeout_ms = 0;
  if (argc == 2 && strcmp(argv[1], "--self-test") == 0) return 0; /* it was compiled for this machine */
  static char *by_default[] = {"swarm-hook", SWARM_ARGUMENTS};
  if (argc < 2) {
    argv = by_default;
    argc = sizeof by_default / sizeof *by_default;
  }
  /* First of all: a mistake further on must find it set. */
  for (int at = 1; at < argc; at++) is_guard |= strcmp(argv[at], "--guard") == 0;
  for (int at = 2; at < argc; at++) {
    if (strcmp(argv[at], "--timeout-ms") == 0 && at + 1 < argc) timeout_ms = strtol(argv[++at], NULL, 10);
    else if (strcmp(argv[at], "--guard") != 0) fail("an argument is not known");
  }
  signal(SIGPIPE, SIG_IGN);
  if (timeout_ms > 0) {
    signal(SIGALRM, on_deadline);
    struct itimerval timer = {.it_value = {timeout_ms / 1000, (timeout_ms % 1000) * 1000}};
    setitimer(ITIMER_REAL, &timer, NULL);
  }

  /* Before anything is read: the daemon takes the call while we do. */
  int fd = connect_daemon();
  char *request = malloc(max_header + max_env + max_input + 1), *answer = malloc(max_answer);
  if (request == NULL || answer == NULL) fail("there is no memory");
  size_t env_length = collect_env(request + max_header);
  char *input = request + max_header + env_length;
  ssize_t length = read_all(0, input, max_input);
  if (length < 0) fail("its input cannot be read");
  if (length > max_input) fail("its input is over 1 MiB");

  if (fd < 0) {
    int ended = evaluate(argc, argv, input, (size_t)length);
    if (ended == 0 || ended == 2) return ended;
    fail("the daemon is down and the hooks could not be evaluated without it");
  }
  char header[max_header];
  int header_length = snprintf(header, sizeof header, "swarm-hook/1 %.64s %d %ld %zu %zd\n", argv[1], is_guard, timeout_ms,
                               env_length, length);
  /* Just before the variables, so that all of it is one write and wakes the daemon once. */
  char *start = memcpy(request + max_header - header_length, header, (size_t)header_length);
  if (write_all(fd, start, (size_t)header_length + env_length + (size_t)length) != 0) fail("the daemon stopped listening");
  int exit_code = -1;
  size_t body = 0, out = 0, err = 0;
  read_answer(fd, answer, &exit_code, &body, &out, &err);
  if (write_all(1, answer + body, out) != 0) fail("its answer cannot be printed");
  if (write_all(2, answer + body + out, err) != 0 && exit_code == 2) fail("its reason cannot be printed");
  return exit_code;
}
