/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSpanPlaces: at which places of an order the spans of each operation are, and in which steps; some 3 bytes a span. What goes beyond a
 * bounded memory, some 100 bytes an operation besides, lies on a temporary file.
 */
#pragma once

#include <glib.h>

typedef struct
{
  gint32 step; /* TT_NO_STEP: none */
  guint64 index;
} TtSpanPlace;

typedef struct _TtSpanPlaces TtSpanPlaces;

TtSpanPlaces *tt_span_places_new (void);
void tt_span_places_free (TtSpanPlaces *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSpanPlaces, tt_span_places_free)

/* @op: at most one more than all before. @index: more than all before. Of places of an operation in one step that come one after another, with none of it in
 * another step between them, only the last is kept. */
void tt_span_places_add (TtSpanPlaces *self, guint32 op, gint32 step, guint64 index);
guint32 tt_span_places_n_ops (const TtSpanPlaces *self);
/* There are no more. FALSE: @error. */
gboolean tt_span_places_finish (TtSpanPlaces *self, GError **error);

/* What tt_span_places_next() tells: all places of @op ascending by index, or, with @by_step, of each step the last one, ascending by step. FALSE: @error. */
gboolean tt_span_places_open (TtSpanPlaces *self, guint32 op, gboolean by_step, GError **error);
/* FALSE: at the end, or @error. */
gboolean tt_span_places_next (TtSpanPlaces *self, TtSpanPlace *place, GError **error);
