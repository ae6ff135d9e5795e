/* SPDX-License-Identifier: Apache-2.0 */
/*
 * load-events DATABASE < EVENTS: a database of events given one a line, tabs between: pid, tid, op_cat, op_name, sub_op,
 * suffix, ts_ns, dur_ns, step. An empty field is none. Lines are in the order of ends per thread. A line may also be a tensor:
 * "parameter", tensor_id, tensor_name, shape, dtype, update_id, origin.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/pass.h"
#include "src/store/store.h"

enum
{
  PID,
  TID,
  OP_CAT,
  OP_NAME,
  SUB_OP,
  SUFFIX,
  TS_NS,
  DUR_NS,
  STEP,
  N_FIELDS
};

static void
load_event (TtSink *sink, char **fields)
{
  const TtRawName raw = {
    .raw = fields[OP_NAME],
    .op_cat = fields[OP_CAT],
    .sub_op = *fields[SUB_OP] == '\0' ? NULL : fields[SUB_OP],
    .suffix = *fields[SUFFIX] == '\0' ? NULL : fields[SUFFIX],
  };

  guint32 process = tt_sink_process (sink, fields[PID], NULL, NULL, -1);
  guint32 thread = tt_sink_thread (sink, process, fields[TID], NULL, 0);
  guint32 name = tt_sink_name (sink, &raw);
  gint64 ts_ns = g_ascii_strtoll (fields[TS_NS], NULL, 10);
  gint64 dur_ns = *fields[DUR_NS] == '\0' ? TT_NO_TIME : g_ascii_strtoll (fields[DUR_NS], NULL, 10);
  gint32 step = *fields[STEP] == '\0' ? TT_NO_STEP : (gint32) g_ascii_strtoll (fields[STEP], NULL, 10);

  tt_sink_event (sink, thread, name, ts_ns, dur_ns, MAX (dur_ns, 0), 0, 0, step, 0);
}

static const char *
null_if_empty (const char *text)
{
  return *text == '\0' ? NULL : text;
}

static void
load_parameter (TtSink *sink, char **fields)
{
  g_assert_cmpuint (g_strv_length (fields), ==, 7);
  tt_sink_parameter (sink, atoi (fields[1]), null_if_empty (fields[2]), null_if_empty (fields[3]),
                     null_if_empty (fields[4]), *fields[5] == '\0' ? -1 : atoi (fields[5]), null_if_empty (fields[6]));
}

static void
load_events (TtSink *sink)
{
  char *line = NULL;
  size_t size = 0;

  tt_sink_begin_source (sink, "events", "events.tsv", TT_CLOCK_RELATIVE);
  while (getline (&line, &size, stdin) > 0)
    {
      line[strcspn (line, "\n")] = '\0';
      g_auto (GStrv) fields = g_strsplit (line, "\t", -1);

      if (strcmp (fields[0], "parameter") == 0)
        {
          load_parameter (sink, fields);
          continue;
        }
      g_assert_cmpuint (g_strv_length (fields), ==, N_FIELDS);
      load_event (sink, fields);
    }
  free (line);
  tt_sink_end_source (sink, 1, "0", TT_CLOCK_RELATIVE);
}

int
main (int argc, char **argv)
{
  TtStoreImportOptions options = { .command = "load-events" };
  GError *error = NULL;

  if (argc != 2)
    return 2;
  TtStoreImport *import = tt_store_import_begin (argv[1], &options, tt_names_new (NULL), &error);
  g_assert_no_error (error);
  TtSink *sink = tt_store_import_sink (import);
  load_events (sink);
  tt_sink_finish (sink, &error);
  g_assert_no_error (error);
  tt_store_import_join (import, &error);
  g_assert_no_error (error);
  tt_sink_free (sink);
  for (guint i = 0; tt_passes[i] != NULL; i++)
    tt_passes[i]->run (import, NULL, &error);
  g_assert_no_error (error);
  tt_store_import_commit (import, &error);
  g_assert_no_error (error);
  tt_store_import_free (import);
  return 0;
}
