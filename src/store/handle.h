/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStore: one SQLite file with runs in it; docs/schema.md is the public side of it.
 *
 * Reading never writes: a store is opened read-only and every function works on the selected runs. Ids are database
 * ids.
 */
#pragma once

#include <glib.h>

typedef struct _TtStore TtStore;

/* Read-only. Errors: no such file (says how to import), not a tracetool database, newer schema. */
TtStore *tt_store_open (const char *path, GError **error);
/* The same, with ids only, see definitions.h: for what has to do with no process or thread. */
TtStore *tt_store_open_ids (const char *path, GError **error);
/* Another handle of the same runs, with times corrected in the same way: for another thread, for one handle is used by one
 * thread at a time. NULL with @error, too, if other runs are there now. */
TtStore *tt_store_open_again (const TtStore *self, GError **error);
void tt_store_free (TtStore *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStore, tt_store_free)

const char *tt_store_path (const TtStore *self);
/* What users are told that it is: its path, unless it was made of what they named, such as a directory of shards. */
void tt_store_show_as (TtStore *self, const char *name);
const char *tt_store_shown (const TtStore *self);
/* Whether an older tracetool wrote the database, which is read as it is; *@version: of its schema. NULL: not asked. */
gboolean tt_store_is_old (const TtStore *self, gint64 *version);

/* Whether what is read is verified by checksums: not in files of older tracetools, nor while there is a log. */
gboolean tt_store_is_verified (const TtStore *self);

/* Whether it holds no run: then there is nothing to select. */
gboolean tt_store_is_empty (const TtStore *self);
/* @run: NULL = the latest (the default), a number, or "all". */
gboolean tt_store_select_run (TtStore *self, const char *run, GError **error);
