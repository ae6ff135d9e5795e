/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/steps/joint-steps.h"

#include <math.h>
#include <string.h>

/* No sum of durations is longer. */
#define MAX_NS ((tt_int128) 1 << 112)

/* -- words ---------------------------------------------------------------------------------------------------------- */

static tt_int128
unpack_ns (TtUnpack *from)
{
  const tt_int128 ns = (tt_int128) tt_unpack_wide (from);

  from->is_bad |= ns < -MAX_NS || ns > MAX_NS;
  return from->is_bad ? 0 : ns;
}

void
tt_joint_step_rank_pack (const TtJointStepRank *self, GByteArray *bytes)
{
  guint64 stddev;

  memcpy (&stddev, &self->sums.stddev_ns, sizeof stddev);
  tt_pack_number (bytes, self->place);
  tt_pack_number (bytes, self->n_rows);
  tt_pack_number (bytes, (self->is_typical ? 1u : 0u) | (self->end.is_last_counted ? 2u : 0u) |
                             (self->end.is_annotated ? 4u : 0u));
  tt_pack_signed (bytes, self->end.last_step);
  tt_pack_number (bytes, self->sums.n_counted);
  for (guint time = 0; time < TT_N_STEP_TIMES; time++)
    tt_pack_wide (bytes, (tt_uint128) self->sums.sum_ns[time]);
  tt_pack_wide (bytes, (tt_uint128) self->sums.min_ns);
  tt_pack_wide (bytes, (tt_uint128) self->sums.max_ns);
  tt_pack_number (bytes, stddev);
}

void
tt_joint_step_rank_unpack (TtJointStepRank *self, TtUnpack *from)
{
  *self = (TtJointStepRank){ .place = (guint32) tt_unpack_below (from, G_MAXUINT32 - 1) };
  self->n_rows = tt_unpack_below (from, (guint64) G_MAXINT32 + 1);
  const guint64 bits = tt_unpack_below (from, 7);
  const gint64 last_step = tt_unpack_signed (from);

  self->is_typical = (bits & 1) != 0;
  self->end.is_last_counted = (bits & 2) != 0;
  self->end.is_annotated = (bits & 4) != 0;
  self->end.last_step = (gint32) CLAMP (last_step, -1, G_MAXINT32);
  self->sums.n_steps = self->n_rows;
  self->sums.n_counted = tt_unpack_below (from, self->n_rows);
  for (guint time = 0; time < TT_N_STEP_TIMES; time++)
    self->sums.sum_ns[time] = unpack_ns (from);
  self->sums.min_ns = unpack_ns (from);
  self->sums.max_ns = unpack_ns (from);
  const guint64 stddev = tt_unpack_number (from);
  memcpy (&self->sums.stddev_ns, &stddev, sizeof stddev);
  from->is_bad |= self->n_rows == 0 || self->end.last_step != last_step || !isfinite (self->sums.stddev_ns) ||
                  self->sums.stddev_ns < 0;
}

void
tt_joint_step_row_pack (const TtStepRow *self, gint32 before, GByteArray *bytes)
{
  guint64 bits = (self->has_iteration ? 1u : 0u) | (self->is_annotated ? 2u : 0u);

  for (guint time = 0; time < TT_N_STEP_TIMES; time++)
    bits |= self->ns[time] != 0 ? (guint64) 4 << time : 0;
  tt_pack_number (bytes, (guint64) ((gint64) self->step - before));
  tt_pack_number (bytes, bits);
  for (guint time = 0; time < TT_N_STEP_TIMES; time++)
    if (self->ns[time] != 0)
      tt_pack_wide (bytes, (tt_uint128) self->ns[time]);
}

void
tt_joint_step_row_unpack (TtStepRow *self, gint32 before, TtUnpack *from)
{
  const guint64 more = tt_unpack_below (from, (guint64) ((gint64) G_MAXINT32 - before));
  const guint64 bits = tt_unpack_below (from, ((guint64) 4 << TT_N_STEP_TIMES) - 1);

  memset (self, 0, sizeof *self);
  self->step = (gint32) (before + (gint64) more);
  self->has_iteration = (bits & 1) != 0;
  self->is_annotated = (bits & 2) != 0;
  for (guint time = 0; time < TT_N_STEP_TIMES; time++)
    if (bits & (guint64) 4 << time)
      {
        self->ns[time] = unpack_ns (from);
        from->is_bad |= self->ns[time] == 0;
      }
  from->is_bad |= more == 0;
}

