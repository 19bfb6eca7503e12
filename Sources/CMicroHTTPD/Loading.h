#ifndef PINGLINE_CMICROHTTPD_LOADING_H
#define PINGLINE_CMICROHTTPD_LOADING_H

// libmicrohttpd is loaded when a server is started: most runs of the program are none, and it and the libraries it
// needs would make every start slower.

#include <microhttpd.h>
#include <stdbool.h>

/// Whether the library is there. Without it nothing below may be called.
bool pl_httpd_load(void);

/// The address of a function of the loaded library.
void *pl_httpd_find(const char *name);

#define LOADED(name) \
    ({ \
        static _Atomic(__typeof__(&name)) found; \
        __typeof__(&name) real = found; \
        if (!real) found = real = (__typeof__(&name))pl_httpd_find(#name); \
        real; \
    })
#define MHD_add_response_header LOADED(MHD_add_response_header)
#define MHD_create_response_for_upgrade LOADED(MHD_create_response_for_upgrade)
#define MHD_create_response_from_buffer LOADED(MHD_create_response_from_buffer)
#define MHD_create_response_from_fd_at_offset64 LOADED(MHD_create_response_from_fd_at_offset64)
#define MHD_destroy_response LOADED(MHD_destroy_response)
#define MHD_get_connection_info LOADED(MHD_get_connection_info)
#define MHD_get_connection_values LOADED(MHD_get_connection_values)
#define MHD_get_daemon_info LOADED(MHD_get_daemon_info)
#define MHD_queue_response LOADED(MHD_queue_response)
#define MHD_quiesce_daemon LOADED(MHD_quiesce_daemon)
#define MHD_resume_connection LOADED(MHD_resume_connection)
#define MHD_start_daemon LOADED(MHD_start_daemon)
#define MHD_stop_daemon LOADED(MHD_stop_daemon)
#define MHD_suspend_connection LOADED(MHD_suspend_connection)
#define MHD_upgrade_action LOADED(MHD_upgrade_action)

#endif
