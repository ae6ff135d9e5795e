/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/error.h"
#include "src/base/temporary-file.h"
#include "src/trace/shard/replay.h"
#include "src/trace/shard/write.h"

#include "tests/require.h"

#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* A small run of everything that batches hold, written twice: into a shard, and into a sink that keeps what it gets. */

static void
keep_definitions (const TtBatch *batch, GString *text)
{
  for (guint i = 0; i < batch->definitions->len; i++)
    {
      const TtDefinition *d = &g_array_index (batch->definitions, TtDefinition, i);
      g_string_append_printf (text, "define %d %u %u %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
                              d->kind, d->id, d->parent, d->a, d->b, d->c);
      for (guint k = 0; k < TT_N_NAME_TEXTS; k++)
        g_string_append_printf (text, " '%s'", d->text[k] == 0 ? "" : tt_batch_text (batch, d->text[k]));
      g_string_append_c (text, '\n');
    }
  for (guint kind = 0; kind < TT_N_REPAIRS; kind++)
    if (batch->repairs.count[kind] > 0)
      g_string_append_printf (text, "repair %u %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n", kind,
                              batch->repairs.count[kind], batch->repairs.first_offset[kind]);
  for (guint i = 0; i < batch->repaired->len; i++)
    {
      const TtProcessRepairs *r = &g_array_index (batch->repaired, TtProcessRepairs, i);
      g_string_append_printf (text, "repaired %u %u %" G_GUINT64_FORMAT "\n", r->process, r->kind, r->count);
    }
}

