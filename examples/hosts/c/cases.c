/* The same runs in C: `make run`. What gridalloc.h declares is in docs/abi.md. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gridalloc.h"

enum { JOBS = 2000, SITES = 3 };

static gridalloc *core;

static void check(int32_t status) {
  if (status < GRIDALLOC_STATUS_JOBS_UNSORTED) return;
  fprintf(stderr, "refused with status %" PRId32 "\n", status);
  exit(1);
}

static uint32_t reserve(uint32_t address, double bytes) {
  if (gridalloc_reserve(core, (uint64_t)(address + bytes)) != 0) exit(1);
  return (uint32_t)ceil((address + bytes) / 16) * 16;
}

static void *job_column(uint32_t table, int32_t which) {
  return gridalloc_at(core, gridalloc_job_column_address(core, table, which));
}

static void *column(uint32_t block, int32_t which) {
  return gridalloc_at(core, gridalloc_column_address(core, block, which));
}

static uint32_t state = 1;

static uint32_t draw(uint32_t count) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % count;
}

static void write_jobs(uint32_t table) {
  double *submit = job_column(table, GRIDALLOC_JOB_COLUMN_SUBMIT);
  double *runtime = job_column(table, GRIDALLOC_JOB_COLUMN_RUNTIME);
  double *estimate = job_column(table, GRIDALLOC_JOB_COLUMN_ESTIMATE);
  int32_t *processors = job_column(table, GRIDALLOC_JOB_COLUMN_PROCESSORS);
  int32_t *home = job_column(table, GRIDALLOC_JOB_COLUMN_HOME);
  double time = 0;
  for (int job = 0; job < JOBS; job++) {
    submit[job] = time += draw(200);
    runtime[job] = 1 + draw(3000);
    estimate[job] = runtime[job] * (1 + draw(3));
    processors[job] = 1 << draw(6);
    home[job] = draw(3);
  }
  check(gridalloc_seal_jobs(core, table));
}

static uint64_t hash(uint64_t value, const void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) value = (value * 65537 + ((const uint8_t *)bytes)[i]) % 2147483647;
  return value;
}

typedef struct {
  const char *name;
  struct { int32_t option; double value; } options[5];
} run_case;

#define END {-1, 0}

static const run_case cases[] = {
  {"best-fit", {END}},
  {"ti", {{GRIDALLOC_OPTION_POLICY, GRIDALLOC_POLICY_TI}, {GRIDALLOC_OPTION_PARAMETER0, 0.05}, {GRIDALLOC_OPTION_PARAMETER1, 2}, END}},
  {"ai2", {{GRIDALLOC_OPTION_POLICY, GRIDALLOC_POLICY_AI2}, END}},
  {"easy", {{GRIDALLOC_OPTION_DISCIPLINE, GRIDALLOC_DISCIPLINE_EASY}, {GRIDALLOC_OPTION_SELECTION, GRIDALLOC_SELECTION_GREEDY},
            {GRIDALLOC_OPTION_MULTI_SITE_FACTOR, 1.1}, END}},
  {"load sharing", {{GRIDALLOC_OPTION_TOPOLOGY, GRIDALLOC_TOPOLOGY_PER_HOME}, {GRIDALLOC_OPTION_RECLAIM, 1}, END}},
  {"splits", {{GRIDALLOC_OPTION_TOPOLOGY, GRIDALLOC_TOPOLOGY_PER_HOME}, {GRIDALLOC_OPTION_MULTI_SITE, GRIDALLOC_MULTI_SITE_ADAPTIVE},
              {GRIDALLOC_OPTION_MULTI_SITE_OVERHEAD, 0.1}, END}},
  {"moldable", {{GRIDALLOC_OPTION_MOLDABLE, GRIDALLOC_MOLDABLE_DOWN}, {GRIDALLOC_OPTION_MOLDABLE_THRESHOLD, 1.5},
                {GRIDALLOC_OPTION_SPEEDUP_A, 20}, {GRIDALLOC_OPTION_SPEEDUP_SIGMA, 1.2}, END}},
};

static void write_sites(uint32_t block) {
  static const int32_t capacity[] = {32, 64, 48};
  static const double speed[] = {1, 1.5, 0.7}, load[] = {1.5, 1, 2};
  for (int site = 0; site < SITES; site++) {
    ((int32_t *)column(block, GRIDALLOC_COLUMN_CAPACITY))[site] = capacity[site];
    ((double *)column(block, GRIDALLOC_COLUMN_SPEED))[site] = speed[site];
    ((double *)column(block, GRIDALLOC_COLUMN_LOAD))[site] = load[site];
  }
}

static void run(uint32_t block, uint32_t table, const run_case *each) {
  reserve(block, GRIDALLOC_LIMIT_HEAD_BYTES);
  check(gridalloc_prepare(core, block));
  for (int i = 0; each->options[i].option >= 0; i++) {
    check(gridalloc_set_option(core, block, each->options[i].option, each->options[i].value));
  }
  check(gridalloc_fit_room(core, block, JOBS, SITES, 144));
  double bytes = gridalloc_arrange(core, block);
  uint32_t end = reserve(block, bytes);
  write_sites(block);
  check(gridalloc_begin(core, block, table));
  while (gridalloc_run_until(core, block, table, INFINITY) == GRIDALLOC_STATUS_LOG_FULL) {
    int32_t parts = 2 * (int32_t)gridalloc_room(core, block, GRIDALLOC_ROOM_PARTS);
    end = reserve(end, 8.0 * parts);
    gridalloc_extend_logs(core, block, 0, parts, 0);
  }
  check(gridalloc_measure(core, block, table));
  uint64_t value = hash(1, column(block, GRIDALLOC_COLUMN_START), 8 * JOBS);
  value = hash(value, column(block, GRIDALLOC_COLUMN_EXECUTION), 8 * JOBS);
  value = hash(value, column(block, GRIDALLOC_COLUMN_SITE), 4 * JOBS);
  value = hash(value, column(block, GRIDALLOC_COLUMN_METRIC), 8 * GRIDALLOC_METRIC_COUNT);
  printf("%s %" PRIu64 "\n", each->name, value);
}

int main(void) {
  core = gridalloc_open();
  if (core == NULL || gridalloc_abi_version(core) != GRIDALLOC_ABI_VERSION) return 1;
  uint32_t table = reserve(gridalloc_first_address(core), 0);
  uint32_t block = reserve(table, gridalloc_arrange_jobs(core, 0, JOBS, 0));
  gridalloc_arrange_jobs(core, table, JOBS, 0);
  write_jobs(table);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) run(block, table, &cases[i]);
  gridalloc_close(core);
  return 0;
}
