/* What the native library promises its host: `library <what>`; 0 where it holds. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "gridalloc.h"

#define FAIL(...) (fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), exit(1))

static gridalloc *opened(void) {
  gridalloc *core = gridalloc_open();
  if (core == NULL) FAIL("open gives NULL");
  if (gridalloc_abi_version(core) != GRIDALLOC_ABI_VERSION) FAIL("another version");
  return core;
}

static void *open_often(void *unused) {
  (void)unused;
  for (int i = 0; i < 200; i++) {
    gridalloc *core = opened();
    uint32_t table = gridalloc_first_address(core);
    if (gridalloc_reserve(core, table + (1 << 16)) != 0) FAIL("no 64 KiB");
    memset(gridalloc_at(core, table), i, 1 << 16);
    gridalloc_close(core);
  }
  return NULL;
}

/* 16 threads open, use and close cores at the same time. */
static void threads(void) {
  pthread_t threads[16];
  for (int i = 0; i < 16; i++) pthread_create(&threads[i], NULL, open_often, NULL);
  for (int i = 0; i < 16; i++) pthread_join(threads[i], NULL);
}

static long pages_of_addresses(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld", &pages) != 1) FAIL("no /proc/self/statm");
  fclose(file);
  return pages;
}

/* Addresses are released, so that a core can be opened any number of times. */
static void often(void) {
  gridalloc_close(opened());
  long before = pages_of_addresses();
  for (int i = 0; i < 100000; i++) {
    gridalloc *core = opened();
    if (i % 100 == 0 && gridalloc_reserve(core, 1 << 24) != 0) FAIL("no 16 MiB");
    gridalloc_close(core);
  }
  long more = pages_of_addresses() - before;
  if (more > 256) FAIL("%ld pages of addresses more after 100,000 cores", more);
}

/* Whoever has no addresses left is told so, and goes on. */
static void limited(void) {
  struct rlimit all, some;
  getrlimit(RLIMIT_AS, &all);
  gridalloc *core = opened();
  for (rlim_t limit = 1; limit < 8; limit++) {
    some = all;
    some.rlim_cur = limit << 30;
    setrlimit(RLIMIT_AS, &some);
    if (gridalloc_open() != NULL) FAIL("a core within %d GiB of addresses", (int)limit);
  }
  if (gridalloc_abi_version(core) != GRIDALLOC_ABI_VERSION) FAIL("the core that there was is gone");
  setrlimit(RLIMIT_AS, &all);
  gridalloc_close(opened());
  gridalloc_close(core);
}

/* Memory reaches up to any address that it can have, and no end wraps. */
static void reserve(void) {
  const uint64_t most = (1ull << 32) - 65536;
  const uint64_t beyond[] = {most + 1, (1ull << 32) - 1, 1ull << 32, (1ull << 32) + 1, 1ull << 33, 1ull << 48, UINT64_MAX - 65535, UINT64_MAX};
  gridalloc *core = opened();
  for (int round = 0; round < 2; round++) {
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
      if (gridalloc_reserve(core, beyond[i]) != -1) FAIL("an end at %llx is taken", (unsigned long long)beyond[i]);
      if (gridalloc_abi_version(core) != GRIDALLOC_ABI_VERSION) FAIL("the core is gone");
    }
    if (gridalloc_reserve(core, most) != 0) FAIL("no memory up to the last page but one");
    ((char *)gridalloc_at(core, 0))[most - 1] = 1;
  }
  gridalloc_close(core);
}

/* What happens at each signal is the host's affair. */
static void signals(void) {
  struct sigaction before[65], after;
  stack_t stack, stack_after;
  for (int i = 1; i < 65; i++) sigaction(i, NULL, &before[i]);
  sigaltstack(NULL, &stack);
  gridalloc *core = opened();
  for (int i = 1; i < 65; i++) {
    if (sigaction(i, NULL, &after) != 0) continue;
    if (after.sa_handler != before[i].sa_handler || after.sa_flags != before[i].sa_flags) FAIL("signal %d is handled", i);
  }
  sigaltstack(NULL, &stack_after);
  if (stack.ss_sp != stack_after.ss_sp) FAIL("the stack of signals is another");
  gridalloc_close(core);
  gridalloc_close(NULL);
}

int main(int count, char **words) {
  const struct {
    const char *name;
    void (*check)(void);
  } all[] = {{"threads", threads}, {"often", often}, {"limited", limited}, {"reserve", reserve}, {"signals", signals}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (count == 2 && strcmp(words[1], all[i].name) == 0) return all[i].check(), 0;
  }
  return 2;
}
