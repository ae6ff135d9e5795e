/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/breakdown/joint-breakdown.h"

#include "analyzers/breakdown/breakdown-private.h"
#include "analyzers/breakdown/breakdown-rows.h"
#include "analyzers/waits/joint-waits.h"
#include "src/base/compare.h"

#define SORT_BYTES ((gsize) 64 << 20)

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
  TtUnpack from = tt_unpack_all (said);

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
  TtUnpack from = tt_unpack_all (told);
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

  part->of = TT_WAITS_ALL;
  if (!tt_wait_part_find (part, self->store, NULL, &window, crew, has_times ? &hearer : NULL, is_alone, error))
    return FALSE;
  if (*is_alone)
    return TRUE;
  self->cuts = tt_wait_cuts_new (self->store, part->waits->waits);
  if (has_times)
    tt_efficiency_times_add_waits (self->times, part->waits->waits);
  g_clear_pointer (&part->waits, tt_waits_free);
  self->deal = &part->deal;
  return !has_times || deal_points (self, &part->deal, bytes, error);
}

/* -- rows ----------------------------------------------------------------------------------------------------------- */

/* Of a place, what a rank has. */
enum
{
  HAS_RECORDS = 1,
  HAS_TIMES = 2, /* of its only thread, for the whole row */
};

/* Whose rows are of which place, where waits do not say so: the first's that has anything of it. */
typedef struct
{
  const TtBreakdown *breakdown;
  guint32 *rank_of_place; /* + 1; 0: nobody has any */
  guint8 *facts;          /* by place, of all */
  gboolean is_alone, is_split;
  GByteArray *told;
} Places;

static gboolean
add_places (guint rank, const GByteArray *said, gpointer data, GError **error)
{
  Places *self = data;
  TtUnpack from = tt_unpack_all (said);
  const guint n = self->breakdown->places->len;

  self->is_alone |= tt_unpack_below (&from, 1) != 0;
  for (guint i = 0; i < n && self->breakdown->deal == NULL; i++)
    {
      const guint8 facts = (guint8) tt_unpack_below (&from, HAS_RECORDS | HAS_TIMES);

      self->is_split |= facts != 0 && self->facts[i] != 0;
      self->is_alone |= (facts & self->facts[i] & HAS_TIMES) != 0;
      self->facts[i] |= facts;
      if (facts != 0 && self->rank_of_place[i] == 0)
        self->rank_of_place[i] = rank + 1;
    }
  if (from.is_bad)
    return tt_crew_refuse (rank, error);
  if (rank + 1 < self->breakdown->part->crew->n)
    return TRUE;
  tt_pack_number (self->told, self->is_alone != FALSE);
  tt_pack_number (self->told, self->is_split || self->breakdown->deal != NULL);
  for (guint i = 0; i < n && self->is_split; i++)
    tt_pack_number (self->told, self->rank_of_place[i]);
  return TRUE;
}

static void
say_places (const TtBreakdown *self, GByteArray *bytes)
{
  tt_pack_number (bytes, self->overlaps != FALSE);
  for (guint i = 0; i < self->places->len && self->deal == NULL; i++)
    tt_pack_number (bytes, (self->has_records[i] ? HAS_RECORDS : 0u) |
                               (self->alone != NULL && self->alone[i].has_any ? HAS_TIMES : 0u));
}

/* *@is_split: records go between ranks, of @places those that others make the rows of. */
static gboolean
meet_for_places (TtBreakdown *self, Places *places, GError **error)
{
  g_autoptr (GByteArray) own = g_byte_array_new ();
  const TtCrew *crew = self->part->crew;

  say_places (self, own);
  if (!tt_crew_meet (crew, own, add_places, places, places->told, error))
    return FALSE;
  TtUnpack from = tt_unpack_all (places->told);
  places->is_alone = tt_unpack_below (&from, 1) != 0;
  places->is_split = tt_unpack_below (&from, 1) != 0;
  for (guint i = 0; i < self->places->len && places->is_split && self->deal == NULL; i++)
    places->rank_of_place[i] = (guint32) tt_unpack_below (&from, crew->n);
  return !from.is_bad || tt_crew_refuse (0, error);
}

/* Of the records that are here those of places of others go to of_others. */
static gboolean
split_records (TtBreakdown *self, const Places *places, GError **error)
{
  const guint32 own = self->part->crew->rank + 1;
  gboolean is_any = FALSE;
  const TtBreakdownRecord *record;
  GError *failure = NULL;

  for (guint i = 0; i < self->places->len; i++)
    is_any |= self->has_records[i] && places->rank_of_place[i] != own;
  if (!is_any)
    return TRUE;
  g_autoptr (TtSorter) all = g_steal_pointer (&self->records);
  self->records = tt_sorter_new (sizeof (TtBreakdownRecord), SORT_BYTES);
  if (!tt_sorter_finish (all, error))
    return FALSE;
  while ((record = tt_sorter_next (all, &failure)) != NULL)
    {
      const guint32 rank = places->rank_of_place[record->lane >> 33];

      if (rank == own || rank == 0)
        *(TtBreakdownRecord *) tt_sorter_add (self->records) = *record;
      else
        g_array_append_vals (self->of_others.of[rank - 1], record, 1);
    }
  if (failure != NULL)
    g_propagate_error (error, failure);
  return failure == NULL;
}

/* A record on its way: numbers of launches are those of one rank. */
typedef struct
{
  TtBreakdownRecord record;
  gint64 launch_ns;
} SaidRecord;

