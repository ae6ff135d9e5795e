/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/shard/replay.h"

#include "src/base/error.h"
#include "src/base/packed.h"
#include "src/base/temporary-file.h"
#include "src/trace/shard/end.h"
#include "src/trace/shard/rows.h"

#include <string.h>
#include <unistd.h>
#include <xxhash.h>

struct _TtShard
{
  int fd;
  gboolean owns_fd;
  guint64 begin, offset, end; /* of the frames of batches; offset: of the next */
  char *name;
  TtShardFacts facts;
  GByteArray *bytes; /* of the frame */
  TtShardIds ids;
};

/* -- frames ------------------------------------------------------------------------------------------------ */

static gboolean
fail_damaged (const TtShard *self, const char *what, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_STORE, "%s is damaged: %s at byte %" G_GUINT64_FORMAT, self->name, what,
               self->offset - self->begin);
  return FALSE;
}

/* Into self->bytes; self->offset moves behind it. */
static gboolean
read_frame (TtShard *self, guint64 end, TtShardFrameKind kind, GError **error)
{
  TtShardFrame frame;

  if (end - self->offset < sizeof frame)
    return fail_damaged (self, "a part that is cut", error);
  if (!tt_file_read_named_at (self->fd, self->name, self->offset, &frame, sizeof frame, error))
    return FALSE;
  if (frame.kind != kind || frame.n_bytes == 0 || frame.n_bytes > TT_SHARD_MAX_FRAME ||
      frame.n_bytes > end - self->offset - sizeof frame)
    return fail_damaged (self, "no part of a shard", error);
  g_byte_array_set_size (self->bytes, frame.n_bytes);
  if (!tt_file_read_named_at (self->fd, self->name, self->offset + sizeof frame, self->bytes->data, frame.n_bytes,
                              error))
    return FALSE;
  if (XXH3_64bits (self->bytes->data, frame.n_bytes) != frame.checksum)
    return fail_damaged (self, "a wrong checksum of the part", error);
  self->offset += sizeof frame + frame.n_bytes;
  return TRUE;
}

/* The last frame, before those of the batches. */
static gboolean
read_end (TtShard *self, guint64 end, GError **error)
{
  guint64 n_bytes;

  if (end - self->begin < sizeof (TtShardFrame) + sizeof n_bytes)
    return fail_damaged (self, "no end", error);
  end -= sizeof n_bytes;
  if (!tt_file_read_named_at (self->fd, self->name, end, &n_bytes, sizeof n_bytes, error))
    return FALSE;
  if (n_bytes < sizeof (TtShardFrame) || n_bytes > end - self->begin)
    return fail_damaged (self, "no end", error);
  self->end = self->offset = end - n_bytes;
  if (!read_frame (self, end, TT_SHARD_END, error))
    return FALSE;
  TtUnpack bytes = tt_unpack_all (self->bytes);
  tt_shard_facts_read (&self->facts, &bytes);
  if (bytes.is_bad || self->offset != end)
    return fail_damaged (self, "an end that says nothing", error);
  self->offset = self->begin;
  return TRUE;
}

TtShard *
tt_shard_open (int fd, guint64 offset, guint64 n_bytes, const char *name, GError **error)
{
  g_autoptr (TtShard) self = g_new0 (TtShard, 1);

  self->fd = fd;
  self->begin = self->offset = offset;
  self->name = g_strdup (name);
  self->bytes = g_byte_array_new ();
  tt_shard_facts_init (&self->facts);
  tt_shard_ids_init (&self->ids);
  return read_end (self, offset + n_bytes, error) ? g_steal_pointer (&self) : NULL;
}

void
tt_shard_free (TtShard *self)
{
  if (self == NULL)
    return;
  if (self->owns_fd)
    close (self->fd);
  g_free (self->name);
  g_byte_array_unref (self->bytes);
  tt_shard_facts_clear (&self->facts);
  tt_shard_ids_clear (&self->ids);
  g_free (self);
}

void
tt_shard_own_descriptor (TtShard *self)
{
  self->owns_fd = TRUE;
}

const TtShardEnd *
tt_shard_end (const TtShard *self)
{
  return &self->facts.end;
}

/* -- whether it fits ------------------------------------------------------------------------------------------ */

