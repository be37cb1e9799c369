/* What gridalloc.c and runtime.c have in common. */
#include <setjmp.h>

#include "wasm-rt.h"

/* Where a core goes on that has not got its memory: set before one is made. */
extern _Thread_local jmp_buf gridalloc_failed;
