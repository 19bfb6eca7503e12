#include <malloc.h>

// One heap for all threads. By default each of the first threads gets one of its own, which grows a page at a time
// by a system call and never lends what it has to another. Threads here wait far more than they allocate.
__attribute__((constructor)) static void use_one_heap(void) { mallopt(M_ARENA_MAX, 1); }
