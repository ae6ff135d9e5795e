/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communication/comm.h"
#include "analyzers/waits/finder.h"
#include "analyzers/waits/threads.h"

#include "src/store/import/import.h"
#include "src/store/store.h"
#include "src/trace/nest/nest.h"

#include "tests/require.h"

#include <glib/gstdio.h>

/* A run of three processes made by hand, whose waits are known. */

#define N_PROCESSES 3

typedef struct
{
  char *folder, *path;
  TtSink *sink;
  TtNest *nest;
  guint32 process[N_PROCESSES];
  TtNestThread *thread[N_PROCESSES];
} Fixture;

static guint32
name_of (Fixture *self, const char *raw)
{
  return tt_sink_name (self->sink, &(TtRawName){ .raw = raw, .group = "MPI" });
}

/* A call with at most one message half in it. @peer -1: none. */
static void
call (Fixture *self, guint rank, const char *raw, gint64 begin, gint64 end, int peer, gint64 at, gint64 bytes)
{
  guint32 name = name_of (self, raw);
  gboolean is_send = g_str_equal (raw, "MPI_Send()");

  tt_nest_enter (self->nest, self->thread[rank], name, begin, 0);
  if (peer >= 0)
    {
      const TtNestHalf half = {
        .ts_ns = at, .tag = 7, .bytes = bytes, .peer = self->process[peer], .is_send = is_send
      };
      tt_nest_half (self->nest, self->thread[rank], &half);
    }
  tt_nest_leave (self->nest, self->thread[rank], name, end, 0);
}

static void
make_run (Fixture *self)
{
  for (guint rank = 0; rank < N_PROCESSES; rank++)
    {
      g_autofree char *pid = g_strdup_printf ("node%u", rank);
      self->process[rank] = tt_sink_process (self->sink, pid, NULL, NULL, rank);
      guint32 thread = tt_sink_thread (self->sink, self->process[rank], "0", NULL, 0);
      self->thread[rank] = tt_nest_thread (self->nest, thread, self->process[rank]);
    }

  /* The receiver waits from 500 for a send at 1050. */
  call (self, 0, "MPI_Send()", 1000, 1100, 1, 1050, 100);
  call (self, 1, "MPI_Recv()", 500, 1200, 0, 1150, 4096);
  /* Sent long before it is received: nobody waits. */
  call (self, 1, "MPI_Send()", 1990, 2010, 0, 2000, 50);
  call (self, 0, "MPI_Recv()", 2500, 2600, 1, 2550, 4096);
  /* Clocks disagree: the send is later than the end of the receive. */
  call (self, 1, "MPI_Recv()", 2100, 2200, 0, 2190, 4096);
  call (self, 0, "MPI_Send()", 2700, 2800, 1, 2750, 10);
  /* Nobody receives it. */
  call (self, 2, "MPI_Send()", 2000, 2100, 1, 2050, 64);

  /* The third leaves before the last has come. */
  call (self, 0, "MPI_Allreduce()", 3000, 3500, -1, 0, 0);
  call (self, 1, "MPI_Allreduce()", 3300, 3500, -1, 0, 0);
  call (self, 2, "MPI_Allreduce()", 3100, 3200, -1, 0, 0);
  /* A second call, in which rank 0 is last. */
  call (self, 0, "MPI_Allreduce()", 4100, 4200, -1, 0, 0);
  call (self, 1, "MPI_Allreduce()", 4000, 4200, -1, 0, 0);
  call (self, 2, "MPI_Allreduce()", 4000, 4200, -1, 0, 0);
  /* And one of a single rank. */
  call (self, 1, "MPI_Allreduce()", 5000, 5100, -1, 0, 0);
}

