/*
 * Times starts of programs from a process as small as it can be: a start from Node costs it 1.5 ms, more than what is
 * measured here. launch ROUNDS INPUT -- PROGRAM ARG… -- PROGRAM ARG… prints nanoseconds, one line per start. A turn is
 * four starts in a row, and who follows whom is shuffled: after Node's 40 ms of start the caches are cold for anybody.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* Start to end: the input from a file, what it prints into a pipe that is read to its end. */
static long long run(char **argv, const char *input) {
  int ends[2];
  char buffer[4096];
  pid_t child;
  int status = 0;
  if (pipe(ends) != 0) exit(1);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0);
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
        took[start][order[turn]] = run(programs[order[turn]], argv[2]);
    for (int start = 0; start < turn_starts && round >= 0; start++)
      for (int which = 0; which < count; which++)
        printf("%lld%c", took[start][which], which == count - 1 ? '\n' : ' ');
  }
  return 0;
}
