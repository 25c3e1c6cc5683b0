/*
 * swarm-hook: what a coding agent starts for every hook call. It hands its stdin to the daemon's socket and prints the
 * daemon's answer. POSIX, no dependencies, one file; `swarm install` compiles it, or takes the program that a package
 * has for this machine. An agent pays for it on every tool call: 0.3 to 0.5 ms of process start, where Node's own start is
 * 30 to 50.
 *
 *   swarm-hook AGENT [--guard] [--timeout-ms N]
 *
 * Copilot CLI and Cursor read Claude Code's settings too, and drop the arguments of the hooks there: started with none,
 * it is a guard for an agent whose input tells who it is (`arguments`).
 *
 * Consent is an answer that is whole and well formed; nothing else is. Whatever goes wrong, an entry with --guard denies
 * (exit 2, a reason on stderr; for some agents JSON, `refusals`) and any other one stays silent (exit 0): agents
 * take every other ending for consent.
 *
 * The environment is the agent's, and a project's files can set it. Of it only the variables that tell agents apart are
 * read, and nothing of it reaches the process that evaluates hooks where there is no daemon: that one gets what
 * `swarm install` has recorded (`environment`).
 *
 * Request:  "swarm-hook/2 AGENT GUARD TIMEOUT_MS SENT_AT_MS ENV_BYTES INPUT_BYTES\n", variables each ending in NUL, the
 *           input.
 * Answer:   "working\n" at any time while the daemon works; then "EXIT STDOUT_BYTES STDERR_BYTES\n", stdout, stderr.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What `swarm install` knows: texts that end in NUL each, a list as its length and its items (client-settings.ts writes
 * them). Compiled in; or put into the file of a program that was compiled elsewhere, behind the line they begin with. */
#ifndef SWARM_SETTINGS
#define SWARM_SETTINGS ""
#endif
#ifndef SWARM_SETTINGS_ROOM
#define SWARM_SETTINGS_ROOM
#endif
#define BEGINNING "swarm-hook settings 1\n"
static const char settings[SWARM_SETTINGS_ROOM] = BEGINNING SWARM_SETTINGS;

enum { max_input = 1024 * 1024, max_answer = 4 * 1024 * 1024, max_env = 64 * 1024, max_header = 256 };

/* How long nothing may come from the daemon before its process is looked at. A daemon at work says so every 0.5 s. */
enum { silent_s = 2 };
/* How often it is waited for that long where its process cannot be seen. A queue of 3,000 calls took 2.6 s. */
enum { max_unseen_waits = 5 };

/* How an agent is refused that needs more than a reason on stderr: the text around the reason, which may be in it twice.
 * With exit code 0 it goes to stdout. An event of "" is any. */
struct refusal {
  const char *agent, *event;
  int exit_code;
  const char *texts[3];
};
enum { max_items = 63 };
static struct refusal refusals[max_items + 1];
static const char *socket_path = "", *node = "", *cli = "";
static char *variable_names[max_items + 1], *arguments[max_items + 1], *environment[max_items + 1];
static size_t argument_count = 0;

static const char *next_setting = NULL;

/* NULL behind the last one. */
static const char *take_text(void) {
  const char *text = next_setting;
  const char *end = text == NULL ? NULL : memchr(text, 0, (size_t)(settings + sizeof settings - text));
  next_setting = end == NULL ? NULL : end + 1;
  return end == NULL ? NULL : text;
}

/* -1 where there is none, or one that is too long. */
static long take_number(long limit) {
  const char *text = take_text();
  char *end = NULL;
  long number = text == NULL ? -1 : strtol(text, &end, 10);
  return end == NULL || end == text || *end != 0 || number > limit ? -1 : number;
}

static long take_list(char **into) {
  long count = take_number(max_items);
  for (long at = 0; at < count; at++)
    if ((into[at] = (char *)take_text()) == NULL) return -1;
  return count;
}

