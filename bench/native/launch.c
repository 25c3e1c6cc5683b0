/*
 * Times starts of programs from a process as small as it can be: a start from Node costs it 1.5 ms, more than what is
 * measured here. launch ROUNDS INPUT -- PROGRAM ARG… -- PROGRAM ARG… prints nanoseconds, one line per start. A turn is
 * four starts in a row, and who follows whom is shuffled: after Node's 40 ms of start the caches are cold for anybody.
 *
 * Every start reads an input of its own: each "@@@@@@@@" in INPUT becomes a number that no other start has. The same call
 * again would be answered from memory.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { turn_starts = 4 };

extern char **environ;

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static char input[65536];
static size_t input_length;

static void read_input(const char *path) {
  int fd = open(path, O_RDONLY);
  ssize_t got = fd < 0 ? -1 : read(fd, input, sizeof input - 1);
  if (got < 0) exit(1);
  input_length = (size_t)got;
  close(fd);
}

/* A file without a name, which takes an input of any size before the program is there to read it. */
static int next_input(void) {
  static unsigned calls = 0;
  static const char mark[] = "@@@@@@@@";
  static char text[sizeof input];
  char number[sizeof mark];
  memcpy(text, input, input_length + 1);
  snprintf(number, sizeof number, "%08u", ++calls % 100000000u);
  for (char *at = strstr(text, mark); at != NULL; at = strstr(at, mark)) memcpy(at, number, sizeof mark - 1);
  int fd = memfd_create("input", MFD_CLOEXEC);
  if (fd < 0 || write(fd, text, input_length) != (ssize_t)input_length || lseek(fd, 0, SEEK_SET) != 0) exit(1);
  return fd;
}

/* Start to end: what it prints goes into a pipe that is read to its end. */
static long long run(char **argv) {
  int ends[2];
  char buffer[4096];
  pid_t child;
  int status = 0;
  int fd = next_input();
  if (pipe(ends) != 0) exit(1);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fd, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  long long started = now();
  if (posix_spawn(&child, argv[0], &actions, NULL, argv, environ) != 0) exit(1);
  close(ends[1]);
  while (read(ends[0], buffer, sizeof buffer) > 0) continue;
  close(ends[0]);
  waitpid(child, &status, 0);
  long long took = now() - started;
  close(fd);
  posix_spawn_file_actions_destroy(&actions);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    fprintf(stderr, "%s did not end with 0\n", argv[0]);
    exit(1);
  }
  return took;
}

/* The same order in every run of the benchmark. */
static unsigned next_random(void) {
  static unsigned state = 2463534242u;
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

int main(int argc, char **argv) {
  char **programs[16];
  int count = 0;
  if (argc > 2) read_input(argv[2]);
  for (int at = 3; at < argc; at++) {
    if (strcmp(argv[at], "--") != 0) continue;
    argv[at] = NULL;
    if (count < 16) programs[count++] = &argv[at + 1];
  }
  int rounds = argc > 3 ? atoi(argv[1]) : 0;
  for (int round = -3; round < rounds; round++) {
    long long took[turn_starts][16];
    int order[16];
    for (int at = 0; at < count; at++) {
      int other = (int)(next_random() % (unsigned)(at + 1));
      order[at] = order[other];
      order[other] = at;
    }
    for (int turn = 0; turn < count; turn++)
      for (int start = 0; start < turn_starts; start++)
        took[start][order[turn]] = run(programs[order[turn]]);
    for (int start = 0; start < turn_starts && round >= 0; start++)
      for (int which = 0; which < count; which++)
        printf("%lld%c", took[start][which], which == count - 1 ? '\n' : ' ');
  }
  return 0;
}
