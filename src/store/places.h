/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPlaces: the rows of a table that belong to the selected runs, numbered 1, 2, 3 ... in the order of their ids.
 *
 * Outside the store a thread, process, series or name is known by its place. So whatever a database says, an array of
 * as many elements as there are rows has room for each of them, also in a database that is old or damaged: an id of a
 * row that is not there has no place. Used by src/store only.
 */
#pragma once

#include <glib.h>

typedef struct
{
  gint64 first, last; /* ids without a gap */
  guint32 place;      /* of the first */
} TtPlaceRange;

typedef struct
{
  GArray *ranges;      /* of TtPlaceRange, ascending; NULL: none */
  guint32 n;           /* places: 1 to n */
  TtPlaceRange recent; /* found last; at first that of id 0, which has place 0 */
} TtPlaces;

void tt_places_clear (TtPlaces *self);
/* Ids @first to @last, all after those before. FALSE: they are not, or too many, or below 1. */
gboolean tt_places_add (TtPlaces *self, gint64 first, gint64 last);
/* 0: none. */
guint32 tt_places_search (TtPlaces *self, gint64 id);
/* Id of a @place from 1 to n. */
gint64 tt_places_id (const TtPlaces *self, guint32 place);

/* The place of @id; 0: none. */
static inline guint32
tt_places_find (TtPlaces *self, gint64 id)
{
  if (G_LIKELY (id >= self->recent.first && id <= self->recent.last))
    return self->recent.place + (guint32) (id - self->recent.first);
  return tt_places_search (self, id);
}