static int take_refusal(struct refusal *into) {
  into->agent = take_text();
  into->event = take_text();
  into->exit_code = (int)take_number(255);
  long texts = take_number(3);
  for (long at = 0; at < texts; at++)
    if ((into->texts[at] = take_text()) == NULL) return -1;
  return into->exit_code < 0 || texts < 1 ? -1 : 0;
}

/* -1 when they are not whole, or were never put in. */
static int read_settings(void) {
  const char *from = settings;
  __asm__("" : "+r"(from)); /* or the compiler would take what it sees for what will be there */
  next_setting = from + sizeof BEGINNING - 1;
  socket_path = take_text();
  node = take_text();
  cli = take_text();
  if (socket_path == NULL || node == NULL || cli == NULL || *node == 0) return -1;
  if (take_list(variable_names) < 0) return -1;
  long count = take_list(arguments + 1);
  if (count < 0 || count == max_items || take_list(environment) < 0) return -1;
  arguments[0] = "swarm-hook";
  argument_count = (size_t)count + 1;
  long known = take_number(max_items);
  for (long at = 0; at < known; at++)
    if (take_refusal(&refusals[at]) != 0) return -1;
  return known < 0 ? -1 : 0;
}

static int is_guard = 0;
static const struct refusal *refusal = NULL;
static pid_t evaluator = 0;

static int write_all(int fd, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t written = write(fd, bytes, length);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) { /* an agent's pipe that does not block; the deadline bounds the wait */
      struct pollfd ready = {.fd = fd, .events = POLLOUT};
      if (poll(&ready, 1, -1) < 0 && errno != EINTR) return -1;
      continue;
    }
    if (written <= 0) return -1;
    bytes += written;
    length -= (size_t)written;
  }
  return 0;
}

static int print_text(int fd, const char *text) { return write_all(fd, text, strlen(text)); }

/* The reason between any two of the texts. */
static int print_refusal(int fd, const char *const texts[3], const char *why) {
  static const char said[] = "swarm: denied, because this call could not be judged: ";
  if (print_text(fd, texts[0]) != 0) return -1;
  for (int at = 1; at < 3 && texts[at] != NULL; at++)
    if (print_text(fd, said) != 0 || print_text(fd, why) != 0 || print_text(fd, texts[at]) != 0) return -1;
  return 0;
}

/* Where stdout has been written to already, or cannot be. */
static void fail_by_exit(const char *why) {
  static const char *const plain[3] = {"", "\n", NULL};
  if (!is_guard) _exit(0);
  print_refusal(2, refusal != NULL && refusal->exit_code == 2 ? refusal->texts : plain, why);
  _exit(2);
}

/* Only what is safe in a signal handler: write, poll and _exit. */
static void fail(const char *why) {
  int has_json = is_guard && refusal != NULL && refusal->exit_code == 0;
  if (has_json && print_refusal(1, refusal->texts, why) == 0) _exit(0);
  fail_by_exit(why);
}

static void on_signal(int number) {
  if (evaluator > 0) kill(evaluator, SIGKILL);
  fail(number == SIGALRM ? "no answer came before the agent's own deadline" : "its hook was ended by a signal");
}

/* Each of them would end this process by default, and for an agent that is consent. Limits are inherited, and so are
 * ignored and blocked signals: with SIGCHLD ignored no child can be waited for, with SIGALRM blocked no deadline comes. */
