/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of waits: a row for each group of `--by KEY,KEY...`, the longest first.
 */
#pragma once

#include "analyzers/waits/wait-comms.h"
#include "analyzers/waits/wait-places.h"
#include "analyzers/waits/waits.h"
#include "src/base/report/fields.h"

typedef enum
{
  TT_WAIT_BY_KIND,
  TT_WAIT_BY_NAME,       /* of the span that waits */
  TT_WAIT_BY_RANK,       /* that waits */
  TT_WAIT_BY_CAUSE,      /* the rank that is waited for */
  TT_WAIT_BY_CAUSE_NAME, /* the span there that ended the wait */
  TT_WAIT_BY_PATH,
  TT_WAIT_BY_STEP,
  TT_WAIT_BY_COMMUNICATOR,
  TT_N_WAIT_KEYS,
} TtWaitKey;

extern const char *const tt_wait_key_words[TT_N_WAIT_KEYS + 1]; /* NULL-ended */

typedef struct
{
  guint n;
  TtWaitKey key[TT_N_WAIT_KEYS];
} TtWaitKeys;

/* "rank,cause"; an error names the nearest key. */
gboolean tt_wait_keys_parse (TtWaitKeys *self, const char *text, GError **error);

/* NULL with @error. */
TtReport *
tt_waits_table (TtStore *store, const TtWaits *waits, const TtWaitKeys *keys, const TtReportView *view, GError **error);
