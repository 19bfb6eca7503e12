#define _GNU_SOURCE
#include "Loading.h"

#include <dlfcn.h>
#include <pthread.h>

static void *library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) { library = dlopen("libmicrohttpd.so.12", RTLD_LAZY | RTLD_LOCAL); }

bool pl_httpd_load(void) {
    pthread_once(&once, load);
    return library != NULL;
}

void *pl_httpd_find(const char *name) { return dlsym(library, name); }