static void
give_records (TtBreakdown *self, GByteArray **bytes)
{
  g_autoptr (GArray) said = g_array_new (FALSE, FALSE, sizeof (SaidRecord));

  for (guint rank = 0; rank < self->part->crew->n; rank++)
    {
      GArray *records = self->of_others.of[rank];

      if (rank == self->part->crew->rank)
        continue;
      g_array_set_size (said, 0);
      for (guint i = 0; i < records->len; i++)
        {
          const TtBreakdownRecord *record = &g_array_index (records, TtBreakdownRecord, i);
          const SaidRecord one = { *record, tt_breakdown_launch_ns (self, record) };
          g_array_append_val (said, one);
        }
      g_array_set_size (records, 0);
      tt_dealt_pack (said, bytes[rank]);
    }
}

static gboolean
take_records (TtBreakdown *self, const GByteArray *bytes)
{
  g_autoptr (GArray) said = g_array_new (FALSE, FALSE, sizeof (SaidRecord));
  TtUnpack from = tt_unpack_all (bytes);

  if (!tt_dealt_take (&from, said))
    return FALSE;
  for (guint i = 0; i < said->len; i++)
    {
      const SaidRecord *one = &g_array_index (said, SaidRecord, i);
      TtBreakdownRecord record = one->record;

      if (record.lane >> 33 >= self->places->len || record.work >= TT_N_WORK_CLASSES + 1 ||
          self->heard->len >= TT_HEARD_LAUNCHES - 1)
        return FALSE;
      record.launch = 0;
      if (one->launch_ns != TT_NO_TIME)
        {
          record.launch = TT_HEARD_LAUNCHES + self->heard->len;
          g_array_append_val (self->heard, one->launch_ns);
        }
      *(TtBreakdownRecord *) tt_sorter_add (self->records) = record;
    }
  return TRUE;
}

/* Records go to who makes the rows. *@is_alone: threads overlap. */
static gboolean
exchange_records (TtBreakdown *self, GByteArray **bytes, gboolean *is_alone, GError **error)
{
  const TtCrew *crew = self->part->crew;
  g_autoptr (GByteArray) told = g_byte_array_new ();
  g_autofree guint32 *rank_of_place = g_new0 (guint32, (gsize) self->places->len + 1);
  g_autofree guint8 *facts = g_new0 (guint8, (gsize) self->places->len + 1);
  Places places = { self, rank_of_place, facts, FALSE, FALSE, told };

  if (!meet_for_places (self, &places, error))
    return FALSE;
  *is_alone = places.is_alone;
  if (*is_alone || !places.is_split)
    return TRUE;
  if (self->deal == NULL && !split_records (self, &places, error))
    return FALSE;
  give_records (self, bytes);
  if (!crew->exchange (bytes, error))
    return FALSE;
  for (guint rank = 0; rank < crew->n; rank++)
    {
      if (rank != crew->rank && !take_records (self, bytes[rank]))
        return tt_dealt_refuse (error);
      g_byte_array_set_size (bytes[rank], 0);
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
      TtBreakdownRow *row = &g_array_index (self->rows, TtBreakdownRow, i);

      if (row->place >= self->places->len)
        return FALSE;
      const TtRowPlace *place = &g_array_index (self->places, TtRowPlace, row->place);
      row->process = place->process;
      row->thread = place->thread;
      row->is_device = place->is_device;
    }
  return TRUE;
}

static gboolean
unpack (TtBreakdown *self, const GByteArray *bytes)
{
  TtUnpack from = tt_unpack_all (bytes);
  const guint n = self->rows->len;

  return tt_dealt_take (&from, self->rows) && are_known (self, n) &&
         (self->times == NULL || tt_efficiency_times_unpack (self->times, &from)) && !from.is_bad;
}

static gboolean
gather (TtBreakdown *self, GError **error)
{
  const TtCrew *crew = self->part->crew;

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
build (TtBreakdown *self, TtWaitPart *part, GByteArray **bytes, gboolean *is_alone, GError **error)
{
  const TtCrew *crew = self->part->crew;
  gboolean has_messages;

  if (!tt_breakdown_look_up (self, FALSE, error))
    return FALSE;
  *is_alone = self->roles.is_entangled;
  if (*is_alone)
    return TRUE;
  if (!tt_breakdown_has_messages (self, &has_messages, error) ||
      (has_messages && !find_waits (self, part, crew, bytes, is_alone, error)))
    return FALSE;
  if (*is_alone)
    return TRUE;
  self->has_records = g_new0 (guint8, (gsize) self->places->len + 1);
  self->heard = g_array_new (FALSE, FALSE, sizeof (gint64));
  tt_dealt_init (&self->of_others, crew->n, sizeof (TtBreakdownRecord));
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
  g_auto (TtWaitPart) waits = { NULL };
  TtDevicePart part = { .crew = crew };
  GByteArray **bytes = tt_crew_bytes_new (crew);

  tt_event_share (self->store, crew->n, crew->rank, &part.first, &part.last);
  self->part = &part;
  gboolean is_done = build (self, &waits, bytes, is_alone, error);
  tt_crew_bytes_free (crew, bytes);
  self->part = NULL;
  self->deal = NULL;
  if (!is_done || *is_alone)
    return NULL;
  tt_breakdown_end (self);
  return g_steal_pointer (&self);
}

TtBreakdown *
tt_joint_breakdown_new (TtStore *store,
                        const TtSelection *selection,
                        TtBreakdownRows rows,
                        TtBreakdownPlace place,
                        const TtCrew *crew,
                        GError **error)
{
  g_autoptr (TtBreakdown) self = tt_breakdown_begin (store, selection, rows, place);
  const TtWaitWindow window = { self->begin_ns, self->end_ns };
  gboolean can, is_alone = FALSE;
  GError *own = NULL;

  if (crew->rank > 0)
    return build_by (g_steal_pointer (&self), crew, &is_alone, error);
  if (!tt_wait_part_can (store, &window, crew, &can, error))
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
