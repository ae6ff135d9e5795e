/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/nccl/open-events.h"
#include "formats/trace-event/import.h"
#include "formats/trace-event/rows.h"

#include <string.h>
#include <xxhash.h>

/*
 * What the example profiler plugin of NCCL writes when a communicator ends (NCCL_PROFILE_DUMP_FILE, a file
 * FILE_<commHash>_<rank>.json each): calls of the interface, collectives, kernels, the proxy's and the network's steps,
 * as asynchronous begins and ends of one thread. Source of the facts: its print_event.c(c) in NCCL 2.23 to 2.29.
 */

#define HEAD_BYTES ((gsize) 4 << 20)

/* The categories that the plugin has. Those that are its alone say so. */
static const struct
{
  const char *category;
  gboolean is_own;
} categories[] = {
  { "GROUP_API", TRUE }, { "COLL_API", TRUE },  { "P2P_API", TRUE }, { "KERNEL_LAUNCH", FALSE }, { "GROUP", FALSE },
  { "COLL", TRUE },      { "P2P", TRUE },       { "PROXY", FALSE },  { "NET", FALSE },           { "GPU", FALSE },
  { "NET_IB", FALSE },   { "NET_SOCK", FALSE }, { "CE_COLL", TRUE }, { "CE_SYNC", FALSE },       { "CE_BATCH", FALSE },
};

typedef struct
{
  TtNcclOpenEvents *open;
  char *communicator; /* "communicator 1234", or NULL */
  guint32 number;     /* of the communicator, for the joining of collectives */
} State;

/* -- recognising ------------------------------------------------------------------------------------- */

static guint
probe (const TtClues *clues)
{
  guint n_known = 0;
  gboolean has_own = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (categories); i++)
    if (g_hash_table_contains (clues->categories, categories[i].category))
      {
        n_known++;
        has_own |= categories[i].is_own;
      }
  for (guint i = 0; i < clues->names->len; i++)
    {
      const char *name = clues->names->pdata[i];
      if (!g_str_has_prefix (name, "b ") && !g_str_has_prefix (name, "e "))
        return 0;
      has_own |= g_str_has_suffix (name, "KernelCh") || g_str_has_suffix (name, "ProgressSend") ||
                 g_str_has_suffix (name, "ProgressRecv");
    }
  return has_own && n_known == g_hash_table_size (clues->categories) && clues->n_metadata == 0 ? 85 : 0;
}

/* -- whose file it is ---------------------------------------------------------------------------------- */

/* The first collective or transfer says the communicator and the rank in it. */
static void
look_ahead (TtTraceEventImport *import, State *state)
{
  g_autoptr (TtTraceEventReader) reader = tt_trace_event_reader_new_head (import->path, HEAD_BYTES, NULL);
  TtTraceEvent event = { .ph = 0 };
  gint64 rank;

  while (reader != NULL && tt_trace_event_reader_next (reader, &event, NULL))
    {
      if (event.ph != 'b' || event.args.kind != TT_JSON_OBJECT)
        continue;
      TtJsonValue hash = tt_json_get (event.args.raw, "CommHash"), number = tt_json_get (event.args.raw, "Rank");
      if (hash.kind != TT_JSON_NUMBER || !tt_json_int64 (&number, &rank) || rank < 0 || rank > G_MAXINT32)
        continue;
      g_autofree char *text = tt_json_text (&hash);
      state->communicator = g_strconcat ("communicator ", text, NULL);
      state->number = (guint32) XXH3_64bits (text, strlen (text)) & G_MAXINT32;
      if (import->rank < 0)
        import->rank = rank;
      return;
    }
}

static gpointer
begin (TtTraceEventImport *import, const TtClues *clues)
{
  State *state = g_new0 (State, 1);

  (void) clues;
  state->open = tt_nccl_open_events_new (import->arrange, import->sink);
  look_ahead (import, state);
  tt_trace_event_prefix_pids (import);
  return state;
}

static void
release (gpointer data)
{
  State *state = data;

  tt_nccl_open_events_free (state->open);
  g_free (state->communicator);
  g_free (state);
}

/* -- events ---------------------------------------------------------------------------------------------- */

static guint64
pair_key (const TtTraceEvent *event)
{
  guint64 key = XXH3_64bits (event->cat.raw.bytes, event->cat.raw.len);

  key = XXH3_64bits_withSeed (event->id.raw.bytes, event->id.raw.len, key);
  key = XXH3_64bits_withSeed (event->pid.raw.bytes, event->pid.raw.len, key);
  return XXH3_64bits_withSeed (event->name.raw.bytes, event->name.raw.len, key);
}

static guint32
name_of (TtTraceEventImport *import, State *state, const TtTraceEvent *event)
{
  gboolean is_collective = TT_SLICE_IS (event->cat.raw, "COLL") || TT_SLICE_IS (event->cat.raw, "CE_COLL");

  if (!is_collective || event->name.kind != TT_JSON_STRING || state->communicator == NULL)
    return tt_trace_event_name (import, event);
  g_autofree char *text = tt_json_text (&event->name);
  g_autofree char *group = tt_json_text (&event->cat);
  const TtRawName raw = { .raw = text, .group = group, .communicator = state->number };
  return tt_sink_name (import->sink, &raw);
}

static gboolean
take_event (TtTraceEventImport *import, const TtTraceEvent *event, gpointer data, GError **error)
{
  State *state = data;
  TtTraceRecord row = { .step = TT_NO_STEP };

  (void) error;
  if (state->communicator != NULL && event->ph != 'M')
    tt_trace_event_alias_thread (import, event, tt_trace_event_process (import, event), state->communicator);
  if (event->ph == 'e' && (event->has & TT_EVENT_HAS_TS) != 0 &&
      tt_nccl_open_events_end (state->open, event->ts_ns, pair_key (event)))
    return TRUE;
  row.name = tt_trace_event_is_row (event->ph) ? name_of (import, state, event) : TT_NO_ID;
  if (event->ph != 'b')
    {
      tt_trace_event_add (import, event, row.name, TT_NO_STEP, 0);
      return TRUE;
    }
  if (!tt_trace_event_locate (import, event, &row))
    return TRUE;
  row.args = tt_trace_event_args (import, event);
  tt_nccl_open_events_begin (state->open, &row, pair_key (event));
  return TRUE;
}

static gboolean
end (TtTraceEventImport *import, gpointer data, GError **error)
{
  State *state = data;

  (void) import;
  (void) error;
  tt_nccl_open_events_finish (state->open);
  return TRUE;
}

const TtDialect tt_dialect_nccl_profiler = {
  .name = "nccl-profiler",
  .probe = probe,
  .begin = begin,
  .event = take_event,
  .header = tt_trace_event_add_header,
  .end = end,
  .release = release,
};

TT_DIALECT_FORMAT_NAMED (nccl_profiler, "nccl-profiler", "events of NCCL's profiler plugin (its example)");
