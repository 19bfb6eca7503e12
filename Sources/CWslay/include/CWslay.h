#ifndef PINGLINE_CWSLAY_H
#define PINGLINE_CWSLAY_H

#include <wslay/wslay.h>

#endif
