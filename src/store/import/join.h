/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages, collectives and ranks: what is known of them only when all files are read.
 *
 * The first two collect small records in a spool while batches go by, and write their table afterwards, in its order.
 * With rows of the run already there (import --add, --replace) these take part again, as if everything had been imported
 * at once. Used by src/store only.
 */
#pragma once

#include "src/store/private.h"
#include "src/trace/lost-order.h"

/* -- owners -------------------------------------------------------------------------------------- */

/* The events of owners. */
typedef struct _TtOwners TtOwners;

TtOwners *tt_owners_new (void);
void tt_owners_free (TtOwners *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtOwners, tt_owners_free)
void tt_owners_add (TtOwners *self, const TtBatch *batch);
/* 0: none is known. */
guint64 tt_owners_event (TtOwners *self, guint32 owner);
gboolean tt_owners_check (const TtOwners *self, GError **error);

/* -- ranks --------------------------------------------------------------------------------------- */

/* An owner that belongs to another gives what it owns to that one: files that use one pid for different processes (a
 * GPU 7, a program 7 in a container) say so, each rightly. No owner belongs to another afterwards. */
gboolean tt_ranks_join (TtConnection *connection, guint32 run, GError **error);

/* -- messages ----------------------------------------------------------------------------------- */

typedef struct _TtHalves TtHalves;

/* @owners: borrowed. */
TtHalves *tt_halves_new (TtOwners *owners);
void tt_halves_free (TtHalves *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtHalves, tt_halves_free)

void tt_halves_add (TtHalves *self, const TtBatch *batch);
/* What the metadata of the run's processes says. */
gboolean tt_lost_order_read (TtLostOrder *self, TtConnection *connection, guint32 run, GError **error);

/* @again: rows of the run may be there. *n_unsure: pairs that are left apart, for records are lost. */
gboolean tt_halves_join (TtHalves *self,
                         TtConnection *connection,
                         guint32 run,
                         gboolean again,
                         TtLostOrder *lost,
                         guint64 *n_unsure,
                         GError **error);

/* -- collectives -------------------------------------------------------------------------------- */

typedef struct _TtCollectives TtCollectives;

TtCollectives *tt_collectives_new (void);
void tt_collectives_free (TtCollectives *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtCollectives, tt_collectives_free)

/* Definitions that come with a batch, or from the run that is continued. */
void tt_collectives_define_thread (TtCollectives *self, guint32 thread, guint32 process);
void tt_collectives_define_name (TtCollectives *self, guint32 name, const char *op_name, gint64 comm);
void tt_collectives_add (TtCollectives *self, const TtBatch *batch);
/* What is told of calls wins over their names; before they are joined. */
typedef struct _TtToldCalls TtToldCalls;
gboolean tt_collectives_tell (TtCollectives *self, TtToldCalls *told, TtOwners *owners, GError **error);
/* Puts calls into the order of the table and numbers them, where that pays on a thread of its own: until tt_collectives_write() the connection is
 * free for others, and @lost may have halves counted. @again: rows of the run may be there. */
gboolean tt_collectives_sort (TtCollectives *self,
                              TtConnection *connection,
                              guint32 run,
                              gboolean again,
                              const TtLostOrder *lost,
                              GError **error);
/* *n_unsure: calls that are joined with none, for records are lost. */
gboolean
tt_collectives_write (TtCollectives *self, TtConnection *connection, guint32 run, guint64 *n_unsure, GError **error);

/* -- shared --------------------------------------------------------------------------------------- */

/* Records of one size in the order they were added. */
typedef struct _TtSpool TtSpool;

TtSpool *tt_spool_new (gsize record_size);
void tt_spool_free (TtSpool *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSpool, tt_spool_free)
void tt_spool_add (TtSpool *self, const void *record);
guint64 tt_spool_count (const TtSpool *self);
void tt_spool_get (TtSpool *self, guint64 index, void *record);
gboolean tt_spool_check (const TtSpool *self, GError **error);

/* The highest time seen so far per thread: keeps each thread's file order where its clock steps back. */
static inline gint64
tt_running_max (GArray *highest, guint32 thread, gint64 ns)
{
  while (highest->len <= thread)
    {
      gint64 none = G_MININT64;
      g_array_append_val (highest, none);
    }
  gint64 *slot = &g_array_index (highest, gint64, thread);
  *slot = MAX (*slot, ns);
  return *slot;
}
