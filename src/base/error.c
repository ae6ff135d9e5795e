#include "config.h"

#include "src/base/error.h"

G_DEFINE_QUARK (tt_error, tt_error)
