/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/op-rows.h"

#include "analyzers/statistics/joint-help.h"
#include "analyzers/statistics/place-words.h"
#include "src/base/array.h"
#include "src/base/error.h"

struct _TtOpRows
{
  TtOpOrder *order;
  gboolean by_step;
  guint32 next; /* row */
  GArray *rows; /* of TtTallyRow; NULL: those of the tally */

  TtPlaceWords *others; /* NULL: there are none */
  guint n_others;
  TtSpanPlace *ahead; /* of each of them, and of the own, which is the first */
  gboolean *is_there;
  guint source;        /* of places by index: whose come now */
  gboolean has_failed; /* a rank has, which has told why itself */
};

/* -- numbers of all -------------------------------------------------------------------------------- */

static GByteArray *
pack_order (const TtOpOrder *order)
{
  GByteArray *bytes = g_byte_array_new ();
  const guint32 n = tt_grouping_count (order->grouping);

  tt_pack_number (bytes, order->n_spans);
  tt_pack_signed (bytes, order->max_step);
  tt_pack_number (bytes, n);
  for (guint32 i = 0; i < n; i++)
    {
      const TtGroupMember member = tt_grouping_member (order->grouping, i);
      tt_pack_number (bytes, member.name);
      tt_pack_number (bytes, member.thread);
    }
  return bytes;
}

/* What a rank says, of operations that may be new, and what it is to be told: where its places begin, and what its operations are here. */
static gboolean
add_order (TtOpOrder *order, guint rank, const GByteArray *said, GByteArray *told, GError **error)
{
  TtUnpack from = tt_unpack_all (said);

  tt_pack_number (told, order->n_spans);
  order->n_spans += tt_unpack_number (&from);
  const gint64 max_step = tt_unpack_signed (&from);
  order->max_step = MAX (order->max_step, (gint32) CLAMP (max_step, G_MININT32, G_MAXINT32));
  const guint64 n = tt_unpack_below (&from, G_MAXUINT32);
  for (guint64 i = 0; i < n && !from.is_bad; i++)
    {
      const guint32 name = (guint32) tt_unpack_below (&from, tt_store_max_name (order->store));
      const guint32 thread = (guint32) tt_unpack_below (&from, tt_store_max_thread (order->store));
      if (!from.is_bad)
        tt_pack_number (told, tt_grouping_group (order->grouping, thread, name, TT_NO_STEP));
    }
  return !from.is_bad || tt_crew_refuse (rank, error);
}

static gboolean
tell_numbers (TtOpOrder *order, const TtCrew *crew, GError **error)
{
  g_autoptr (GPtrArray) told = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);

  for (guint rank = 1; rank < crew->n; rank++)
    {
      g_autoptr (GByteArray) said = crew->take (rank, error);
      g_ptr_array_add (told, g_byte_array_new ());
      if (said == NULL || !add_order (order, rank, said, told->pdata[rank - 1], error))
        return FALSE;
    }
  for (guint rank = 1; rank < crew->n; rank++)
    {
      GByteArray *bytes = told->pdata[rank - 1];
      tt_pack_signed (bytes, order->max_step);
      if (!crew->tell (rank, bytes, error))
        return FALSE;
    }
  return TRUE;
}

static TtJointPart
joint_part (const TtOpOrder *order, GHashTable *no_marks)
{
  return (TtJointPart){ order->store, order->grouping, order->tally, no_marks, FALSE };
}

static void
add_row (const TtTallyRow *row, guint64 mark, gpointer data)
{
  (void) mark;
  g_array_append_vals (data, row, 1);
}

static gboolean
join (TtOpRows *self, const TtCrew *crew, GError **error)
{
  g_autoptr (GHashTable) no_marks = g_hash_table_new (NULL, NULL);

  if (!tell_numbers (self->order, crew, error))
    return FALSE;
  TtJointPart part = joint_part (self->order, no_marks);
  self->rows = g_array_new (FALSE, FALSE, sizeof (TtTallyRow));
  if (!tt_joint_stats_take (crew, &part, add_row, self->rows, error) || !crew->rest (error))
    return FALSE;
  self->n_others = crew->n - 1;
  self->others = g_new0 (TtPlaceWords, self->n_others);
  for (guint i = 0; i < self->n_others; i++)
    tt_place_words_init (&self->others[i], crew, i + 1);
  return TRUE;
}

/* -- as another rank ------------------------------------------------------------------------------- */

/* By operation, its number on rank 0. NULL: what was heard cannot be right. */
static guint32 *
read_numbers (const TtOpOrder *order, const GByteArray *heard, guint64 *first_index, gint32 *max_step)
{
  TtUnpack from = tt_unpack_all (heard);
  const guint32 n = tt_grouping_count (order->grouping);
  g_autofree guint32 *ids = g_new (guint32, (gsize) n + 1);

  *first_index = tt_unpack_number (&from);
  for (guint32 i = 0; i < n; i++)
    ids[i] = (guint32) tt_unpack_below (&from, G_MAXUINT32);
  *max_step = (gint32) tt_unpack_signed (&from);
  return from.is_bad ? NULL : g_steal_pointer (&ids);
}

