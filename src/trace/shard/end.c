/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/shard/end.h"

#define MAX_EVENTS (G_GUINT64_CONSTANT (1) << 48)

void
tt_shard_facts_init (TtShardFacts *self)
{
  *self = (TtShardFacts){
    .end.left_out = g_ptr_array_new_with_free_func (tt_shard_left_out_free),
    .pids = g_ptr_array_new_with_free_func (g_free),
    .threads = g_ptr_array_new_with_free_func (g_free),
    .absent_pids = g_ptr_array_new_with_free_func (g_free),
    .absent_threads = g_ptr_array_new_with_free_func (g_free),
    .notes = g_ptr_array_new_with_free_func (g_free),
    .ranks = g_array_new (FALSE, FALSE, sizeof (gint64)),
    .absent_ranks = g_array_new (FALSE, FALSE, sizeof (gint64)),
  };
}

void
tt_shard_facts_clear (TtShardFacts *self)
{
  g_clear_error (&self->end.fault);
  g_clear_pointer (&self->end.left_out, g_ptr_array_unref);
  g_clear_pointer (&self->pids, g_ptr_array_unref);
  g_clear_pointer (&self->threads, g_ptr_array_unref);
  g_clear_pointer (&self->absent_pids, g_ptr_array_unref);
  g_clear_pointer (&self->absent_threads, g_ptr_array_unref);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_clear_pointer (&self->ranks, g_array_unref);
  g_clear_pointer (&self->absent_ranks, g_array_unref);
}

static void
read_texts (TtUnpack *bytes, GPtrArray *texts)
{
  guint64 n = tt_unpack_below (bytes, G_MAXUINT32);

  for (guint64 i = 0; i < n && !bytes->is_bad; i++)
    {
      const char *text = tt_unpack_text (bytes);
      bytes->is_bad |= text == NULL;
      if (text != NULL)
        g_ptr_array_add (texts, g_strdup (text));
    }
}

/* NULL: it is bad. */
static GError *
read_error (TtUnpack *bytes)
{
  const char *domain = tt_unpack_text (bytes);
  gint64 code = tt_unpack_signed (bytes);
  const char *message = tt_unpack_text (bytes);

  bytes->is_bad |= domain == NULL || message == NULL || code < G_MININT || code > G_MAXINT;
  return bytes->is_bad ? NULL : g_error_new_literal (g_quark_from_string (domain), (int) code, message);
}

static void
read_left_out (TtUnpack *bytes, GPtrArray *left_out)
{
  guint64 n = tt_unpack_below (bytes, G_MAXUINT32);

  for (guint64 i = 0; i < n && !bytes->is_bad; i++)
    {
      const char *path = tt_unpack_text (bytes);
      g_autoptr (GError) fault = read_error (bytes);
      bytes->is_bad |= path == NULL;
      if (!bytes->is_bad)
        g_ptr_array_add (left_out, tt_shard_left_out_new (path, fault));
    }
}

void
tt_shard_facts_read (TtShardFacts *self, TtUnpack *bytes)
{
  self->owns_new_processes = tt_unpack_below (bytes, 1) != 0;
  read_texts (bytes, self->pids);
  for (guint i = 0; i < self->pids->len; i++)
    {
      gint64 rank = tt_unpack_signed (bytes);
      g_array_append_val (self->ranks, rank);
    }
  read_texts (bytes, self->threads);
  read_texts (bytes, self->absent_pids);
  guint64 n_ranks = tt_unpack_below (bytes, G_MAXUINT32);
  for (guint64 i = 0; i < n_ranks && !bytes->is_bad; i++)
    {
      gint64 rank = tt_unpack_signed (bytes);
      g_array_append_val (self->absent_ranks, rank);
    }
  read_texts (bytes, self->absent_threads);
  self->n_events = tt_unpack_below (bytes, MAX_EVENTS);
  self->n_args = tt_unpack_below (bytes, MAX_EVENTS);
  self->n_owners = tt_unpack_below (bytes, G_MAXUINT32);
  read_texts (bytes, self->notes);
  read_left_out (bytes, self->end.left_out);
  if (tt_unpack_below (bytes, 1) != 0)
    self->end.fault = read_error (bytes);
  bytes->is_bad |= bytes->at != bytes->end;
}
