/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the ranks of op-rows.h say to each other of places, a piece after the other.
 */
#pragma once

#include "analyzers/statistics/span-places.h"
#include "src/base/crew.h"
#include "src/base/packed.h"

/* On other ranks than 0: all places of @places, whose operations are @ids[] on rank 0. FALSE: @error. */
gboolean tt_place_words_give (const TtCrew *crew,
                              TtSpanPlaces *places,
                              const guint32 *ids,
                              guint64 first_index,
                              gboolean by_step,
                              GError **error);

/* On rank 0, of one of the others. */
typedef struct
{
  const TtCrew *crew;
  guint rank;
  GByteArray *bytes;
  TtUnpack from;
  gboolean is_over, has_op;
  guint32 op; /* whose places come now */
  TtSpanPlace last;
} TtPlaceWords;

void tt_place_words_init (TtPlaceWords *self, const TtCrew *crew, guint rank);
void tt_place_words_clear (TtPlaceWords *self);
/* The next place of @op, which come ascending. *@is_there FALSE: there are no more. FALSE: @error; none where the rank has failed. */
gboolean tt_place_words_next (TtPlaceWords *self, guint32 op, TtSpanPlace *place, gboolean *is_there, GError **error);
