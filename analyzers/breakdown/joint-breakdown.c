/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/breakdown/joint-breakdown.h"

#include "analyzers/breakdown/breakdown-private.h"
#include "src/base/compare.h"

/* -- efficiency ---------------------------------------------------------------------------------------------------- */

/* How many things each rank has heard of. */
typedef struct
{
  guint n;
  guint64 total;
  GByteArray *told;
} Bases;

static gboolean
add_base (guint rank, const GByteArray *said, gpointer data, GError **error)
{
  Bases *self = data;
  TtUnpack from = { .at = said->data, .end = said->data + said->len };

  tt_pack_number (self->told, self->total);
  self->total += tt_unpack_number (&from);
  return (!from.is_bad && self->total < G_MAXUINT32) || tt_dealt_refuse (error);
}

static gboolean
deal_points (TtBreakdown *self, const TtWaitDeal *deal, GByteArray **bytes, GError **error)
{
  const TtCrew *crew = deal->crew;
  g_autoptr (GByteArray) own = g_byte_array_new (), told = g_byte_array_new ();
  Bases bases = { crew->n, 0, told };
  guint64 base = 0;

  tt_pack_number (own, tt_efficiency_times_n_gatherings (self->times));
  if (!tt_crew_meet (crew, own, add_base, &bases, told, error))
    return FALSE;
  TtUnpack from = { .at = told->data, .end = told->data + told->len };
  for (guint rank = 0; rank <= crew->rank; rank++)
    base = tt_unpack_below (&from, G_MAXUINT32);
  tt_efficiency_times_deal (self->times, (guint) base, deal, bytes);
  if (!crew->exchange (bytes, error))
    return FALSE;
  return (!from.is_bad && tt_efficiency_times_take_dealt (self->times, deal, bytes)) || tt_dealt_refuse (error);
}

/* -- waits ---------------------------------------------------------------------------------------------------------- */

static gboolean
find_waits (TtBreakdown *self,
            TtWaitPart *part,
            const TtCrew *crew,
            GByteArray **bytes,
            gboolean *is_alone,
            GError **error)
{
  const TtWaitWindow window = { self->begin_ns, self->end_ns };
  TtWaitHearer hearer;
  const gboolean has_times = tt_breakdown_begin_times (self, &hearer);

  if (!tt_wait_part_find (part, self->store, NULL, &window, crew, has_times ? &hearer : NULL, is_alone, error))
    return FALSE;
  if (*is_alone)
    return TRUE;
  self->cuts = tt_wait_cuts_new (self->store, part->waits->waits);
  if (has_times)
    tt_efficiency_times_add_waits (self->times, part->waits->waits);
  g_clear_pointer (&part->waits, tt_waits_free);
  return !has_times || deal_points (self, &part->deal, bytes, error);
}

/* -- rows ----------------------------------------------------------------------------------------------------------- */

static gboolean
add_overlap (guint rank, const GByteArray *said, gpointer data, GError **error)
{
  GByteArray *told = data;
  const guint8 overlaps = said->len > 0 && said->data[0] != 0;

  if (told->len == 0)
    g_byte_array_append (told, &overlaps, 1);
  told->data[0] |= overlaps;
  return TRUE;
}

/* Records go to who makes the rows. *@is_alone: threads overlap. */
static gboolean
exchange_records (TtBreakdown *self, GByteArray **bytes, gboolean *is_alone, GError **error)
{
  const TtCrew *crew = self->part->deal.crew;
  g_autoptr (GByteArray) own = g_byte_array_new (), told = g_byte_array_new ();
  g_autoptr (GArray) records = g_array_new (FALSE, FALSE, sizeof (TtBreakdownRecord));
  const guint8 overlaps = self->overlaps != FALSE;

  g_byte_array_append (own, &overlaps, 1);
  if (!tt_crew_meet (crew, own, add_overlap, told, told, error))
    return FALSE;
  *is_alone = told->len > 0 && told->data[0] != 0;
  if (*is_alone)
    return TRUE;
  tt_dealt_give (&self->of_others, crew->rank, bytes, records);
  if (!crew->exchange (bytes, error))
    return FALSE;
  for (guint rank = 0; rank < crew->n; rank++)
    {
      TtUnpack from = { .at = bytes[rank]->data, .end = bytes[rank]->data + bytes[rank]->len };
      if (rank != crew->rank && !tt_dealt_take (&from, records))
        return tt_dealt_refuse (error);
      g_byte_array_set_size (bytes[rank], 0);
    }
  for (guint i = 0; i < records->len; i++)
    {
      const TtBreakdownRecord *record = &g_array_index (records, TtBreakdownRecord, i);
      if (record->lane >> 33 >= self->places->len || record->work >= TT_N_WORK_CLASSES + 1)
        return tt_dealt_refuse (error);
      *(TtBreakdownRecord *) tt_sorter_add (self->records) = *record;
    }
  return TRUE;
}