static gboolean
help (TtOpOrder *order, const TtCrew *crew, GError **error)
{
  g_autoptr (GByteArray) said = pack_order (order);
  g_autoptr (GHashTable) no_marks = g_hash_table_new (NULL, NULL);
  guint64 first_index;
  gint32 max_step;

  crew->give (said);
  g_autoptr (GByteArray) heard = crew->hear ();
  if (heard == NULL)
    return TRUE;
  g_autofree guint32 *ids = read_numbers (order, heard, &first_index, &max_step);
  if (ids == NULL)
    {
      g_set_error_literal (error, TT_ERROR, TT_ERROR_INPUT, "what rank 0 says of operations cannot be right");
      return FALSE;
    }
  const TtJointPart part = joint_part (order, no_marks);
  return tt_joint_stats_give (crew, &part, error) &&
         tt_place_words_give (crew, order->places, ids, first_index, max_step != TT_NO_STEP, error);
}

gboolean
tt_op_rows_help (TtStore *store, const TtSelection *selection, const TtCrew *crew, GError **error)
{
  gboolean is_known;
  GError *failure = NULL;
  g_autoptr (TtOpOrder) order = tt_op_order_new (store, selection, crew->n, crew->rank, &is_known, &failure);

  if (order != NULL)
    return help (order, crew, error);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

/* -- the table ------------------------------------------------------------------------------------- */

TtOpRows *
tt_op_rows_new (TtStore *store, const TtSelection *selection, const TtCrew *crew, GError **error)
{
  g_autoptr (TtOpRows) self = g_new0 (TtOpRows, 1);
  gboolean is_known = FALSE;
  GError *failure = NULL;

  if (crew != NULL)
    {
      crew->call (crew->id);
      self->order = tt_op_order_new (store, selection, crew->n, 0, &is_known, &failure);
    }
  if (failure == NULL && !is_known)
    self->order = tt_op_order_new (store, selection, 1, 0, &(gboolean){ FALSE }, &failure);
  if (failure != NULL)
    g_propagate_error (error, failure);
  if (self->order == NULL || (is_known && !join (self, crew, error)))
    return NULL;
  self->by_step = self->order->max_step != TT_NO_STEP;
  self->ahead = g_new0 (TtSpanPlace, (gsize) self->n_others + 1);
  self->is_there = g_new0 (gboolean, (gsize) self->n_others + 1);
  return g_steal_pointer (&self);
}

void
tt_op_rows_free (TtOpRows *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->order, tt_op_order_free);
  g_clear_pointer (&self->rows, g_array_unref);
  for (guint i = 0; i < self->n_others; i++)
    tt_place_words_clear (&self->others[i]);
  g_free (self->others);
  g_free (self->ahead);
  g_free (self->is_there);
  g_free (self);
}

gint32
tt_op_rows_max_step (const TtOpRows *self)
{
  return self->order->max_step;
}

guint
tt_op_rows_count (const TtOpRows *self)
{
  return tt_grouping_count (self->order->grouping);
}

/* -- places ---------------------------------------------------------------------------------------- */

/* The next one of a source, 0 being this rank itself. */
static gboolean
read_place (TtOpRows *self, guint source, GError **error)
{
  GError *failure = NULL;

  if (source > 0)
    {
      self->has_failed |= !tt_place_words_next (&self->others[source - 1], self->next - 1, &self->ahead[source],
                                                &self->is_there[source], error);
      return !self->has_failed;
    }
  self->is_there[0] = tt_span_places_next (self->order->places, &self->ahead[0], &failure);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

/* Of the row that has become the last one told. */
static gboolean
open_places (TtOpRows *self, GError **error)
{
  self->source = 0;
  if (!tt_span_places_open (self->order->places, self->next - 1, self->by_step, error))
    return FALSE;
  for (guint source = 0; self->by_step && source <= self->n_others; source++)
    if (!read_place (self, source, error))
      return FALSE;
  return TRUE;
}

/* Of a step that several have, the last one's. */
static gboolean
next_of_steps (TtOpRows *self, TtSpanPlace *place, GError **error)
{
  gboolean is_any = FALSE;

  for (guint source = 0; source <= self->n_others; source++)
    if (self->is_there[source] && (!is_any || self->ahead[source].step <= place->step))
      {
        *place = self->ahead[source];
        is_any = TRUE;
      }
  for (guint source = 0; is_any && source <= self->n_others; source++)
    if (self->is_there[source] && self->ahead[source].step == place->step && !read_place (self, source, error))
      return FALSE;
  return is_any;
}

gboolean
tt_op_rows_next_place (TtOpRows *self, TtSpanPlace *place, GError **error)
{
  if (self->by_step)
    return next_of_steps (self, place, error);
  for (; self->source <= self->n_others; self->source++)
    {
      if (!read_place (self, self->source, error))
        return FALSE;
      *place = self->ahead[self->source];
      if (self->is_there[self->source])
        return TRUE;
    }
  return FALSE;
}

gboolean
tt_op_rows_next (TtOpRows *self, TtOpRow *row, GError **error)
{
  if (self->has_failed)
    return FALSE;
  if (self->rows == NULL && !tt_tally_next (self->order->tally, &row->sums, error))
    return FALSE;
  if (self->rows != NULL && self->next == self->rows->len)
    return FALSE;
  if (self->rows != NULL)
    row->sums = g_array_index (self->rows, TtTallyRow, self->next);
  row->id = self->next++;
  row->member = tt_grouping_member (self->order->grouping, row->id);
  return open_places (self, error);
}
