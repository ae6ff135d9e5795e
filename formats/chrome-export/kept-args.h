/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arguments of events, by id, in a temporary file until their event is written.
 */
#pragma once

#include "src/store/scan.h"
#include "src/trace/batch.h"
#include "src/trace/repairs.h"

typedef struct _ChromeArgs ChromeArgs;

ChromeArgs *tt_chrome_args_new (void);
void tt_chrome_args_free (ChromeArgs *self);
gboolean tt_chrome_args_check (const ChromeArgs *self, GError **error);
/* Returns the next id. */
guint64 tt_chrome_args_add (ChromeArgs *self, const char *text, gsize len);
/* For arguments of which only the length is known. */
guint64 tt_chrome_args_add_long (ChromeArgs *self, guint64 len);
/* Arguments and merges of @batch under the ids they have there. */
void tt_chrome_args_take (ChromeArgs *self, const TtBatch *batch, TtRepairs *repairs);
/* Their length; into @text unless they are longer than TT_LONG_ARGS. */
gsize tt_chrome_args_get (ChromeArgs *self, guint64 id, GString *text);
