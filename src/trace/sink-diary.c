/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/sink-diary.h"

#include "src/base/packed.h"

TtSinkDiary *
tt_sink_diary_new (void)
{
  TtSinkDiary *self = g_new0 (TtSinkDiary, 1);

  self->names = g_byte_array_new ();
  self->pids = g_ptr_array_new_with_free_func (g_free);
  self->ranks = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->threads = g_ptr_array_new_with_free_func (g_free);
  self->absent_pids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->absent_ranks = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->absent_threads = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
tt_sink_diary_free (TtSinkDiary *self)
{
  if (self == NULL)
    return;
  g_byte_array_unref (self->names);
  g_ptr_array_unref (self->pids);
  g_array_unref (self->ranks);
  g_ptr_array_unref (self->threads);
  g_hash_table_unref (self->absent_pids);
  g_array_unref (self->absent_ranks);
  g_ptr_array_unref (self->absent_threads);
  g_free (self);
}

void
tt_sink_diary_name (TtSinkDiary *self, const char *source, const TtRawName *raw)
{
  const char *const texts[] = {
    source, raw->raw, raw->op, raw->group, raw->suffix, raw->op_cat, raw->sub_op, raw->file
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    tt_pack_text (self->names, texts[i]);
  tt_pack_signed (self->names, raw->line);
  tt_pack_number (self->names, raw->is_collective != FALSE);
  tt_pack_number (self->names, raw->communicator);
}

void
tt_sink_diary_process (TtSinkDiary *self, const char *pid, gint64 rank)
{
  g_ptr_array_add (self->pids, g_strdup (pid));
  g_array_append_val (self->ranks, rank);
}

void
tt_sink_diary_thread (TtSinkDiary *self, guint32 process, const char *tid)
{
  g_ptr_array_add (self->threads, g_strdup_printf ("%u %s", process, tid));
}

void
tt_sink_diary_no_process (TtSinkDiary *self, const char *pid)
{
  g_hash_table_add (self->absent_pids, g_strdup (pid));
}

void
tt_sink_diary_no_rank (TtSinkDiary *self, gint64 rank)
{
  const GArray *ranks = self->absent_ranks;

  if (ranks->len == 0 || g_array_index (ranks, gint64, ranks->len - 1) != rank)
    g_array_append_val (self->absent_ranks, rank);
}

void
tt_sink_diary_no_thread (TtSinkDiary *self, guint32 process, const char *tid)
{
  const GPtrArray *threads = self->absent_threads;
  g_autofree char *text = g_strdup_printf ("%u %s", process, tid);

  if (threads->len == 0 || !g_str_equal (threads->pdata[threads->len - 1], text))
    g_ptr_array_add (self->absent_threads, g_steal_pointer (&text));
}
