/* Written by npm run generate from the declarations of the core; docs/abi.md is the contract. */
/* What gridalloc.h declares is all that the library shows. */
#pragma GCC visibility push(default)
#include "gridalloc.h"
#pragma GCC visibility pop

#include <pthread.h>
#include <stdlib.h>

#include "core.h"
#include "runtime.h"

/* As wabt 1.0.32 names what the binary exports. */
#define CORE(name) Z_coreZ_##name

struct gridalloc {
  Z_core_instance_t instance;
};

gridalloc *gridalloc_open(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  gridalloc *core = calloc(1, sizeof *core);
  if (core == NULL) return NULL;
  pthread_once(&once, Z_core_init_module);
  if (setjmp(gridalloc_failed) != 0) {
    free(core);
    return NULL;
  }
  Z_core_instantiate(&core->instance);
  return core;
}

void gridalloc_close(gridalloc *core) {
  if (core == NULL) return;
  Z_core_free(&core->instance);
  free(core);
}

int gridalloc_reserve(gridalloc *core, uint64_t end) {
  wasm_rt_memory_t *memory = CORE(memory)(&core->instance);
  if (end <= memory->size) return 0;
  uint64_t pages = end / 65536 + (end % 65536 != 0) - memory->pages;
  if (pages > UINT32_MAX) return -1;
  return wasm_rt_grow_memory(memory, (uint32_t)pages) == UINT32_MAX ? -1 : 0;
}

void *gridalloc_at(gridalloc *core, uint32_t address) {
  return CORE(memory)(&core->instance)->data + address;
}

int32_t gridalloc_abi_version(gridalloc *core) {
  return (int32_t)CORE(abiVersion)(&core->instance);
}

uint32_t gridalloc_first_address(gridalloc *core) {
  return CORE(firstAddress)(&core->instance);
}

double gridalloc_arrange_jobs(gridalloc *core, uint32_t table, int32_t count, int32_t extras) {
  return CORE(arrangeJobs)(&core->instance, table, count, extras);
}

uint32_t gridalloc_job_column_address(gridalloc *core, uint32_t table, int32_t which) {
  return CORE(jobColumnAddress)(&core->instance, table, which);
}

int32_t gridalloc_seal_jobs(gridalloc *core, uint32_t table) {
  return (int32_t)CORE(sealJobs)(&core->instance, table);
}

int32_t gridalloc_refused_job(gridalloc *core, uint32_t table) {
  return (int32_t)CORE(refusedJob)(&core->instance, table);
}

int32_t gridalloc_prepare(gridalloc *core, uint32_t block) {
  return (int32_t)CORE(prepare)(&core->instance, block);
}

int32_t gridalloc_set_option(gridalloc *core, uint32_t block, int32_t which, double value) {
  return (int32_t)CORE(setOption)(&core->instance, block, which, value);
}

int32_t gridalloc_fit_room(gridalloc *core, uint32_t block, int32_t jobs, int32_t sites, int32_t processors) {
  return (int32_t)CORE(fitRoom)(&core->instance, block, jobs, sites, processors);
}

int32_t gridalloc_set_room(gridalloc *core, uint32_t block, int32_t which, double entries) {
  return (int32_t)CORE(setRoom)(&core->instance, block, which, entries);
}

double gridalloc_room(gridalloc *core, uint32_t block, int32_t which) {
  return CORE(room)(&core->instance, block, which);
}

double gridalloc_arrange(gridalloc *core, uint32_t block) {
  return CORE(arrange)(&core->instance, block);
}

uint32_t gridalloc_column_address(gridalloc *core, uint32_t block, int32_t which) {
  return CORE(columnAddress)(&core->instance, block, which);
}

uint32_t gridalloc_policy_declaration(gridalloc *core, int32_t policy) {
  return CORE(policyDeclaration)(&core->instance, policy);
}

int32_t gridalloc_begin(gridalloc *core, uint32_t block, uint32_t table) {
  return (int32_t)CORE(begin)(&core->instance, block, table);
}