static void
fixture_set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  const TtStoreImportOptions options = { .command = "test" };

  self->folder = g_dir_make_tmp ("tracetool-XXXXXX", &error);
  require_no_error (error);
  self->path = g_build_filename (self->folder, "trace.db", NULL);
  TtNameRules *rules = tt_name_rules_load (NULL, &error);
  require_no_error (error);
  TtNames *names = tt_names_new (rules);
  tt_names_set_source (names, "tau");
  g_autoptr (TtStoreImport) import = tt_store_import_begin (self->path, &options, names, &error);
  require_no_error (error);

  self->sink = tt_store_import_sink (import);
  tt_sink_begin_source (self->sink, "tau", "by hand", TT_CLOCK_RELATIVE);
  self->nest = tt_nest_new (self->sink);
  make_run (self);
  tt_nest_finish (self->nest);
  tt_nest_free (self->nest);
  tt_sink_end_source (self->sink, 1, "00000000000000000000000000000000", TT_CLOCK_RELATIVE);
  g_assert_true (tt_sink_finish (self->sink, &error));
  tt_sink_free (self->sink);
  g_assert_true (tt_store_import_join (import, &error));
  g_assert_true (tt_store_import_commit (import, &error));
  g_assert_no_error (error);
}

static void
fixture_tear_down (Fixture *self, gconstpointer data)
{
  g_unlink (self->path);
  g_rmdir (self->folder);
  g_free (self->path);
  g_free (self->folder);
}

static TtComm *
read_comm (Fixture *self, const char *filter, const char *window, TtStore **store)
{
  g_autoptr (GError) error = NULL;
  const char *filters[] = { filter, NULL };

  *store = tt_store_open (self->path, &error);
  g_assert_no_error (error);
  g_assert_true (tt_store_select_run (*store, NULL, &error));
  g_autoptr (TtSelection) selection = tt_selection_new (filters, window, TT_UNIT_NS, &error);
  g_assert_no_error (error);
  g_assert_true (tt_selection_bind (selection, *store, &error));
  TtComm *comm = tt_comm_new (*store, selection, &error);
  g_assert_no_error (error);
  return comm;
}

static void
test_messages (Fixture *self, gconstpointer data)
{
  g_autoptr (TtStore) store = NULL;
  g_autoptr (TtComm) comm = read_comm (self, NULL, NULL, &store);
  static const struct
  {
    guint src, dst;
    guint64 count, n_matched;
    gint64 bytes, min_bytes, max_bytes, wait_ns;
  } pairs[] = {
    { 0, 1, 2, 2, 110, 10, 100, 550 + 100 },
    { 1, 0, 1, 1, 50, 50, 50, 0 },
    { 2, 1, 1, 0, 64, 64, 64, 0 },
  };

  g_assert_cmpuint (comm->pairs->len, ==, G_N_ELEMENTS (pairs));
  for (guint i = 0; i < MIN (comm->pairs->len, G_N_ELEMENTS (pairs)); i++)
    {
      const TtCommPair *pair = &g_array_index (comm->pairs, TtCommPair, i);
      g_assert_cmpint (tt_store_process (store, pair->src)->rank, ==, pairs[i].src);
      g_assert_cmpint (tt_store_process (store, pair->dst)->rank, ==, pairs[i].dst);
      g_assert_cmpuint (pair->sums.count, ==, pairs[i].count);
      g_assert_cmpuint (pair->sums.n_matched, ==, pairs[i].n_matched);
      g_assert_cmpint ((gint64) pair->sums.bytes, ==, pairs[i].bytes);
      g_assert_cmpint (pair->sums.min_bytes, ==, pairs[i].min_bytes);
      g_assert_cmpint (pair->sums.max_bytes, ==, pairs[i].max_bytes);
      g_assert_cmpint ((gint64) pair->sums.wait_ns, ==, pairs[i].wait_ns);
    }
  g_assert_cmpuint (comm->all.count, ==, 4);
  g_assert_cmpint ((gint64) comm->all.wait_ns, ==, 650);
}

static void
test_collectives (Fixture *self, gconstpointer data)
{
  g_autoptr (TtStore) store = NULL;
  g_autoptr (TtComm) comm = read_comm (self, NULL, NULL, &store);

  g_assert_cmpuint (comm->collectives->len, ==, 1);
  const TtCommCollective *collective = &g_array_index (comm->collectives, TtCommCollective, 0);
  g_assert_cmpuint (collective->n_calls, ==, 3);
  g_assert_cmpuint (collective->n_processes, ==, 3);
  g_assert_cmpuint (collective->n_spreads, ==, 2);
  g_assert_cmpint (collective->min_spread_ns, ==, 100);
  g_assert_cmpint (collective->max_spread_ns, ==, 300);
  g_assert_cmpint ((gint64) collective->wait_ns, ==, 300 + 100 + 100 + 100);
  /* One each: the lower rank is named. */
  g_assert_cmpuint (collective->n_last, ==, 1);
  g_assert_cmpint (tt_store_process (store, collective->last_process)->rank, ==, 0);

  const gint64 waits[N_PROCESSES] = { 300, 100, 100 + 100 };
  g_assert_cmpuint (comm->processes->len, ==, N_PROCESSES);
  for (guint i = 0; i < MIN (comm->processes->len, N_PROCESSES); i++)
    g_assert_cmpint ((gint64) g_array_index (comm->processes, TtCommProcess, i).collective_wait_ns, ==, waits[i]);
}

