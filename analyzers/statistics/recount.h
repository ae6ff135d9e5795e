/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the statistics that an import has kept are those of the spans: they are counted again by a scan, another way
 * than the import's.
 */
#pragma once

#include <glib.h>

#include "src/store/handle.h"

typedef struct
{
  guint64 n, n_wrong; /* rows of the tables, and those that are not what the spans sum up to, missing ones among them */
  char *first;        /* the first of these in words; NULL: none. Free it. */
} TtRecount;

/* Of one selected run; adds to @recount. */
gboolean tt_statistics_recount (TtStore *store, TtRecount *recount, GError **error);