int32_t gridalloc_run_until(gridalloc *core, uint32_t block, uint32_t table, double until) {
  return (int32_t)CORE(runUntil)(&core->instance, block, table, until);
}

int32_t gridalloc_decide(gridalloc *core, uint32_t block, uint32_t table, int32_t site) {
  return (int32_t)CORE(decide)(&core->instance, block, table, site);
}

int32_t gridalloc_give_keys(gridalloc *core, uint32_t block, uint32_t table, double key, double backfillKey) {
  return (int32_t)CORE(giveKeys)(&core->instance, block, table, key, backfillKey);
}

int32_t gridalloc_is_feasible(gridalloc *core, uint32_t block, uint32_t table, int32_t site) {
  return (int32_t)CORE(isFeasible)(&core->instance, block, table, site);
}

double gridalloc_look_ahead(gridalloc *core, uint32_t block, uint32_t table, int32_t site, int32_t what) {
  return CORE(lookAhead)(&core->instance, block, table, site, what);
}

int32_t gridalloc_next_in_queue(gridalloc *core, uint32_t block, uint32_t table, int32_t job) {
  return (int32_t)CORE(nextInQueue)(&core->instance, block, table, job);
}

int32_t gridalloc_rehearse(gridalloc *core, uint32_t block, uint32_t table, int32_t first, int32_t end) {
  return (int32_t)CORE(rehearse)(&core->instance, block, table, first, end);
}

double gridalloc_extend_logs(gridalloc *core, uint32_t block, int32_t runs, int32_t parts, int32_t stops) {
  return CORE(extendLogs)(&core->instance, block, runs, parts, stops);
}

int32_t gridalloc_change_policy(gridalloc *core, uint32_t block, uint32_t table) {
  return (int32_t)CORE(changePolicy)(&core->instance, block, table);
}

int32_t gridalloc_change_speeds(gridalloc *core, uint32_t block, uint32_t table) {
  return (int32_t)CORE(changeSpeeds)(&core->instance, block, table);
}

double gridalloc_scalar(gridalloc *core, uint32_t block, int32_t which) {
  return CORE(scalar)(&core->instance, block, which);
}

int32_t gridalloc_measure(gridalloc *core, uint32_t block, uint32_t table) {
  return (int32_t)CORE(measure)(&core->instance, block, table);
}

int32_t gridalloc_shares_histories(gridalloc *core, int32_t policy) {
  return (int32_t)CORE(sharesHistories)(&core->instance, policy);
}

int32_t gridalloc_run_together(gridalloc *core, uint32_t block, uint32_t table) {
  return (int32_t)CORE(runTogether)(&core->instance, block, table);
}

int32_t gridalloc_measure_together(gridalloc *core, uint32_t block, uint32_t table, int32_t policy) {
  return (int32_t)CORE(measureTogether)(&core->instance, block, table, policy);
}

double gridalloc_live_bytes(gridalloc *core, uint32_t block) {
  return CORE(liveBytes)(&core->instance, block);
}

int32_t gridalloc_fork(gridalloc *core, uint32_t block, uint32_t other, uint32_t table) {
  return (int32_t)CORE(fork)(&core->instance, block, other, table);
}

int32_t gridalloc_same_state(gridalloc *core, uint32_t block, uint32_t other, uint32_t table) {
  return (int32_t)CORE(sameState)(&core->instance, block, other, table);
}

int32_t gridalloc_seal_state(gridalloc *core, uint32_t block) {
  return (int32_t)CORE(sealState)(&core->instance, block);
}

int32_t gridalloc_check_state(gridalloc *core, uint32_t block, double bytes) {
  return (int32_t)CORE(checkState)(&core->instance, block, bytes);
}

double gridalloc_build_id(gridalloc *core) {
  return CORE(buildId)(&core->instance);
}

int32_t gridalloc_broken_invariant(gridalloc *core) {
  return (int32_t)CORE(brokenInvariant)(&core->instance);
}