/* What @sink has for a thread of the shard. */
static guint32
find_thread (const TtShard *self, TtSink *sink, const char *thread)
{
  char *tid;
  guint64 process = g_ascii_strtoull (thread, &tid, 10);

  if (process == 0 || process > self->facts.pids->len || *tid != ' ')
    return TT_NO_ID;
  guint32 known = tt_sink_find_process (sink, self->facts.pids->pdata[process - 1]);
  return known == TT_NO_ID ? TT_NO_ID : tt_sink_find_thread (sink, known, tid + 1);
}

/* Those that are new come behind those that are known. */
static gboolean
keeps_order_of_threads (const TtShard *self, TtSink *sink)
{
  const GPtrArray *threads = self->facts.threads;
  guint32 last = 0;

  for (guint i = 0; i < threads->len; i++)
    {
      guint32 known = find_thread (self, sink, threads->pdata[i]);
      if (known != TT_NO_ID && known <= last)
        return FALSE;
      last = known != TT_NO_ID ? known : G_MAXUINT32;
    }
  return TRUE;
}

gboolean
tt_shard_fits (const TtShard *self, TtSink *sink)
{
  const TtShardFacts *facts = &self->facts;

  for (guint i = 0; i < facts->absent_pids->len; i++)
    if (tt_sink_find_process (sink, facts->absent_pids->pdata[i]) != TT_NO_ID)
      return FALSE;
  for (guint i = 0; facts->owns_new_processes && i < facts->pids->len; i++)
    if (tt_sink_find_process (sink, facts->pids->pdata[i]) != TT_NO_ID)
      return FALSE;
  for (guint i = 0; i < facts->absent_ranks->len; i++)
    if (tt_sink_has_rank (sink, g_array_index (facts->absent_ranks, gint64, i)))
      return FALSE;
  for (guint i = 0; i < facts->absent_threads->len; i++)
    if (find_thread (self, sink, facts->absent_threads->pdata[i]) != TT_NO_ID)
      return FALSE;
  return keeps_order_of_threads (self, sink) && sink->filter == NULL &&
         G_MAXUINT32 - sink->next_owner > facts->n_owners;
}

void
tt_shard_define (const TtShard *self, TtSink *sink)
{
  const TtShardFacts *facts = &self->facts;

  for (guint i = 0; i < facts->pids->len; i++)
    tt_sink_process (sink, facts->pids->pdata[i], NULL, NULL, g_array_index (facts->ranks, gint64, i));
  for (guint i = 0; i < facts->threads->len; i++)
    {
      char *tid;
      guint64 process = g_ascii_strtoull (facts->threads->pdata[i], &tid, 10);
      if (process > 0 && process <= facts->pids->len && *tid == ' ')
        tt_sink_thread (sink, tt_sink_find_process (sink, facts->pids->pdata[process - 1]), tid + 1, NULL, 0);
    }
}

/* -- batches --------------------------------------------------------------------------------------------------- */

gboolean
tt_shard_replay (TtShard *self, TtSink *sink, GError **error)
{
  const TtShardFacts *facts = &self->facts;
  const guint64 first_event = sink->next_event;

  tt_sink_flush (sink);
  tt_shard_ids_begin (&self->ids, sink, facts->n_events, facts->n_args, facts->n_owners);
  while (self->offset < self->end)
    {
      if (!read_frame (self, self->end, TT_SHARD_BATCH, error))
        return FALSE;
      TtUnpack bytes = tt_unpack_all (self->bytes);
      tt_shard_rows_put (&bytes, &self->ids, sink);
      if (bytes.is_bad || bytes.at != bytes.end)
        return fail_damaged (self, "rows that cannot be, before", error);
      tt_sink_flush (sink);
      if (!tt_sink_check (sink, 0, error))
        return FALSE;
    }
  if (sink->next_event != first_event + facts->n_events)
    return fail_damaged (self, "events are missing", error);
  sink->next_args += facts->n_args;
  sink->next_owner += (guint32) facts->n_owners;
  for (guint i = 0; i < facts->notes->len; i++)
    tt_sink_note (sink, "%s", (const char *) facts->notes->pdata[i]);
  return TRUE;
}
