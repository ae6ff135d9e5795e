/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small traces for tests: a list of records, and a database made of it through sink, nest and store.
 */
#pragma once

#include <glib/gstdio.h>

#include "src/store/import/import.h"
#include "src/trace/nest/nest.h"
#include "src/store/store.h"

typedef enum
{
  TRACE_ENTER,
  TRACE_LEAVE,
  TRACE_SEND,
  TRACE_RECV,
} TraceKind;

typedef struct
{
  guint process, thread; /* from 0 */
  TraceKind kind;
  const char *name; /* of ENTER */
  gint64 ts_ns;
  guint peer; /* process; of SEND and RECV */
} TraceRecord;

typedef struct
{
  char *folder, *path;
  TtStore *store;
} TraceStore;

/* Thread t of process p has id p * n_threads + t + 1, process p has id p + 1. */
static inline void
trace_write (TtSink *sink, const TraceRecord *records, guint n, guint n_processes, guint n_threads)
{
  g_autoptr (TtNest) nest = tt_nest_new (sink);
  g_autofree TtNestThread **threads = g_new0 (TtNestThread *, n_processes * n_threads);
  g_autofree GArray **stacks = g_new0 (GArray *, n_processes * n_threads);
  guint offset = 0;

  tt_sink_begin_source (sink, "tau", "test.trc", TT_CLOCK_RELATIVE);
  for (guint p = 0; p < n_processes; p++)
    {
      g_autofree char *pid = g_strdup_printf ("node%u", p);
      guint32 process = tt_sink_process (sink, pid, NULL, NULL, p);
      for (guint t = 0; t < n_threads; t++)
        {
          g_autofree char *tid = g_strdup_printf ("%u", t);
          guint32 thread = tt_sink_thread (sink, process, tid, NULL, t);
          g_assert_cmpuint (thread, ==, p * n_threads + t + 1);
          threads[p * n_threads + t] = tt_nest_thread (nest, thread, process);
          stacks[p * n_threads + t] = g_array_new (FALSE, FALSE, sizeof (guint32));
        }
    }

  for (guint i = 0; i < n; i++)
    {
      const TraceRecord *record = &records[i];
      guint at = record->process * n_threads + record->thread;
      guint32 name;

      offset++;
      switch (record->kind)
        {
        case TRACE_ENTER:
          name = tt_sink_name (sink, &(TtRawName){ .raw = record->name,
                                                   .group = g_str_has_prefix (record->name, "MPI_") ? "MPI" : "USER" });
          tt_nest_enter (nest, threads[at], name, record->ts_ns, offset);
          g_array_append_val (stacks[at], name);
          break;
        case TRACE_LEAVE:
          g_assert_cmpuint (stacks[at]->len, >, 0);
          name = g_array_index (stacks[at], guint32, stacks[at]->len - 1);
          g_array_set_size (stacks[at], stacks[at]->len - 1);
          tt_nest_leave (nest, threads[at], name, record->ts_ns, offset);
          break;
        case TRACE_SEND:
        case TRACE_RECV:
          tt_nest_half (nest, threads[at],
                        &(TtNestHalf){ .ts_ns = record->ts_ns,
                                       .tag = 7,
                                       .bytes = 8,
                                       .peer = record->peer + 1,
                                       .is_send = record->kind == TRACE_SEND });
          break;
        }
    }
  tt_nest_finish (nest);
  for (guint i = 0; i < n_processes * n_threads; i++)
    g_array_unref (stacks[i]);
  tt_sink_end_source (sink, n, "0123", TT_CLOCK_RELATIVE);
}

static inline void
trace_store_init (TraceStore *self, const TraceRecord *records, guint n, guint n_processes, guint n_threads)
{
  g_autoptr (GError) error = NULL;
  TtNameRules *rules = tt_name_rules_load (NULL, &error);
  TtStoreImportOptions options = { .command = "test" };
  TtStoreImport *import;
  TtNames *names;
  TtSink *sink;

  g_assert_no_error (error);
  self->folder = g_dir_make_tmp ("tracetool-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "trace.db", NULL);
  names = tt_names_new (rules);
  tt_names_set_source (names, "tau");
  import = tt_store_import_begin (self->path, &options, names, &error);
  g_assert_no_error (error);
  sink = tt_store_import_sink (import);
  trace_write (sink, records, n, n_processes, n_threads);
  g_assert_true (tt_sink_finish (sink, &error));
  g_assert_no_error (error);
  g_assert_true (tt_store_import_join (import, &error));
  g_assert_no_error (error);
  tt_sink_free (sink);
  g_assert_true (tt_store_import_commit (import, &error));
  g_assert_no_error (error);
  tt_store_import_free (import);
  self->store = tt_store_open (self->path, &error);
  g_assert_no_error (error);
}

static inline void
trace_store_clear (TraceStore *self)
{
  tt_store_free (self->store);
  g_remove (self->path);
  g_rmdir (self->folder);
  g_free (self->path);
  g_free (self->folder);
  *self = (TraceStore){ 0 };
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TraceStore, trace_store_clear)
