#ifndef PINGLINE_CCURL_LOADING_H
#define PINGLINE_CCURL_LOADING_H

/// The address of one of libcurl's functions, or null where libcurl is missing.
void *pl_curl_find(const char *name);

#endif