/* By place, then step. */
static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const TtBreakdownRow *x = a, *y = b;

  return x->place != y->place ? TT_COMPARE (x->place, y->place)
                              : TT_COMPARE ((guint32) x->step + 1, (guint32) y->step + 1);
}

static void
pack (TtBreakdown *self, GByteArray *bytes)
{
  tt_dealt_pack (self->rows, bytes);
  if (self->times != NULL)
    tt_efficiency_times_pack (self->times, bytes);
}

static gboolean
are_known (const TtBreakdown *self, guint first)
{
  for (guint i = first; i < self->rows->len; i++)
    {
      const TtBreakdownRow *row = &g_array_index (self->rows, TtBreakdownRow, i);

      if (row->place >= self->places->len)
        return FALSE;
    }
  return TRUE;
}

static gboolean
unpack (TtBreakdown *self, const GByteArray *bytes)
{
  TtUnpack from = { .at = bytes->data, .end = bytes->data + bytes->len };
  const guint n = self->rows->len;

  return tt_dealt_take (&from, self->rows) && are_known (self, n) &&
         (self->times == NULL || tt_efficiency_times_unpack (self->times, &from)) && !from.is_bad;
}

static gboolean
gather (TtBreakdown *self, GError **error)
{
  const TtCrew *crew = self->part->deal.crew;

  if (crew->rank > 0)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      pack (self, bytes);
      crew->give (bytes);
      g_autoptr (GByteArray) nothing = crew->hear ();
      return FALSE;
    }
  for (guint rank = 1; rank < crew->n; rank++)
    {
      g_autoptr (GByteArray) bytes = crew->take (rank, error);
      if (bytes == NULL)
        return FALSE;
      if (!unpack (self, bytes))
        return tt_dealt_refuse (error);
    }
  if (self->times != NULL && !tt_efficiency_times_are_whole (self->times))
    return tt_dealt_refuse (error);
  g_array_sort (self->rows, compare_rows);
  tt_breakdown_judge (self);
  return TRUE;
}

/* -- all ------------------------------------------------------------------------------------------------------------ */

/* FALSE: @error, another has failed, or this rank is another than 0 and done. */
static gboolean
build (TtBreakdown *self, TtWaitPart *part, const TtCrew *crew, GByteArray **bytes, gboolean *is_alone, GError **error)
{
  if (!find_waits (self, part, crew, bytes, is_alone, error))
    return FALSE;
  if (*is_alone)
    return TRUE;
  self->part = part;
  tt_dealt_init (&self->of_others, crew->n, sizeof (TtBreakdownRecord));
  tt_event_share (self->store, crew->n, crew->rank, &self->first_event, &self->last_event);
  if (!tt_breakdown_collect (self, error) || !exchange_records (self, bytes, is_alone, error))
    return FALSE;
  if (*is_alone)
    return TRUE;
  return tt_breakdown_make_rows (self, error) && gather (self, error);
}

/* *@is_alone: it has to be done otherwise. */
static TtBreakdown *
build_by (TtBreakdown *of, const TtCrew *crew, gboolean *is_alone, GError **error)
{
  g_autoptr (TtBreakdown) self = of;
  g_auto (TtWaitPart) part = { NULL };
  GByteArray **bytes = tt_crew_bytes_new (crew);
  gboolean is_done = build (self, &part, crew, bytes, is_alone, error);

  tt_crew_bytes_free (crew, bytes);
  self->part = NULL;
  if (!is_done || *is_alone)
    return NULL;
  tt_breakdown_end (self);
  return g_steal_pointer (&self);
}

static gboolean
can_share (TtBreakdown *self, const TtCrew *crew, gboolean *can, GError **error)
{
  const TtWaitWindow window = { self->begin_ns, self->end_ns };

  return tt_breakdown_has_messages (self, can, error) &&
         (!*can || tt_wait_part_can (self->store, &window, crew, can, error));
}

TtBreakdown *
tt_joint_breakdown_new (TtStore *store,
                        const TtSelection *selection,
                        TtBreakdownRows rows,
                        TtBreakdownPlace place,
                        const TtCrew *crew,
                        GError **error)
{
  g_autoptr (TtBreakdown) self = tt_breakdown_begin (store, selection, rows, place, FALSE, error);
  gboolean can, is_alone = FALSE;
  GError *own = NULL;

  if (self == NULL)
    return NULL;
  if (crew->rank > 0)
    return build_by (g_steal_pointer (&self), crew, &is_alone, error);
  if (!can_share (self, crew, &can, error))
    return NULL;
  if (can)
    {
      crew->call (crew->id);
      g_autoptr (TtBreakdown) joint = build_by (g_steal_pointer (&self), crew, &is_alone, &own);
      if (!tt_crew_end (crew, joint != NULL || is_alone, own, error))
        return NULL;
      if (!is_alone)
        return g_steal_pointer (&joint);
    }
  g_clear_pointer (&self, tt_breakdown_free);
  return tt_breakdown_new (store, selection, rows, place, error);
}
