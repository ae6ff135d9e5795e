/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/import.h"
#include "formats/trace-event/rows.h"
#include "formats/nccl/names.h"
#include "formats/trace-event/operator-rows.h"

#include <string.h>

/* comm_detail.json of one rank outside a job: every slice that NCCL sends or receives. */

#define DETAIL "comm_detail"

typedef struct
{
  GString *suffix;
  char *base; /* --pid, or NULL */
} State;

/* -- recognising ------------------------------------------------------------------------------------- */

static guint
probe (const TtClues *clues)
{
  guint n_transfers = 0;

  for (guint i = 0; i < clues->names->len; i++)
    {
      const char *name = clues->names->pdata[i];
      n_transfers += g_str_has_suffix (name, ".SEND") || g_str_has_suffix (name, ".RECV");
    }
  return clues->n_comm_detail > 0 && n_transfers * 2 >= clues->names->len && n_transfers > 0 ? 65 : 0;
}

static gpointer
begin (TtTraceEventImport *import, const TtClues *clues)
{
  State *state = g_new0 (State, 1);

  (void) clues;
  state->suffix = g_string_new (NULL);
  if (import->options->pid != NULL || import->options->rank >= 0)
    state->base = tt_operator_pid (import->options);
  return state;
}

static void
release (gpointer data)
{
  State *state = data;

  g_string_free (state->suffix, TRUE);
  g_free (state->base);
  g_free (state);
}

/* -- names --------------------------------------------------------------------------------------------- */

/* "loop_channel_chunk_slice", as far as they are there. */
static const char *
make_suffix (State *state, const TtTraceEvent *event)
{
  static const char *const keys[] = { "loopId", "channelId", "chunkId", "sliceId" };

  g_string_truncate (state->suffix, 0);
  if (event->args.kind != TT_JSON_OBJECT || tt_json_get (event->args.raw, "chunkId").kind == TT_JSON_NONE)
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      TtJsonValue value = tt_json_get (event->args.raw, keys[i]);
      gint64 id = 0;
      tt_json_int64 (&value, &id);
      g_string_append_printf (state->suffix, "%s%" G_GINT64_FORMAT, i > 0 ? "_" : "", id);
    }
  return state->suffix->str;
}

static guint32
name_of (TtTraceEventImport *import, State *state, const TtTraceEvent *event)
{
  g_autofree char *text = tt_json_text (&event->name);
  g_autofree char *ids = NULL;
  TtRawName raw = { .raw = text, .op_cat = "Comm", .group = "Comm" };

  if (tt_nccl_name (text, &ids, &raw.sub_op))
    {
      /* Older traces number the steps within the name: that does not make other names. */
      raw.raw = ids;
      raw.suffix = make_suffix (state, event);
    }
  return tt_sink_name (import->sink, &raw);
}

/* -- processes and threads ---------------------------------------------------------------------------------- */

/* "comm_detail_r3_lr1" is rank 3; what it is in its job only the job knows. */
static gint64
rank_of (const char *pid)
{
  const char *mark = strstr (pid, DETAIL "_r");
  guint64 rank;

  if (mark == NULL)
    return -1;
  mark += strlen (DETAIL "_r");
  g_autofree char *digits = g_strndup (mark, strspn (mark, "0123456789"));
  return g_ascii_string_to_unsigned (digits, 10, 0, G_MAXINT32, &rank, NULL) ? (gint64) rank : -1;
}

static gboolean
take_event (TtTraceEventImport *import, const TtTraceEvent *event, gpointer data, GError **error)
{
  State *state = data;
  gboolean is_transfer = (event->ph == 'X' || event->ph == 'i' || event->ph == 'I') &&
                         event->pid.kind == TT_JSON_STRING && event->name.kind == TT_JSON_STRING;

  (void) error;
  if (!is_transfer)
    {
      tt_trace_event_add (import, event, tt_trace_event_name (import, event), TT_NO_STEP, 0);
      return TRUE;
    }
  g_autofree char *line = tt_json_text (&event->pid);
  gint64 rank = import->options->rank >= 0 ? import->options->rank : rank_of (line);
  g_autofree char *pid = state->base != NULL ? g_strdup (state->base)
                         : rank >= 0         ? g_strdup_printf ("rank%" G_GINT64_FORMAT, rank)
                                             : g_strdup ("default");
  TtTraceRecord span = { .process = tt_sink_process (import->sink, pid, NULL, NULL, rank),
                       .name = name_of (import, state, event),
                       .step = TT_NO_STEP,
                       .ts_ns = event->ts_ns,
                       .dur_ns = event->dur_ns,
                       .args = tt_trace_event_args (import, event),
                       .offset = event->offset };
  span.thread = tt_sink_thread (import->sink, span.process, line, NULL, 0);
  if (event->ph == 'X')
    tt_arrange_span (import->arrange, &span);
  else
    tt_arrange_instant (import->arrange, &span);
  return TRUE;
}

const TtDialect tt_dialect_nccl = {
  .name = "nccl",
  .probe = probe,
  .begin = begin,
  .event = take_event,
  .header = tt_trace_event_add_header,
  .release = release,
};

TT_DIALECT_FORMAT (nccl, "slices that NCCL sends and receives (comm_detail.json)");
