/* Runtime that the C code of wasm2c needs: memory and the handling of traps. No signal is handled, so the handlers of a host stay in place. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "runtime.h"

/*
 * Addresses are not checked one by one, which takes 10 to 30 percent more time: each core reserves all addresses that 32 bits and an
 * offset of 32 bits can reach, and what it has not grown to yet cannot be touched.
 */
#define ADDRESSES 0x200000000u
#define PAGE 65536u

#if UINTPTR_MAX <= 0xffffffffu
#error "the native library needs addresses of 64 bits"
#endif

_Thread_local jmp_buf gridalloc_failed;

void wasm_rt_allocate_memory(wasm_rt_memory_t *memory, uint32_t pages, uint32_t most) {
  void *data = mmap(NULL, ADDRESSES, PROT_NONE, MAP_ANONYMOUS | MAP_PRIVATE | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) longjmp(gridalloc_failed, 1);
  memory->data = data;
  memory->pages = 0;
  memory->size = 0;
  /* The size in bytes must fit 32 bits. */
  memory->max_pages = most < PAGE ? most : PAGE - 1;
  if (wasm_rt_grow_memory(memory, pages) != (uint32_t)-1) return;
  wasm_rt_free_memory(memory);
  longjmp(gridalloc_failed, 1);
}

uint32_t wasm_rt_grow_memory(wasm_rt_memory_t *memory, uint32_t pages) {
  uint32_t before = memory->pages;
  if (pages > memory->max_pages - before) return (uint32_t)-1;
  if (mprotect(memory->data + memory->size, (size_t)pages * PAGE, PROT_READ | PROT_WRITE) != 0) return (uint32_t)-1;
  memory->pages = before + pages;
  memory->size = memory->pages * PAGE;
  return before;
}

void wasm_rt_free_memory(wasm_rt_memory_t *memory) {
  munmap(memory->data, ADDRESSES);
}

bool wasm_rt_is_initialized(void) {
  return true;
}

/* Needed for linking only: the core calls no function through a table. */
uint32_t wasm_rt_register_func_type(uint32_t parameters, uint32_t results, ...) {
  (void)parameters;
  (void)results;
  return 0;
}

/* The core traps only if a block has been overwritten from outside. */
void wasm_rt_trap(wasm_rt_trap_t code) {
  fprintf(stderr, "gridalloc: trap %d: a block in the memory of the core does not hold what the core wrote\n", (int)code);
  abort();
}
