/* A live queue in C: a machine reports submissions and ends, and the core says what starts. `make live` */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gridalloc.h"

enum { CAPACITY = 100 };

/* A job that is submitted, with processors and estimate in seconds, or that ends: its number. */
typedef struct { double time; int32_t processors; double estimate; int32_t ended; } report;

static const report reports[] = {
  {0, 3, 3600, -1}, {5, 4, 600, -1}, {6, 1, 300, -1}, {90, 0, 0, 0}, {200, 0, 0, 2}, {300, 2, 100, -1}, {690, 0, 0, 1}, {720, 0, 0, 3},
};

static gridalloc *core;
static uint32_t table, block;

static void check(int32_t status) {
  if (status < GRIDALLOC_STATUS_JOBS_UNSORTED) return;
  fprintf(stderr, "refused with status %" PRId32 "\n", status);
  exit(1);
}

static uint32_t reserve(uint32_t address, double bytes) {
  if (gridalloc_reserve(core, (uint64_t)(address + bytes)) != 0) exit(1);
  return (uint32_t)ceil((address + bytes) / 16) * 16;
}

static void *job_column(int32_t which) { return gridalloc_at(core, gridalloc_job_column_address(core, table, which)); }

static void *column(int32_t which) { return gridalloc_at(core, gridalloc_column_address(core, block, which)); }

/* Begins a run on a site of four processors with EASY backfilling, whose jobs are not known yet. */
static void begin(void) {
  table = reserve(gridalloc_first_address(core), 0);
  block = reserve(table, gridalloc_arrange_jobs(core, 0, CAPACITY, 0));
  gridalloc_arrange_jobs(core, table, CAPACITY, 0);
  check(gridalloc_append_jobs(core, table, 0));
  reserve(block, GRIDALLOC_LIMIT_HEAD_BYTES);
  check(gridalloc_prepare(core, block));
  check(gridalloc_set_option(core, block, GRIDALLOC_OPTION_OPEN, 1));
  check(gridalloc_set_option(core, block, GRIDALLOC_OPTION_DISCIPLINE, GRIDALLOC_DISCIPLINE_EASY));
  check(gridalloc_set_option(core, block, GRIDALLOC_OPTION_SELECTION, GRIDALLOC_SELECTION_GREEDY));
  check(gridalloc_fit_room(core, block, CAPACITY, 1, 4));
  reserve(block, gridalloc_arrange(core, block));
  *(int32_t *)column(GRIDALLOC_COLUMN_CAPACITY) = 4;
  *(double *)column(GRIDALLOC_COLUMN_SPEED) = *(double *)column(GRIDALLOC_COLUMN_LOAD) = 1;
  check(gridalloc_begin(core, block, table));
}

/* Adds a job whose runtime is unknown. */
static void submit(int32_t job, const report *each) {
  ((double *)job_column(GRIDALLOC_JOB_COLUMN_SUBMIT))[job] = each->time;
  ((double *)job_column(GRIDALLOC_JOB_COLUMN_RUNTIME))[job] = NAN;
  ((double *)job_column(GRIDALLOC_JOB_COLUMN_ESTIMATE))[job] = each->estimate;
  ((int32_t *)job_column(GRIDALLOC_JOB_COLUMN_PROCESSORS))[job] = each->processors;
  ((int32_t *)job_column(GRIDALLOC_JOB_COLUMN_HOME))[job] = 0;
  check(gridalloc_append_jobs(core, table, 1));
  check(gridalloc_take_jobs(core, block, table));
}

int main(void) {
  core = gridalloc_open();
  if (core == NULL || gridalloc_abi_version(core) != GRIDALLOC_ABI_VERSION) return 1;
  begin();
  int32_t submitted = 0;
  char has_started[CAPACITY] = {0};
  for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
    const report *each = &reports[i];
    if (each->ended < 0) submit(submitted++, each);
    else check(gridalloc_end_job(core, block, table, each->ended, each->time));
    check(gridalloc_run_until(core, block, table, each->time));
    const int32_t *sites = column(GRIDALLOC_COLUMN_SITE);
    for (int32_t job = 0; job < submitted; job++) {
      if (has_started[job] || sites[job] < 0) continue;
      has_started[job] = 1;
      printf("job %" PRId32 " starts at %g\n", job, each->time);
    }
  }
  check(gridalloc_close_run(core, block, table));
  check(gridalloc_run_until(core, block, table, INFINITY));
  check(gridalloc_measure(core, block, table));
  printf("mean wait %g\n", ((double *)column(GRIDALLOC_COLUMN_METRIC))[GRIDALLOC_METRIC_MEAN_WAIT]);
  gridalloc_close(core);
  return 0;
}
