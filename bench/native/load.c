/*
 * Times calls over unix sockets, many at once and each on a connection of its own, as hooks make them.
 * load ROUNDS CALLS CONNECTIONS -- SOCKET REQUEST -- SOCKET REQUEST prints nanoseconds per call, one line per round.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { max_connections = 256, max_request = 65536 };

static char request[max_request];
static size_t request_length;

static void stop(const char *why) {
  fprintf(stderr, "load: %s: %s\n", why, strerror(errno));
  exit(1);
}

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* Connects and asks at once: what does not fit into the socket's buffer would be a request larger than any hook's. */
static int ask(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0) stop("connect");
  if (write(fd, request, request_length) != (ssize_t)request_length) stop("write");
  return fd;
}

static long long round_of(const char *path, int calls, int connections) {
  struct pollfd open[max_connections];
  size_t answered[max_connections] = {0};
  char answer[8192];
  int asked = 0, done = 0;
  long long started = now();
  for (; asked < connections && asked < calls; asked++) open[asked] = (struct pollfd){ask(path), POLLIN, 0};
  while (done < calls) {
    if (poll(open, (nfds_t)connections, -1) < 0) stop("poll");
    for (int at = 0; at < connections; at++) {
      if (open[at].fd < 0 || open[at].revents == 0) continue;
      ssize_t got = read(open[at].fd, answer, sizeof answer);
      if (got < 0) stop("read");
      answered[at] += (size_t)got;
      if (got > 0) continue;
      if (answered[at] == 0) stop("a call without an answer");
      close(open[at].fd);
      answered[at] = 0;
      done++;
      open[at].fd = asked < calls ? ask(path) : -1;
      asked++;
    }
  }
  return (now() - started) / calls;
}

int main(int argc, char **argv) {
  if (argc < 7) stop("usage: load ROUNDS CALLS CONNECTIONS -- SOCKET REQUEST ...");
  int rounds = atoi(argv[1]), calls = atoi(argv[2]), connections = atoi(argv[3]), count = (argc - 4) / 3;
  for (int round = -3; round < rounds; round++) {
    long long took[16];
    for (int turn = 0; turn < count && turn < 16; turn++) {
      int which = round % 2 ? turn : count - 1 - turn;
      int file = open(argv[4 + which * 3 + 2], O_RDONLY);
      ssize_t length = read(file, request, sizeof request);
      if (length <= 0) stop("request");
      request_length = (size_t)length;
      close(file);
      took[which] = round_of(argv[4 + which * 3 + 1], calls, connections);
    }
    for (int which = 0; which < count && round >= 0; which++)
      printf("%lld%c", took[which], which == count - 1 ? '\n' : ' ');
  }
  return 0;
}
