/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/error.h"

G_DEFINE_QUARK (tt_error, tt_error)