/* Written by hand, so that a column that the table of columns forgets is missed. */
static void
keep (const TtBatch *batch, gpointer data)
{
  GString *text = data;

  keep_definitions (batch, text);
#define EACH(group)                          \
  for (guint i = 0; i < batch->group.n; i++) \
    {                                        \
      g_string_append_printf (text, "%s", #group);
#define END                       \
  g_string_append_c (text, '\n'); \
  }
#define V(value) g_string_append_printf (text, " %" G_GINT64_FORMAT, (gint64) (value));
  EACH (events)
  V (batch->source)
  V (batch->tells_nesting) V (batch->events.first_event + i) V (batch->events.thread[i]) V (batch->events.name[i])
      V (batch->events.ts_ns[i]) V (batch->events.dur_ns[i]) V (batch->events.self_ns[i]) V (batch->events.depth[i])
          V (batch->events.flags[i]) V (batch->events.step[i]) V (batch->events.args[i]) END EACH (counters)
              V (batch->counters.series[i]) V (batch->counters.thread[i]) V (batch->counters.ts_ns[i])
                  V (batch->counters.value[i]) V (batch->counters.is_real[i]) END EACH (metrics)
                      V (batch->metrics.event[i]) V (batch->metrics.series[i]) V (batch->metrics.inclusive[i])
                          V (batch->metrics.exclusive[i]) END EACH (halves) V (batch->halves.is_send[i])
                              V (batch->halves.onesided[i]) V (batch->halves.thread[i]) V (batch->halves.own[i])
                                  V (batch->halves.peer[i]) V (batch->halves.tag[i]) V (batch->halves.comm[i])
                                      V (batch->halves.ts_ns[i]) V (batch->halves.bytes[i]) V (batch->halves.owner[i])
                                          END EACH (owners) V (batch->owners.owner[i]) V (batch->owners.event[i])
                                              END EACH (calls) V (batch->calls.owner[i]) V (batch->calls.root[i])
                                                  V (batch->calls.comm[i]) V (batch->calls.sequence[i]) END EACH (flows)
                                                      V (batch->flows.from_event[i]) V (batch->flows.to_event[i])
                                                          V (batch->flows.from_ns[i]) V (batch->flows.to_ns[i])
                                                              V (batch->flows.kind[i]->link)
                                                                  g_string_append (text, batch->flows.kind[i]->text);
  END EACH (args) V (batch->args.id[i]) V (batch->args.len[i]) V (batch->args.at[i]) V (batch->args.total[i])
      g_string_append_len (text, batch->text->str + batch->args.text[i], batch->args.len[i]);
  END EACH (merges) V (batch->merges.args[i]) V (batch->merges.more[i]) END EACH (points) V (batch->points.key[i])
      V (batch->points.phase[i]) V (batch->points.ts_ns[i]) V (batch->points.owner[i]) V (batch->points.kind[i]->link)
          g_string_append (text, batch->points.kind[i]->text);
  END EACH (activities) V (batch->activities.event[i]) V (batch->activities.launch[i])
      V (batch->activities.correlation[i]) V (batch->activities.waits_for[i]) V (batch->activities.queue[i])
          V (batch->activities.waits_on[i]) V (batch->activities.role[i]) V (batch->activities.blocks[i])
              END for (guint i = 0; i < batch->tasks->len; i++)
  {
    const TtBatchTask *task = &g_array_index (batch->tasks, TtBatchTask, i);
    g_string_append_printf (text, "task %u %d %d %s\n", task->process, (int) task->id, task->kind,
                            tt_batch_text (batch, task->text[TT_TASK_NAME]));
  }
  for (guint i = 0; i < batch->task_edges->len; i++)
    {
      const TtBatchTaskEdge *edge = &g_array_index (batch->task_edges, TtBatchTaskEdge, i);
      g_string_append_printf (text, "edge %u %d %d %d %d %s\n", edge->process, (int) edge->src, (int) edge->dst,
                              edge->has_src, edge->has_dst, tt_batch_text (batch, edge->kind));
    }
}

/* What an importer would call. @rank: of the process, so that inputs differ. */
static void
import (TtSink *sink, gint64 rank)
{
  static const TtFlowKind launch = { .text = "launch", .link = TT_LINK_LAUNCH };
  g_autofree char *pid = g_strdup_printf ("node%d", (int) rank);
  const TtRawName send = { .raw = "MPI_Send()", .group = "MPI" }, clash = { .raw = "a.b" }, other = { .raw = "a_b" },
                  all = { .raw = "all",
                          .op_cat = "Comm",
                          .sub_op = "ALLREDUCE",
                          .suffix = "x",
                          .file = "f.c",
                          .line = 7,
                          .is_collective = TRUE,
                          .communicator = 12 };

  tt_names_set_source (sink->names, "tau");
  tt_sink_begin_source (sink, "tau", pid, TT_CLOCK_RELATIVE);
  guint32 peer = tt_sink_process (sink, "node9", NULL, NULL, 9);
  guint32 own = tt_sink_process (sink, pid, "label", "host", rank);
  guint32 thread = tt_sink_thread (sink, own, "0", "main", 0), queue = tt_sink_thread (sink, own, "q", NULL, 1);
  const TtRawName *raws[] = { rank == 0 ? &clash : &other, &send, &all, rank == 0 ? &other : &clash };
  guint32 names[G_N_ELEMENTS (raws)];
  for (guint i = 0; i < G_N_ELEMENTS (raws); i++)
    names[i] = tt_sink_name (sink, raws[i]);
  guint32 series = tt_sink_series (sink, "cache", "B", TRUE);
  tt_sink_metadata (sink, own, thread, "key", "value");
  tt_sink_own_process (sink, own, peer);
  tt_sink_parameter (sink, 3, "weight", "2x3", "f32", 4, NULL);
  for (guint i = 0; i < TT_BATCH_ROWS + 5; i++)
    {
      guint64 args = i % 1000 == 0 ? tt_sink_args (sink, "{\"a\":1}", 7) : 0;
      guint32 owner = tt_sink_new_owner (sink);
      guint64 event =
          tt_sink_event (sink, i % 7 == 0 ? queue : thread, names[i % 4], 1000 * i, i % 3 == 0 ? TT_NO_TIME : 500,
                         i % 3 == 0 ? 0 : 400, i % 300, i % 8, i % 100 == 0 ? TT_NO_STEP : (gint32) i, args);
      if (args != 0)
        tt_sink_args_merge (sink, args, tt_sink_args (sink, "{\"b\":2}", 7));
      if (i % 100 == 0)
        {
          tt_sink_half (sink, i % 200 == 0, TT_NOT_ONESIDED, thread, own, peer, i, 5, 1000 * i, -1, owner);
          tt_sink_owner (sink, owner, event);
          tt_sink_call (sink, owner, i % 200 == 0 ? TT_NO_ID : peer, 3, i);
          tt_sink_counter_int (sink, series, thread, i, G_MININT64 + i);
          tt_sink_counter_real (sink, series, TT_NO_ID, i, 1.5 * i);
          tt_sink_metric (sink, event, series, i, 0 - (gint64) i);
          tt_sink_flow (sink, event, i > 0 ? event - 1 : event, tt_flow_kind ("told"));
          tt_sink_flow_point (sink, &(TtSinkFlowPoint){ .key = i, .kind = &launch, .owner = owner, .ts_ns = i });
          const TtActivity activity = { .role = TT_ACTIVITY_KERNEL, .queue = queue, .correlation = i };
          tt_sink_activity (sink, tt_sink_hold_activity (sink, &activity), event);
        }
    }
  tt_sink_task (sink, own, &(TtTaskNode){ .id = 5, .kind = TT_TASK_COPY, .text[TT_TASK_NAME] = "copy" });
  tt_sink_task_edge (sink, own, &(TtTaskEdge){ .src = 5, .has_src = TRUE, .kind = "read" });
  tt_sink_repair (sink, TT_REPAIR_UNKNOWN_ID, 77);
  tt_sink_repair_of (sink, own, TT_REPAIR_UNCLOSED, 0);
  tt_sink_note (sink, "note of %s", pid);
  tt_sink_end_source (sink, 100, "hash", TT_CLOCK_EPOCH);
  tt_sink_label_process (sink, own, "later", -1);
}

static TtNames *
new_names (void)
{
  g_autoptr (GError) error = NULL;
  TtNameRules *rules = tt_name_rules_load (NULL, &error);

  g_assert_no_error (error);
  return tt_names_new (rules);
}

static TtSink *
new_keeper (GString *text)
{
  return tt_sink_new (tt_observed_back_new (tt_null_back_new (), keep, text), new_names ());
}

/* Returns the bytes of the shard in @fd. */
static guint64
write_shard (int fd, gint64 rank)
{
  g_autoptr (TtShardWriter) writer = tt_shard_writer_new (fd, 0);
  g_autoptr (TtSink) sink = tt_shard_writer_sink (writer, new_names ());
  g_autoptr (GPtrArray) left_out = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  const TtShardEnd end = { .left_out = left_out };

  import (sink, rank);
  tt_shard_writer_finish (writer, sink, &end, &error);
  g_assert_no_error (error);
  return tt_shard_writer_offset (writer);
}

static void
test_same_calls (void)
{
  g_autoptr (GString) straight = g_string_new (NULL), replayed = g_string_new (NULL);
  g_autoptr (TtSink) a = new_keeper (straight), b = new_keeper (replayed);
  g_autoptr (GError) error = NULL;

  for (gint64 rank = 0; rank < 3; rank++)
    {
      int fd = tt_temporary_file (&error);
      guint64 n_bytes = write_shard (fd, rank);
      g_autoptr (TtShard) shard = tt_shard_open (fd, 0, n_bytes, "shard", &error);
      g_assert_no_error (error);
      require_nonnull (shard);
      import (a, rank);
      g_assert_true (tt_shard_fits (shard, b));
      tt_shard_replay (shard, b, &error);
      g_assert_no_error (error);
      close (fd);
    }
  tt_sink_flush (a);
  tt_sink_flush (b);
  g_assert_cmpuint (straight->len, >, 100000);
  g_assert_true (g_string_equal (straight, replayed));
  g_assert_cmpuint (b->notes->len, ==, 3);
  g_assert_cmpuint (a->next_event, ==, b->next_event);
  g_assert_cmpuint (a->next_args, ==, b->next_args);
  g_assert_cmpuint (a->next_owner, ==, b->next_owner);
}

/* What was asked for and not there is there now; a thread comes before others that it came behind. */
static void
test_does_not_fit (void)
{
  g_autoptr (GError) error = NULL;
  int fd = tt_temporary_file (&error);
  g_autoptr (GPtrArray) left_out = g_ptr_array_new ();
  const TtShardEnd end = { .left_out = left_out };

  for (guint question = 0; question < 4; question++)
    {
      g_autoptr (TtShardWriter) writer = tt_shard_writer_new (fd, 0);
      g_autoptr (TtSink) sink = tt_shard_writer_sink (writer, new_names ()), run = tt_null_sink_new (new_names ());
      guint32 process = tt_sink_process (sink, "p", NULL, NULL, 4);
      guint32 other = tt_sink_process (run, "other", NULL, NULL, 7), known = tt_sink_process (run, "p", NULL, NULL, 4);
      tt_sink_thread (run, known, "second", NULL, 0);
      tt_sink_thread (run, other, "x", NULL, 0);
      if (question == 0)
        tt_sink_has_process (sink, "other");
      else if (question == 1)
        tt_sink_has_rank (sink, 7);
      else if (question == 2)
        tt_sink_find_thread (sink, process, "second");
      else
        {
          tt_sink_thread (sink, process, "first", NULL, 0);
          tt_sink_thread (sink, process, "second", NULL, 0);
        }
      tt_shard_writer_finish (writer, sink, &end, &error);
      g_autoptr (TtShard) shard = tt_shard_open (fd, 0, tt_shard_writer_offset (writer), "shard", &error);
      g_assert_no_error (error);
      require_nonnull (shard);
      g_assert_false (tt_shard_fits (shard, run));
      g_autoptr (TtSink) empty = tt_null_sink_new (new_names ());
      g_assert_true (tt_shard_fits (shard, empty));
    }
  close (fd);
}

/* -- damage ------------------------------------------------------------------------------------------------- */

static gboolean
is_read (int fd, guint64 n_bytes)
{
  g_autoptr (TtSink) sink = tt_null_sink_new (new_names ());
  g_autoptr (GError) error = NULL;
  g_autoptr (TtShard) shard = tt_shard_open (fd, 0, n_bytes, "shard", &error);
  gboolean done = shard != NULL && tt_shard_replay (shard, sink, &error);

  g_assert_true (done == (error == NULL));
  if (error != NULL)
    g_assert_nonnull (strstr (error->message, "shard is damaged"));
  return done;
}

static void
test_damage_is_found (void)
{
  g_autoptr (GError) error = NULL;
  int fd = tt_temporary_file (&error);
  const guint64 n_bytes = write_shard (fd, 1);

  g_assert_true (is_read (fd, n_bytes));
  for (guint64 cut = 0; cut < n_bytes; cut += 1 + n_bytes / 40)
    g_assert_false (is_read (fd, cut));
  for (guint64 at = 0; at < n_bytes; at += 1 + n_bytes / 150)
    {
      guint8 byte;
      tt_file_read_at (fd, at, &byte, 1, &error);
      byte ^= 1 << at % 8;
      tt_file_write_at (fd, at, &byte, 1, &error);
      g_assert_false (is_read (fd, n_bytes));
      byte ^= 1 << at % 8;
      tt_file_write_at (fd, at, &byte, 1, &error);
    }
  g_assert_no_error (error);
  g_assert_true (is_read (fd, n_bytes));
  close (fd);
}

/* Bytes that somebody has changed who knows the checksums: an error or other rows, and nothing worse. */
static void
test_changed_bytes (void)
{
  g_autoptr (GError) error = NULL;
  int fd = tt_temporary_file (&error);
  const guint64 n_bytes = write_shard (fd, 1);
  g_autofree guint8 *whole = g_malloc (n_bytes);
  guint n_refused = 0;

  tt_file_read_at (fd, 0, whole, n_bytes, &error);
  for (guint round = 0; round < 200; round++)
    {
      g_autofree guint8 *bytes = g_memdup2 (whole, n_bytes);
      for (guint64 at = 0; at + sizeof (TtShardFrame) < n_bytes - sizeof (guint64);)
        {
          TtShardFrame frame;
          memcpy (&frame, bytes + at, sizeof frame);
          guint8 *contents = bytes + at + sizeof frame;
          /* The beginning says what is there, the rest are mostly values of columns. */
          guint32 most = g_test_rand_bit () ? frame.n_bytes : MIN (frame.n_bytes, 400);
          contents[g_test_rand_int_range (0, (gint32) most)] = (guint8) g_test_rand_int_range (0, 256);
          frame.checksum = XXH3_64bits (contents, frame.n_bytes);
          memcpy (bytes + at, &frame, sizeof frame);
          at += sizeof frame + frame.n_bytes;
        }
      tt_file_write_at (fd, 0, bytes, n_bytes, &error);
      n_refused += !is_read (fd, n_bytes);
    }
  g_assert_no_error (error);
  g_assert_cmpuint (n_refused, >, 20);
  close (fd);
}

/* What is no fault of the input may not be taken for one, or the input is left out. */
static void
test_cannot_be_read (void)
{
  g_autoptr (GError) error = NULL;
  int fd = tt_temporary_file (&error);
  guint64 n_bytes = write_shard (fd, 3);
  g_autoptr (TtSink) sink = tt_null_sink_new (new_names ());
  g_autoptr (TtShard) shard = tt_shard_open (fd, 0, n_bytes, "shard", &error);

  g_assert_no_error (error);
  require_nonnull (shard);
  g_assert_cmpint (ftruncate (fd, 5), ==, 0);
  g_assert_false (tt_shard_replay (shard, sink, &error));
  g_assert_error (error, TT_ERROR, TT_ERROR_STORE);
  g_assert_cmpstr (error->message, ==, "cannot read shard at byte 5: it has become shorter");
  close (fd);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shard/same-calls", test_same_calls);
  g_test_add_func ("/shard/does-not-fit", test_does_not_fit);
  g_test_add_func ("/shard/damage-is-found", test_damage_is_found);
  g_test_add_func ("/shard/changed-bytes", test_changed_bytes);
  g_test_add_func ("/shard/cannot-be-read", test_cannot_be_read);
  return g_test_run ();
}
