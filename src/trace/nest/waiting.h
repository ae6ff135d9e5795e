/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtWaiting: records that wait for their time. The earliest comes out first; among those of one time the
 * one with the highest rank, which no two share. Memory is bounded: beyond a cap they lie sorted
 * in a temporary file.
 */
#pragma once

#include <glib.h>

typedef struct _TtWaiting TtWaiting;

/* @memory_bytes: about; beyond it the file is used. */
TtWaiting *tt_waiting_new (gsize record_size, gsize memory_bytes);
void tt_waiting_free (TtWaiting *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtWaiting, tt_waiting_free)

void tt_waiting_add (TtWaiting *self, gint64 time, guint64 rank, gconstpointer record);
guint64 tt_waiting_count (const TtWaiting *self);
/* Of the first record; there must be one. */
gint64 tt_waiting_time (const TtWaiting *self);
guint64 tt_waiting_rank (const TtWaiting *self);
/* Moves the first record out into @record. */
void tt_waiting_take (TtWaiting *self, gpointer record);

gboolean tt_waiting_check (const TtWaiting *self, GError **error);