static void
test_selection (Fixture *self, gconstpointer data)
{
  g_autoptr (TtStore) store = NULL;
  g_autoptr (TtComm) comm = read_comm (self, "pid=node2", NULL, &store);
  g_assert_cmpuint (comm->all.count, ==, 1);
  g_assert_cmpuint (g_array_index (comm->collectives, TtCommCollective, 0).n_calls, ==, 2);

  /* The run begins at 500. */
  g_autoptr (TtStore) again = NULL;
  g_autoptr (TtComm) early = read_comm (self, NULL, ":1000", &again);
  g_assert_cmpuint (early->all.count, ==, 1);
  g_assert_cmpuint (early->collectives->len, ==, 0);
}

/* Whether barriers are taken of which another rank says that @span is one. */
static gboolean
take_barrier (TtStore *store, TtWaitSpan span)
{
  g_autoptr (TtThreadWaits) waits = tt_thread_waits_new (store);
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (TtWaitSpan));
  g_autoptr (GArray) nothing = g_array_new (FALSE, FALSE, sizeof (TtWaitSpan));
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  g_array_append_val (spans, span);
  /* Joins, locks, barriers, finalizes, ends. */
  for (guint i = 0; i < 5; i++)
    tt_dealt_pack (i == 2 ? spans : nothing, bytes);
  TtUnpack from = tt_unpack_all (bytes);
  return tt_thread_waits_add (waits, &from);
}

static gboolean
is_known (TtStore *store, TtWait wait)
{
  g_autoptr (GArray) waits = g_array_new (FALSE, FALSE, sizeof (TtWait));

  g_array_append_val (waits, wait);
  return tt_waits_are_known (waits, store);
}

/* What another rank says is of threads and names that there are. */
static void
test_unknown_ids (Fixture *self, gconstpointer data)
{
  g_autoptr (TtStore) store = NULL;
  g_autoptr (TtComm) comm = read_comm (self, NULL, NULL, &store);
  const guint32 thread = tt_store_max_thread (store), name = tt_store_max_name (store);

  g_assert_true (take_barrier (store, (TtWaitSpan){ .event = 1, .thread = thread, .name = name }));
  g_assert_false (take_barrier (store, (TtWaitSpan){ .event = 1, .thread = thread, .name = name + 1 }));
  g_assert_false (take_barrier (store, (TtWaitSpan){ .event = 1, .thread = thread + 1, .name = name }));
  g_assert_true (is_known (store, (TtWait){ .thread = thread, .name = name, .from_name = TT_NO_ID }));
  g_assert_false (is_known (store, (TtWait){ .thread = thread, .name = name + 1 }));
  g_assert_false (is_known (store, (TtWait){ .thread = thread, .name = name, .from_name = name + 1 }));
  g_assert_false (is_known (store, (TtWait){ .thread = thread, .name = name, .from_thread = thread + 1 }));
  g_assert_false (is_known (store, (TtWait){ .thread = thread, .name = name, .kind = TT_N_WAIT_KINDS }));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add ("/comm/messages", Fixture, NULL, fixture_set_up, test_messages, fixture_tear_down);
  g_test_add ("/comm/collectives", Fixture, NULL, fixture_set_up, test_collectives, fixture_tear_down);
  g_test_add ("/comm/selection", Fixture, NULL, fixture_set_up, test_selection, fixture_tear_down);
  g_test_add ("/comm/unknown-ids", Fixture, NULL, fixture_set_up, test_unknown_ids, fixture_tear_down);
  return g_test_run ();
}
