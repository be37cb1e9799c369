module gridalloc.example/null

go 1.19