/* -- who has what --------------------------------------------------------------------------------------------------- */

typedef struct
{
  TtSteps *steps;
  const TtCrew *crew;
  guint32 *owners;
  GByteArray *told;
  guint64 n_outside;
  gboolean is_alone, has_classes;
} Agreement;

static gboolean
add_places (guint rank, const GByteArray *said, gpointer data, GError **error)
{
  Agreement *self = data;
  const guint n_places = self->steps->ids->len;
  const guint64 n_events = tt_store_n_events (self->steps->store);
  TtUnpack from = tt_unpack_all (said);

  self->n_outside += tt_unpack_below (&from, n_events - MIN (self->n_outside, n_events));
  self->has_classes |= tt_unpack_below (&from, 1) != 0;
  const guint64 n = tt_unpack_below (&from, n_places);
  for (guint64 i = 0; i < n && !from.is_bad; i++)
    {
      guint32 *owner = &self->owners[tt_unpack_below (&from, n_places - 1)];

      self->is_alone |= *owner != 0;
      *owner = rank + 1;
    }
  if (from.is_bad)
    return tt_crew_refuse (rank, error);
  if (rank + 1 < self->crew->n)
    return TRUE;
  tt_pack_number (self->told, (self->is_alone ? 1u : 0u) | (self->has_classes ? 2u : 0u));
  return TRUE;
}

static void
say_places (const TtSteps *self, GByteArray *bytes)
{
  guint n = 0;

  for (guint i = 0; i < self->ids->len; i++)
    n += self->facts[g_array_index (self->ids, guint32, i)].is_seen;
  tt_pack_number (bytes, self->n_outside);
  tt_pack_number (bytes, self->has_classes != FALSE);
  tt_pack_number (bytes, n);
  for (guint i = 0; i < self->ids->len; i++)
    if (self->facts[g_array_index (self->ids, guint32, i)].is_seen)
      tt_pack_number (bytes, i);
}

gboolean
tt_joint_steps_agree (TtSteps *self, const TtCrew *crew, guint32 *owners, gboolean *is_alone, GError **error)
{
  g_autoptr (GByteArray) said = g_byte_array_new (), told = g_byte_array_new ();
  Agreement agreement = { .steps = self, .crew = crew, .owners = owners, .told = told };

  say_places (self, said);
  if (!tt_crew_meet (crew, said, add_places, &agreement, told, error))
    return FALSE;
  TtUnpack from = tt_unpack_all (told);
  const guint64 bits = tt_unpack_below (&from, 3);
  *is_alone = (bits & 1) != 0;
  self->has_classes = (bits & 2) != 0;
  if (crew->rank == 0)
    self->n_outside = agreement.n_outside;
  return TRUE;
}

/* -- what was read -------------------------------------------------------------------------------------------------- */

static void
say_ranks (TtSteps *self, GByteArray *bytes)
{
  guint64 row = 0;

  for (guint i = 0; i < self->ranks->len; i++)
    {
      const TtStepRank *sums = &g_array_index (self->ranks, TtStepRank, i);
      const TtStepRankEnd *end = &g_array_index (self->ends, TtStepRankEnd, i);
      const TtStepFacts *facts = &self->facts[sums->process];
      const TtJointStepRank rank = { .place = facts->place,
                                     .n_rows = end->end_row - row,
                                     .is_typical = tt_steps_is_typical (self, facts),
                                     .sums = *sums,
                                     .end = *end };
      gint32 before = -1;

      tt_joint_step_rank_pack (&rank, bytes);
      for (; row < end->end_row; row++)
        {
          TtStepRow of;
          tt_tape_read (self->rows, row * sizeof of, &of, sizeof of);
          tt_joint_step_row_pack (&of, before, bytes);
          before = of.step;
        }
    }
}

static gboolean
help (TtSteps *self, const TtCrew *crew, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  say_ranks (self, bytes);
  if (!tt_tape_check (self->rows, error))
    return FALSE;
  crew->give (bytes);
  g_autoptr (GByteArray) nothing = crew->hear ();
  return FALSE;
}

/* What rank 0 has so far: its own steps are read again as they are needed. */
typedef struct
{
  TtSteps *steps;
  TtIterationTally *iterations;
  TtTape *own;
  GArray *own_ranks, *own_ends;
  guint own_rank;
  guint64 own_row;
} Joint;

