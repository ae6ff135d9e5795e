/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The size of a copy, as its arguments say it.
 */
#pragma once

#include <glib.h>

/* The member `bytes` (as PyTorch, CUPTI and the importers of other sources write it) of @args, JSON of @len bytes, or NULL;
 * -1: it is not there or is no size. */
gint64 tt_json_copy_bytes (const char *args, gsize len);
