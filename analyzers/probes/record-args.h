/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What records of a probe say in their arguments.
 */
#pragma once

#include <glib.h>

/* A whole number, unsigned, up to 64 bits. FALSE: @args, which may be NULL, have none called @key. */
gboolean tt_probe_arg_number (const char *args, const char *key, guint64 *number);
/* `block`, [x,y,z], as one number: 31, 16 and 16 bits. */
gboolean tt_probe_arg_block (const char *args, guint64 *block);
