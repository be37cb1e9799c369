/* Runs on the native library, build/native: times them and hashes their schedules. The first argument names the file of the
 * jobs, the second says how many times each run is timed. Each input line describes a run: the number of sites, capacities, speeds and
 * loads, the number of options, and each option with its value. Each output line has the shortest nanoseconds and the hash. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "gridalloc.h"

enum { MOST_SITES = 64, MOST_OPTIONS = 16 };

static gridalloc *core;
/* Number of jobs; addresses of the job table and of the simulation, and the first address behind it. */
static uint32_t jobs, table, block, end;

typedef struct {
  int sites, options;
  double capacity[MOST_SITES], speed[MOST_SITES], load[MOST_SITES];
  double option[MOST_OPTIONS], value[MOST_OPTIONS];
} setting;

static void check(int32_t status) {
  if (status < GRIDALLOC_STATUS_JOBS_UNSORTED) return;
  fprintf(stderr, "refused with status %" PRId32 "\n", status);
  exit(1);
}

static uint32_t reserve(uint32_t address, double bytes) {
  if (gridalloc_reserve(core, (uint64_t)(address + bytes)) != 0) exit(1);
  return (uint32_t)ceil((address + bytes) / 16) * 16;
}

static void *column(int32_t which) { return gridalloc_at(core, gridalloc_column_address(core, block, which)); }

static void read_job_column(FILE *file, int32_t which, size_t bytes) {
  void *values = gridalloc_at(core, gridalloc_job_column_address(core, table, which));
  if (fread(values, bytes, jobs, file) != jobs) exit(1);
}

static void read_jobs(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL || fread(&jobs, 4, 1, file) != 1) exit(1);
  table = reserve(gridalloc_first_address(core), 0);
  block = reserve(table, gridalloc_arrange_jobs(core, 0, (int32_t)jobs, 0));
  gridalloc_arrange_jobs(core, table, (int32_t)jobs, 0);
  read_job_column(file, GRIDALLOC_JOB_COLUMN_SUBMIT, 8);
  read_job_column(file, GRIDALLOC_JOB_COLUMN_RUNTIME, 8);
  read_job_column(file, GRIDALLOC_JOB_COLUMN_PROCESSORS, 4);
  read_job_column(file, GRIDALLOC_JOB_COLUMN_HOME, 4);
  fclose(file);
  const double *runtime = gridalloc_at(core, gridalloc_job_column_address(core, table, GRIDALLOC_JOB_COLUMN_RUNTIME));
  double *estimate = gridalloc_at(core, gridalloc_job_column_address(core, table, GRIDALLOC_JOB_COLUMN_ESTIMATE));
  for (uint32_t job = 0; job < jobs; job++) estimate[job] = runtime[job];
  check(gridalloc_seal_jobs(core, table));
}

static void read_doubles(double *values, int count) {
  for (int i = 0; i < count; i++)
    if (scanf("%lf", &values[i]) != 1) exit(1);
}

static int read_setting(setting *each) {
  if (scanf("%d", &each->sites) != 1) return 0;
  read_doubles(each->capacity, each->sites);
  read_doubles(each->speed, each->sites);
  read_doubles(each->load, each->sites);
  if (scanf("%d", &each->options) != 1) exit(1);
  for (int i = 0; i < each->options; i++)
    if (scanf("%lf %lf", &each->option[i], &each->value[i]) != 2) exit(1);
  return 1;
}

static void lay_out(const setting *each) {
  reserve(block, GRIDALLOC_LIMIT_HEAD_BYTES);
  check(gridalloc_prepare(core, block));
  for (int i = 0; i < each->options; i++) {
    check(gridalloc_set_option(core, block, (int32_t)each->option[i], each->value[i]));
  }
  double processors = 0;
  for (int site = 0; site < each->sites; site++) processors += each->capacity[site];
  check(gridalloc_fit_room(core, block, (int32_t)jobs, each->sites, (int32_t)processors));
  end = reserve(block, gridalloc_arrange(core, block));
  for (int site = 0; site < each->sites; site++) {
    ((int32_t *)column(GRIDALLOC_COLUMN_CAPACITY))[site] = (int32_t)each->capacity[site];
    ((double *)column(GRIDALLOC_COLUMN_SPEED))[site] = each->speed[site];
    ((double *)column(GRIDALLOC_COLUMN_TIME_FACTOR))[site] = 1 / each->speed[site];
    ((double *)column(GRIDALLOC_COLUMN_LOAD))[site] = each->load[site];
  }
}

static void run(void) {
  check(gridalloc_begin(core, block, table));
  while (gridalloc_run_until(core, block, table, INFINITY) == GRIDALLOC_STATUS_LOG_FULL) {
    int32_t parts = 2 * (int32_t)gridalloc_room(core, block, GRIDALLOC_ROOM_PARTS);
    end = reserve(end, 8.0 * parts);
    gridalloc_extend_logs(core, block, 0, parts, 0);
  }
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

/* 32-bit FNV-1a. */
static uint32_t hash(uint32_t value, const uint8_t *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) value = (value ^ bytes[i]) * 0x01000193u;
  return value;
}

int main(int count, char **words) {
  core = gridalloc_open();
  if (count < 3 || core == NULL || gridalloc_abi_version(core) != GRIDALLOC_ABI_VERSION) return 1;
  read_jobs(words[1]);
  static setting each;
  while (read_setting(&each)) {
    lay_out(&each);
    double least = INFINITY;
    for (int repeat = 0; repeat < atoi(words[2]); repeat++) {
      double began = now();
      run();
      least = fmin(least, now() - began);
    }
    uint32_t value = hash(0x811c9dc5u, column(GRIDALLOC_COLUMN_START), 8 * (size_t)jobs);
    value = hash(value, column(GRIDALLOC_COLUMN_EXECUTION), 8 * (size_t)jobs);
    value = hash(value, column(GRIDALLOC_COLUMN_SITE), 4 * (size_t)jobs);
    printf("%.0f %" PRIu32 "\n", least, value);
  }
  gridalloc_close(core);
  return 0;
}
