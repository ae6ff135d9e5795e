/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/ids.h"

#include "formats/tau/tau-name.h"

#include <string.h>

/* Of larger files only what is used is kept. */
#define MOST_KEPT_UNUSED 65536u

/* The tables below the hot one. */
typedef struct _TtTauIdsCold
{
  TtTauEdf *edf;
  TtSink *sink;
  TtTauName name;
  guint32 sent_sizes;
} Cold;

TtTauIds *
tt_tau_ids_new (TtTauEdf *edf, TtSink *sink)
{
  TtTauIds *self = g_new0 (TtTauIds, 1);

  self->cold = g_new0 (Cold, 1);
  self->cold->edf = edf;
  self->cold->sink = sink;
  self->hot = g_new (TtTauEvent, TT_TAU_HOT_IDS);
  /* An id that has its home elsewhere is never found. */
  for (guint i = 0; i < TT_TAU_HOT_IDS; i++)
    self->hot[i] = (TtTauEvent){ .id = (gint64) i + 1 };
  return self;
}

void
tt_tau_ids_free (TtTauIds *self)
{
  if (self == NULL)
    return;
  tt_tau_edf_free (self->cold->edf);
  tt_tau_name_clear (&self->cold->name);
  g_free (self->cold);
  g_free (self->hot);
  g_free (self);
}

TtTauEdf *
tt_tau_ids_edf (const TtTauIds *self)
{
  return self->cold->edf;
}

gboolean
tt_tau_ids_check (const TtTauIds *self, GError **error)
{
  return tt_tau_edf_check (self->cold->edf, error);
}

static guint32
state_name (Cold *cold, const TtTauRow *row, const char *text)
{
  tt_tau_name_split (&cold->name, text);
  return tt_sink_name (cold->sink, &(TtRawName){
                                       .raw = text,
                                       .op = cold->name.op->str,
                                       .op_follows_raw = TRUE,
                                       .group = row->group,
                                       .file = cold->name.file->len > 0 ? cold->name.file->str : NULL,
                                       .line = cold->name.line,
                                       .is_asked_once = TRUE,
                                   });
}

static guint32
value_series (Cold *cold, const TtTauRow *row)
{
  guint32 series = tt_sink_series (cold->sink, row->name, NULL, FALSE);

  if (strcmp (row->name, "Message size sent to all nodes") == 0)
    cold->sent_sizes = series;
  return series;
}

guint32
tt_tau_ids_sent_sizes (const TtTauIds *self)
{
  return self->cold->sent_sizes;
}

static guint32
value_of (Cold *cold, const TtTauRow *row)
{
  switch (row->kind)
    {
    case TT_TAU_STATE:
    case TT_TAU_FLUSH:
      return state_name (cold, row, row->name);
    case TT_TAU_FLUSH_ENTER:
    case TT_TAU_FLUSH_EXIT:
      return state_name (cold, row, "FLUSH");
    case TT_TAU_METRIC:
      return tt_sink_series (cold->sink, row->name, NULL, TRUE);
    case TT_TAU_VALUE:
      return value_series (cold, row);
    case TT_TAU_SINGLE:
      return tt_sink_series (cold->sink, row->name, NULL, FALSE);
    case TT_TAU_METADATA: /* these have a series only where a value turns out to be a counter's */
    case TT_TAU_ONESIDED_SEND:
    case TT_TAU_ONESIDED_RECV:
    case TT_TAU_ONESIDED:
    case TT_TAU_ONESIDED_ID1:
    case TT_TAU_ONESIDED_ID2:
    case TT_TAU_NOT_DEFINED:
    case TT_TAU_SEND:
    case TT_TAU_RECV:
    case TT_TAU_INIT:
    case TT_TAU_CLOSE:
    case TT_TAU_WALL_CLOCK:
    case TT_TAU_SILENT:
    case TT_TAU_OTHER:
      return 0;
    }
  return 0;
}

void
tt_tau_ids_keep_unused (TtTauIds *self)
{
  Cold *cold = self->cold;
  guint64 at = 0;
  TtTauRow row;

  if (tt_tau_edf_n_rows (cold->edf) <= MOST_KEPT_UNUSED)
    while (tt_tau_edf_next (cold->edf, &at, &row))
      if (row.kind == TT_TAU_STATE || row.kind == TT_TAU_METRIC || row.kind == TT_TAU_VALUE ||
          row.kind == TT_TAU_SINGLE)
        value_of (cold, &row);
}

const TtTauEvent *
tt_tau_ids_find_slowly (TtTauIds *self, gint64 id)
{
  Cold *cold = self->cold;
  TtTauEvent *hot = &self->hot[(guint64) id % TT_TAU_HOT_IDS];
  TtTauKind kind = TT_TAU_NOT_DEFINED;
  guint32 value = 0;
  TtTauRow row;

  if (!tt_tau_edf_get_resolved (cold->edf, id, &kind, &value))
    {
      const gboolean is_defined = tt_tau_edf_find (cold->edf, id, &row);

      kind = is_defined ? row.kind : TT_TAU_NOT_DEFINED;
      value = is_defined ? value_of (cold, &row) : 0;
      /* The rows of others are asked for again. */
      if (value != 0)
        tt_tau_edf_resolve (cold->edf, id, kind, value);
    }
  *hot = (TtTauEvent){ .id = id, .kind = (guint32) kind, .value = value };
  return hot;
}
