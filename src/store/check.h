/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a database is whole: every page, every reference and every count of all its runs, also where no command would
 * come across them.
 */
#pragma once

#include "src/store/handle.h"

typedef struct
{
  const char *what;   /* "references" */
  guint64 n, n_wrong; /* looked at, and not as an import leaves them */
  const char *first;  /* of the wrong ones, in words, or why nothing was looked at; NULL: neither */
} TtCheck;

/* Texts are valid during the call. */
typedef void (*TtCheckFunc) (const TtCheck *check, gpointer data);
/* Calls @func for each check, in the same order for every database. FALSE with @error: there was no looking, because
 * it is no database of ours, or the work was cancelled. */
gboolean tt_store_check (const char *path, TtCheckFunc func, gpointer data, GError **error);
