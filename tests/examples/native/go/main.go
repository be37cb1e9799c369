// Go finds out by SIGSEGV that a pointer is nil; it still does with a core open.
package main

// #cgo LDFLAGS: -lgridalloc
// #include <gridalloc.h>
import "C"

import "fmt"

var nothing *int

func caught() (count int) {
	for i := 0; i < 20000; i++ {
		func() {
			defer func() {
				if recover() != nil {
					count++
				}
			}()
			*nothing = i
		}()
	}
	return
}

func main() {
	core := C.gridalloc_open()
	fmt.Printf("version %d, caught %d\n", int(C.gridalloc_abi_version(core)), caught())
	C.gridalloc_close(core)
}
