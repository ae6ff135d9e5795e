/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStretches: stretches of time on a thread, each in one call path, as distances in as few bytes as they need: some 7, where
 * a struct takes 24.
 *
 * They are added as a scan backwards finds them, the last first; what comes otherwise is put in order at the end. A zeroed
 * one is empty.
 */
#pragma once

#include <glib.h>

typedef struct
{
  gint64 begin_ns, end_ns;
  guint32 path;
} TtStretch;

typedef struct
{
  GByteArray *bytes; /* of each stretch: from its end to the begin of the one added before, its length, its path */
  GArray *places;    /* of TtStretchPlace, of each so many */
  guint n;
  gint64 begin_ns;   /* of the last that was added */
  gboolean is_mixed; /* they did not come from the last to the first */
} TtStretches;

/* Where some of them begin in the bytes. */
typedef struct
{
  gint64 next_ns; /* the begin of the one added before; of the first its end */
  gsize offset;
} TtStretchPlace;

/* Reads them from one place on, the later first. */
typedef struct
{
  const TtStretches *of;
  gint64 next_ns;
  gsize offset;
} TtStretchCursor;

void tt_stretches_add (TtStretches *self, const TtStretch *stretch);
/* After the last is added. */
void tt_stretches_finish (TtStretches *self);
void tt_stretches_clear (TtStretches *self);

/* Before the last that begins before @ns, or earlier. */
TtStretchCursor tt_stretches_before (const TtStretches *self, gint64 ns);
/* FALSE: there is no more. */
gboolean tt_stretch_cursor_next (TtStretchCursor *self, TtStretch *stretch);