static void take_signals(void) {
  static const int numbers[] = {SIGALRM, SIGTERM, SIGINT,  SIGHUP,  SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU,
                                SIGXFSZ, SIGABRT, SIGSEGV, SIGBUS, SIGFPE,  SIGILL,  SIGVTALRM, SIGPROF};
  struct sigaction act = {.sa_handler = on_signal};
  for (size_t at = 0; at < sizeof numbers / sizeof *numbers; at++) sigaction(numbers[at], &act, NULL);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGCHLD, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/* A standard stream that is closed would be the next file that is opened. Opened the wrong way round: a write that
 * succeeded would be a denial that was lost. */
static void open_streams(void) {
  for (int fd = 0; fd < 3; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
      fail_by_exit("it was started without stdin, stdout or stderr");
}

/* Reads to the end; -1 on an error, limit + 1 when there is more than that. */
static ssize_t read_all(int fd, char *into, size_t limit) {
  size_t length = 0;
  for (;;) {
    ssize_t got = read(fd, into + length, limit + 1 - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) {
      struct pollfd ready = {.fd = fd, .events = POLLIN};
      if (poll(&ready, 1, -1) < 0 && errno != EINTR) return -1;
      continue;
    }
    if (got < 0) return -1;
    length += (size_t)got;
    if (got == 0 || length > limit) return (ssize_t)length;
  }
}

/* The variables by which agents can be told apart. Others of theirs hold tokens, and stay where they are. */
static size_t collect_env(char *into) {
  size_t length = 0;
  for (char **name = variable_names; *name != NULL; name++) {
    const char *value = getenv(*name);
    if (value == NULL || length + strlen(*name) + strlen(value) + 2 > max_env) continue;
    length += (size_t)sprintf(into + length, "%s=%s", *name, value) + 1;
  }
  return length;
}

static int connect_daemon(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  errno = 0;
  if (strlen(socket_path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, socket_path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0) return -1;
  struct timeval limit = {.tv_sec = silent_s};
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  for (int waits = 0; waits < max_unseen_waits; waits++) {
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
    if (errno != EAGAIN && errno != EINTR) break; /* EAGAIN: its queue has been full all the time */
  }
  close(fd);
  return -1;
}

struct watch {
  int waits;
  unsigned long long ticks;
};

/*
 * Whether the daemon has to be given up, after another wait in which nothing came. Stopped or dead, at once. One that
 * sleeps has to sleep through two waits: then it is stuck. One that computes, or would if it had a processor, has a long
 * queue: if its callers evaluated for themselves, a busy machine would start a thousand Nodes.
 */
static int is_given_up(int fd, struct watch *watch) {
  watch->waits++;
#ifdef SO_PEERCRED
  struct ucred peer = {0};
  socklen_t size = sizeof peer;
  char name[64], text[1024];
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.pid > 0) {
    snprintf(name, sizeof name, "/proc/%d/stat", (int)peer.pid);
    int stat = open(name, O_RDONLY | O_CLOEXEC);
    if (stat < 0) return errno == ENOENT || watch->waits >= max_unseen_waits;
    ssize_t length = read(stat, text, sizeof text - 1);
    close(stat);
    text[length > 0 ? length : 0] = 0;
    char *end = strrchr(text, ')'), state = 0; /* a process may be called anything */
    unsigned long long user = 0, system = 0;
    const char *fields = " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu";
    if (end != NULL && sscanf(end + 1, fields, &state, &user, &system) == 3) {
      int is_asleep = watch->waits > 1 && watch->ticks == user + system;
      watch->ticks = user + system;
      return strchr("TtZXx", state) != NULL || (state != 'R' && is_asleep);
    }
  }
#endif
  return watch->waits >= max_unseen_waits;
}

struct frame {
  int exit_code;
  size_t body, out, err;
};

/* 1: an answer's header, 0: more has to come, -1: neither. Lines that say "working" are taken away. */
static int read_header(char *answer, size_t *length, struct frame *frame) {
  static const char working[] = "working\n";
  const size_t size = sizeof working - 1;
  while (*length >= size && memcmp(answer, working, size) == 0)
    memmove(answer, answer + size, *length -= size);
  char *end = memchr(answer, '\n', *length < 64 ? *length : 64);
  if (end == NULL) return *length < 64 ? 0 : -1;
  int header_end = 0;
  *end = 0;
  if (answer[0] < '0' || answer[0] > '9') return -1;
  if (sscanf(answer, "%d %zu %zu%n", &frame->exit_code, &frame->out, &frame->err, &header_end) != 3) return -1;
  frame->body = (size_t)(end - answer) + 1;
  return answer + header_end == end && frame->out <= max_answer && frame->err <= max_answer &&
                 frame->body + frame->out + frame->err <= max_answer
             ? 1
             : -1;
}

enum ending { answered, unread, given_up };

static enum ending send_request(int fd, const char *bytes, size_t length, struct watch *watch) {
  while (length > 0) {
    ssize_t written = write(fd, bytes, length);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {
      if (is_given_up(fd, watch)) return given_up;
      continue;
    }
    if (written <= 0) return unread;
    bytes += written;
    length -= (size_t)written;
  }
  return answered;
}

/* Reads until the lengths in the header are met: waiting for the daemon to close costs another 0.1 ms. */
static enum ending read_answer(int fd, char *answer, struct frame *frame, struct watch *watch) {
  size_t length = 0, total = 0;
  int is_begun = 0;
  for (;;) {
    if (total == 0) {
      int found = read_header(answer, &length, frame);
      if (found < 0) fail("the answer cannot be read");
      if (found > 0) total = frame->body + frame->out + frame->err;
    }
    if (total > 0 && length > total) fail("the answer is longer than it says");
    if (total > 0 && length == total) return answered;
    ssize_t got = read(fd, answer + length, max_answer - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN && watch != NULL) {
      if (is_given_up(fd, watch)) return given_up;
      continue;
    }
    /* A daemon that has not begun: it has just been killed, or it is an older one that does not know this request. */
    if ((got == 0 || (got < 0 && errno == ECONNRESET)) && !is_begun && watch != NULL) return unread;
    if (got < 0) fail("the answer cannot be read");
    if (got == 0) fail("the answer is cut off");
    if (watch != NULL) watch->waits = 0;
    is_begun = 1;
    length += (size_t)got;
  }
}

static int print(const char *answer, const struct frame *frame) {
  if (frame->exit_code != 0 && frame->exit_code != 2) fail("the answer is neither yes nor no");
  if (write_all(1, answer + frame->body, frame->out) != 0) fail_by_exit("its answer cannot be printed");
  write_all(2, answer + frame->body + frame->out, frame->err); /* the exit code says it as well */
  return frame->exit_code;
}

/* What the evaluator is started with: nothing of it is the agent's but what tells agents apart. */
static void clean_environment(char *variables, size_t length) {
  size_t at = 0;
  while (environment[at] != NULL) at++;
  for (char **own = environ; *own != NULL && at < max_items; own++)
    if (strncmp(*own, "SWARM_RUN=", 10) == 0) environment[at++] = *own; /* what ends a run has to find this process */
  for (char *next = variables; next < variables + length && at < max_items; next += strlen(next) + 1)
    environment[at++] = next;
}

/* No daemon: the same configuration is evaluated by a process of its own, some fifty times slower. */
static int evaluate(char *agent, int has_daemon, char *variables, size_t env_length, const char *input, size_t length,
                    char *answer) {
  static const char why[] = "there is no daemon that answers, and the hooks could not be evaluated without it";
  char timeout[32];
  char *args[] = {(char *)node, (char *)cli, "hook", agent, "--framed", NULL, NULL, NULL, NULL, NULL};
  size_t at = 5;
  if (has_daemon) args[at++] = "--no-daemon"; /* there is one, and it has been given up */
  if (is_guard) args[at++] = "--guard";
  struct itimerval left;
  if (getitimer(ITIMER_REAL, &left) == 0 && (left.it_value.tv_sec > 0 || left.it_value.tv_usec > 0)) {
    snprintf(timeout, sizeof timeout, "%ld", (long)left.it_value.tv_sec * 1000 + (long)left.it_value.tv_usec / 1000 + 1);
    args[at++] = "--timeout-ms";
    args[at++] = timeout;
  }
  clean_environment(variables, env_length);
  int in[2], out[2];
  if (pipe(in) != 0 || pipe(out) != 0) fail(why);
  evaluator = fork();
  if (evaluator < 0) fail(why);
  if (evaluator == 0) {
    signal(SIGPIPE, SIG_DFL);
    if (dup2(in[0], 0) < 0 || dup2(out[1], 1) < 0) _exit(127);
    for (size_t end = 0; end < 2; end++) close(in[end]), close(out[end]);
    execve(args[0], args, environment);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  int wrote = write_all(in[1], input, length);
  close(in[1]);
  struct frame frame = {0};
  enum ending ending = read_answer(out[0], answer, &frame, NULL);
  char more;
  ssize_t rest;
  do rest = read(out[0], &more, 1);
  while (rest < 0 && errno == EINTR);
  int status = 0;
  while (waitpid(evaluator, &status, 0) < 0)
    if (errno != EINTR) fail(why);
  evaluator = 0;
  if (wrote != 0 || ending != answered || rest != 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) fail(why);
  return print(answer, &frame);
}

int main(int argc, char **argv) {
  long timeout_ms = 0;
  int is_whole = read_settings() == 0;
  /* It was compiled for this machine, and knows whom to ask. */
  if (argc == 2 && strcmp(argv[1], "--self-test") == 0) return is_whole ? 0 : 1;
  /* First of all: a mistake further on must find it set. */
  is_guard = argc < 2;
  if (argc < 2 && is_whole) {
    argv = arguments;
    argc = (int)argument_count;
    is_guard = 0;
  }
  for (int at = 1; at < argc; at++) is_guard |= strcmp(argv[at], "--guard") == 0;
  take_signals();
  open_streams();
  if (!is_whole) fail("this program has no settings: run swarm install");
  const char *event = getenv("SWARM_NATIVE_EVENT");
  for (const struct refusal *known = refusals; known->agent != NULL; known++)
    if (strcmp(known->agent, argv[1]) == 0 && (*known->event == 0 || (event != NULL && strcmp(known->event, event) == 0)))
      refusal = known;
  for (int at = 2; at < argc; at++) {
    if (strcmp(argv[at], "--timeout-ms") == 0 && at + 1 < argc) timeout_ms = strtol(argv[++at], NULL, 10);
    else if (strcmp(argv[at], "--guard") != 0) fail("an argument is not known");
  }
  if (timeout_ms > 0) {
    struct itimerval timer = {.it_value = {timeout_ms / 1000, (timeout_ms % 1000) * 1000}};
    setitimer(ITIMER_REAL, &timer, NULL);
  }

  /* Before anything is read: the daemon takes the call while we do. */
  int fd = connect_daemon(), has_daemon = fd >= 0 || errno == EAGAIN;
  char *request = malloc(max_header + max_env + max_input + 1), *answer = malloc(max_answer);
  if (request == NULL || answer == NULL) fail("there is no memory");
  char *variables = request + max_header;
  size_t env_length = collect_env(variables);
  char *input = variables + env_length;
  ssize_t length = read_all(0, input, max_input);
  if (length < 0) fail("its input cannot be read");
  if (length > max_input) fail("its input is over 1 MiB");

  if (fd >= 0) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    char header[max_header];
    int header_length = snprintf(header, sizeof header, "swarm-hook/2 %.64s %d %ld %lld %zu %zd\n", argv[1], is_guard,
                                 timeout_ms, (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000, env_length, length);
    /* Just before the variables, so that all of it is one write and wakes the daemon once. */
    char *start = memcpy(variables - header_length, header, (size_t)header_length);
    struct watch watch = {0};
    struct frame frame = {0};
    enum ending ending = send_request(fd, start, (size_t)header_length + env_length + (size_t)length, &watch);
    if (ending == answered) ending = read_answer(fd, answer, &frame, &watch);
    if (ending == answered) return print(answer, &frame);
    close(fd);
    has_daemon = ending == given_up;
  }
  return evaluate(argv[1], has_daemon, variables, env_length, input, (size_t)length, answer);
}