static void
add_rank (Joint *self, const TtStepRank *sums, const TtStepRankEnd *end)
{
  TtStepRankEnd added = *end;

  added.end_row = self->steps->n_rows;
  g_array_append_val (self->steps->ranks, *sums);
  g_array_append_val (self->steps->ends, added);
}

static void
add_row (Joint *self, const TtStepRow *row)
{
  tt_tape_append (self->steps->rows, row, sizeof *row);
  self->steps->n_rows++;
}

static void
add_own (Joint *self)
{
  const TtStepRankEnd *end = &g_array_index (self->own_ends, TtStepRankEnd, self->own_rank);

  for (; self->own_row < end->end_row; self->own_row++)
    {
      TtStepRow row;
      tt_tape_read (self->own, self->own_row * sizeof row, &row, sizeof row);
      add_row (self, &row);
    }
  add_rank (self, &g_array_index (self->own_ranks, TtStepRank, self->own_rank), end);
  self->own_rank++;
}

/* FALSE: it cannot be right. */
static gboolean
add_other (Joint *self, guint32 place, TtUnpack *from)
{
  TtSteps *steps = self->steps;
  TtJointStepRank rank;
  gint32 before = -1;

  tt_joint_step_rank_unpack (&rank, from);
  from->is_bad |= rank.place != place;
  rank.sums.process = g_array_index (steps->ids, guint32, place);
  for (guint64 i = 0; i < rank.n_rows && !from->is_bad; i++)
    {
      TtStepRow row;
      tt_joint_step_row_unpack (&row, before, from);
      if (from->is_bad)
        break;
      row.process = rank.sums.process;
      before = row.step;
      for (guint time = 0; time < TT_N_STEP_TIMES; time++)
        steps->has[time] |= row.ns[time] > 0;
      if (rank.is_typical && tt_step_row_is_counted (&row, &rank.end))
        tt_iteration_tally_add (self->iterations, row.step, row.ns[TT_STEP_TIME_ITERATION]);
      add_row (self, &row);
    }
  if (from->is_bad)
    return FALSE;
  steps->iteration.n_ranks += rank.sums.n_counted > 0 && rank.is_typical;
  steps->iteration.is_annotated |= rank.sums.n_counted > 0 && rank.end.is_annotated;
  add_rank (self, &rank.sums, &rank.end);
  return TRUE;
}

/* @said: by rank. */
static gboolean
join (Joint *self, GPtrArray *said, const guint32 *owners, GError **error)
{
  g_autofree TtUnpack *from = g_new0 (TtUnpack, said->len);

  for (guint rank = 1; rank < said->len; rank++)
    {
      const GByteArray *bytes = said->pdata[rank];
      from[rank] = tt_unpack_all (bytes);
    }
  for (guint32 place = 0; place < self->steps->ids->len; place++)
    if (owners[place] == 1)
      add_own (self);
    else if (owners[place] > 1 && !add_other (self, place, &from[owners[place] - 1]))
      return tt_crew_refuse (owners[place] - 1, error);
  return tt_tape_check (self->own, error) && tt_tape_check (self->steps->rows, error);
}

static gboolean
lead (TtSteps *self, const TtCrew *crew, const guint32 *owners, TtIterationTally *iterations, GError **error)
{
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);
  g_autoptr (TtTape) own = g_steal_pointer (&self->rows);
  g_autoptr (GArray) own_ranks = g_steal_pointer (&self->ranks);
  g_autoptr (GArray) own_ends = g_steal_pointer (&self->ends);
  Joint joint = { .steps = self, .iterations = iterations, .own = own, .own_ranks = own_ranks, .own_ends = own_ends };

  self->rows = tt_tape_new (TT_STEPS_TAPE_BYTES);
  self->n_rows = 0;
  self->ranks = g_array_new (FALSE, FALSE, sizeof (TtStepRank));
  self->ends = g_array_new (FALSE, FALSE, sizeof (TtStepRankEnd));
  g_ptr_array_add (said, g_byte_array_new ());
  for (guint rank = 1; rank < crew->n; rank++)
    {
      GByteArray *bytes = crew->take (rank, error);
      if (bytes == NULL)
        return FALSE;
      g_ptr_array_add (said, bytes);
    }
  return join (&joint, said, owners, error);
}

gboolean
tt_joint_steps_join (TtSteps *self,
                     const TtCrew *crew,
                     const guint32 *owners,
                     TtIterationTally *iterations,
                     GError **error)
{
  return crew->rank > 0 ? help (self, crew, error) : lead (self, crew, owners, iterations, error);
}
