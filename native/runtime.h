/* Declarations shared by gridalloc.c and runtime.c. */
#include <setjmp.h>

#include "wasm-rt.h"

/* Where execution continues if a core cannot allocate its memory; set before each core is created. */
extern _Thread_local jmp_buf gridalloc_failed;
