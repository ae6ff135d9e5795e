/*
 * TtTauEdf: the definitions of a TAU trace (events.N.edf, tau.edf), by event id.
 *
 * Text is fed in pieces of any size; rows go to a tape, so that millions of definitions cost little
 * memory and a name is made only when a record uses it. What is odd but clear is counted in repairs,
 * with line numbers as places; what is not is an error with its line.
 */
#pragma once

#include "src/repairs.h"

/* What the records of a row mean. */
typedef enum
{
  TT_TAU_NOT_DEFINED,
  TT_TAU_STATE,         /* enter and leave */
  TT_TAU_FLUSH,         /* the same, of the tracer's own buffer flush */
  TT_TAU_FLUSH_ENTER,   /* old traces: a record of its own for each end */
  TT_TAU_FLUSH_EXIT,
  TT_TAU_VALUE,         /* user event between fences of 0 */
  TT_TAU_METADATA,      /* the same, named "Key | value" */
  TT_TAU_SINGLE,        /* user event without fences */
  TT_TAU_METRIC,        /* monotonic: follows every enter and leave */
  TT_TAU_SEND,
  TT_TAU_RECV,
  TT_TAU_ONESIDED_SEND, /* followed by the two parts of its id */
  TT_TAU_ONESIDED_RECV,
  TT_TAU_ONESIDED,      /* direction unknown */
  TT_TAU_ONESIDED_ID1,
  TT_TAU_ONESIDED_ID2,
  TT_TAU_INIT,
  TT_TAU_CLOSE,
  TT_TAU_WALL_CLOCK,
  TT_TAU_SILENT,        /* defined, says nothing */
  TT_TAU_OTHER,         /* of a kind that is not known */
} TtTauKind;

typedef struct
{
  TtTauKind kind;
  gint64 tag;
  const char *group;
  const char *name; /* trimmed, valid UTF-8 */
} TtTauRow;

typedef struct _TtTauEdf TtTauEdf;

/* @path: for messages. */
TtTauEdf *tt_tau_edf_new (const char *path);
void tt_tau_edf_free (TtTauEdf *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTauEdf, tt_tau_edf_free)

gboolean tt_tau_edf_feed (TtTauEdf *self, const char *text, gsize len, GError **error);
gboolean tt_tau_edf_end (TtTauEdf *self, GError **error);

/* All of the file at @path. */
TtTauEdf *tt_tau_edf_load (const char *path, GError **error);

/* FALSE: no such id. Strings live until the next call. */
gboolean tt_tau_edf_find (TtTauEdf *self, gint64 id, TtTauRow *row);
gboolean tt_tau_edf_has (TtTauEdf *self, gint64 id);

const char *tt_tau_edf_path (const TtTauEdf *self);
guint64 tt_tau_edf_n_rows (const TtTauEdf *self);
const TtRepairs *tt_tau_edf_repairs (const TtTauEdf *self);
/* Whether its temporary files have held. */
gboolean tt_tau_edf_check (const TtTauEdf *self, GError **error);

/* Whether text begins as such a file does. */
gboolean tt_tau_edf_probe (const guint8 *head, gsize len);
