/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/imbalance/stragglers.h"

#include "analyzers/imbalance/step-values.h"
#include "analyzers/process-order.h"
#include "src/base/map64.h"

/* -- steps ------------------------------------------------------------------------------------------------------------ */

/* No number of an operation. */
#define NOTHING G_MAXUINT32

typedef struct
{
  guint32 process;
  gboolean has_length, is_in_call;
  tt_int128 length_ns, caused_ns;
} StepRank;

typedef struct
{
  guint32 name; /* of TtStepValues */
  guint32 process;
  tt_int128 self_ns;
} StepOperation;

/* The step that is being read. */
typedef struct
{
  TtStore *store;
  TtStepValues *values;
  TtStragglers *result;
  gint32 step;
  GArray *ranks;      /* of StepRank */
  GArray *operations; /* of StepOperation, by rank */
  GArray *lengths;    /* of tt_int128 */
} StepReader;

static int
compare_lengths (gconstpointer a, gconstpointer b)
{
  const tt_int128 *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

static tt_int128
twice_median_length (StepReader *self)
{
  const tt_int128 *sorted;
  guint n;

  g_array_set_size (self->lengths, 0);
  for (guint i = 0; i < self->ranks->len; i++)
    {
      const StepRank *rank = &g_array_index (self->ranks, StepRank, i);

      if (rank->has_length)
        g_array_append_val (self->lengths, rank->length_ns);
    }
  g_array_sort (self->lengths, compare_lengths);
  sorted = (const tt_int128 *) self->lengths->data;
  n = self->lengths->len;
  return n == 0 ? 0 : sorted[(n - 1) / 2] + sorted[n / 2];
}

/* By what others paid for it, or by its length; of equals the first in the order of ranks. NULL: nobody is late. */
static const StepRank *
find_straggler (StepReader *self, gboolean by_arrival)
{
  const StepRank *found = NULL;

  for (guint i = 0; i < self->ranks->len; i++)
    {
      const StepRank *rank = &g_array_index (self->ranks, StepRank, i);
      tt_int128 own_ns = by_arrival ? rank->caused_ns : rank->length_ns;
      tt_int128 most_ns = found == NULL ? 0 : by_arrival ? found->caused_ns : found->length_ns;

      if (own_ns > most_ns ||
          (found != NULL && own_ns == most_ns && tt_process_order (self->store, rank->process, found->process) < 0))
        found = rank;
    }
  return found;
}

static int
compare_operations (gconstpointer a, gconstpointer b)
{
  const StepOperation *x = a, *y = b;

  return x->name != y->name ? (x->name < y->name ? -1 : 1) : (x->process > y->process) - (x->process < y->process);
}

static gboolean
comes_before (const StepReader *self, guint32 name, guint32 other)
{
  if (name == 0 || other == 0)
    return name < other;

  const TtGroupMember a = tt_step_values_member (self->values, name), b = tt_step_values_member (self->values, other);
  g_autofree char *first =
      tt_group_key_label (self->store, TT_KEY_NAME, 0, a, tt_store_peek_name (self->store, a.name));
  g_autofree char *second =
      tt_group_key_label (self->store, TT_KEY_NAME, 0, b, tt_store_peek_name (self->store, b.name));

  return g_strcmp0 (first, second) < 0;
}

/* The operation of which the straggler has most above the mean of the others. */
static void
find_operation (StepReader *self, TtStraggler *straggler)
{
  guint n_others = self->ranks->len - 1;
  guint32 best = NOTHING;
  tt_int128 most = 0; /* times n_others */

  g_array_sort (self->operations, compare_operations);
  for (guint i = 0, end; i < self->operations->len; i = end)
    {
      guint32 name = g_array_index (self->operations, StepOperation, i).name;
      tt_int128 own_ns = 0, others_ns = 0;

      for (end = i; end < self->operations->len; end++)
        {
          const StepOperation *operation = &g_array_index (self->operations, StepOperation, end);

          if (operation->name != name)
            break;
          *(operation->process == straggler->process ? &own_ns : &others_ns) += operation->self_ns;
        }
      if (!tt_step_values_is_chosen (self->values, name))
        continue;
      tt_int128 excess = own_ns * n_others - others_ns;
      if (excess > most || (excess == most && best != NOTHING && comes_before (self, name, best)))
        {
          most = excess;
          best = name;
        }
    }
  straggler->has_operation = best != NOTHING;
  straggler->excess_ns = (double) most / n_others;
  if (best == NOTHING || best == 0)
    return;
  TtGroupMember member = tt_step_values_member (self->values, best);
  straggler->name = member.name;
  straggler->thread = member.thread;
}

static void
end_step (StepReader *self)
{
  TtStraggler straggler = { .step = self->step, .n_ranks = self->ranks->len };

  for (guint i = 0; i < self->ranks->len; i++)
    straggler.is_by_arrival |= g_array_index (self->ranks, StepRank, i).is_in_call;
  if (self->ranks->len >= 2)
    {
      const StepRank *rank = find_straggler (self, straggler.is_by_arrival);

      straggler.twice_median_ns = twice_median_length (self);
      if (rank != NULL && (straggler.is_by_arrival || 2 * rank->length_ns > straggler.twice_median_ns))
        {
          straggler.process = rank->process;
          straggler.length_ns = rank->length_ns;
          straggler.twice_price_ns =
              straggler.is_by_arrival ? 2 * rank->caused_ns : 2 * rank->length_ns - straggler.twice_median_ns;
          find_operation (self, &straggler);
        }
      g_array_append_val (self->result->steps, straggler);
    }
  g_array_set_size (self->ranks, 0);
  g_array_set_size (self->operations, 0);
}

/* Values of one operation of a rank come one after the other. */
static void
add_operation (StepReader *self, const TtStepValue *value)
{
  StepOperation *last =
      self->operations->len == 0 ? NULL : &g_array_index (self->operations, StepOperation, self->operations->len - 1);
  const StepOperation operation = { value->name, value->process, value->ns };

  if (last != NULL && last->name == value->name && last->process == value->process)
    last->self_ns += value->ns;
  else
    g_array_append_val (self->operations, operation);
}

static void
read_value (StepReader *self, const TtStepValue *value)
{
  StepRank *rank = self->ranks->len == 0 ? NULL : &g_array_index (self->ranks, StepRank, self->ranks->len - 1);

  if (rank != NULL && value->step != self->step)
    {
      end_step (self);
      rank = NULL;
    }
  self->step = value->step;
  if (rank == NULL || rank->process != value->process)
    {
      const StepRank fresh = { .process = value->process };

      g_array_append_val (self->ranks, fresh);
      rank = &g_array_index (self->ranks, StepRank, self->ranks->len - 1);
    }
  switch (value->kind)
    {
    case TT_STEP_VALUE_LENGTH:
      rank->has_length = TRUE;
      rank->length_ns += value->ns;
      break;
    case TT_STEP_VALUE_CAUSED:
      rank->caused_ns += value->ns;
      break;
    case TT_STEP_VALUE_IN_CALL:
      rank->is_in_call = TRUE;
      break;
    case TT_STEP_VALUE_SELF:
      add_operation (self, value);
      break;
    }
}

static gboolean
read_steps (StepReader *self, GError **error)
{
  const TtStepValue *value;
  GError *failure = NULL;

  while ((value = tt_step_values_next (self->values, &failure)) != NULL)
    read_value (self, value);
  if (self->ranks->len > 0)
    end_step (self);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

/* -- ranks ------------------------------------------------------------------------------------------------------------ */

/* How often an operation made a rank late. */
typedef struct
{
  guint32 process, name, thread;
  guint n;
  double excess_ns;
} Reason;

static int
compare_ranks (gconstpointer a, gconstpointer b, gpointer store)
{
  const TtStragglerRank *x = a, *y = b;

  if (x->twice_price_ns != y->twice_price_ns)
    return x->twice_price_ns < y->twice_price_ns ? 1 : -1;
  return tt_process_order (store, x->process, y->process);
}

static void
add_reason (GArray *reasons, TtMap64 *numbers, const TtStraggler *step)
{
  guint64 key = (guint64) step->process << 32 | step->name;
  guint32 number = tt_map64_get (numbers, key);

  if (!step->has_operation)
    return;
  if (number == TT_MAP64_NONE)
    {
      const Reason reason = { step->process, step->name, step->thread, 0, 0 };

      number = reasons->len;
      tt_map64_set (numbers, key, number);
      g_array_append_val (reasons, reason);
    }
  Reason *reason = &g_array_index (reasons, Reason, number);
  reason->n++;
  reason->excess_ns += step->excess_ns;
}

static TtStragglerRank *
rank_of (TtStragglers *self, TtMap64 *numbers, guint32 process)
{
  guint32 number = tt_map64_get (numbers, process);

  if (number == TT_MAP64_NONE)
    {
      const TtStragglerRank rank = { .process = process };

      number = self->ranks->len;
      tt_map64_set (numbers, process, number);
      g_array_append_val (self->ranks, rank);
    }
  return &g_array_index (self->ranks, TtStragglerRank, number);
}

/* The steps of each rank that it made late, and its commonest reason; of equally common ones the costliest. */
static void
sum_up_ranks (TtStragglers *self, TtStore *store)
{
  g_autoptr (GArray) reasons = g_array_new (FALSE, FALSE, sizeof (Reason));
  TtMap64 rank_numbers = { 0 }, reason_numbers = { 0 };

  for (guint i = 0; i < self->steps->len; i++)
    {
      const TtStraggler *step = &g_array_index (self->steps, TtStraggler, i);

      if (step->process == TT_NO_ID)
        continue;
      TtStragglerRank *rank = rank_of (self, &rank_numbers, step->process);
      rank->n_steps++;
      rank->twice_price_ns += step->twice_price_ns;
      add_reason (reasons, &reason_numbers, step);
    }
  for (guint i = 0; i < reasons->len; i++)
    {
      const Reason *reason = &g_array_index (reasons, Reason, i);
      TtStragglerRank *rank = rank_of (self, &rank_numbers, reason->process);

      if (reason->n < rank->n_named || (reason->n == rank->n_named && reason->excess_ns <= rank->excess_ns))
        continue;
      rank->has_operation = TRUE;
      rank->name = reason->name;
      rank->thread = reason->thread;
      rank->n_named = reason->n;
      rank->excess_ns = reason->excess_ns;
    }
  g_array_sort_with_data (self->ranks, compare_ranks, store);
  tt_map64_clear (&rank_numbers);
  tt_map64_clear (&reason_numbers);
}

/* -- all -------------------------------------------------------------------------------------------------------------- */

TtStragglers *
tt_stragglers_new (TtStore *store, TtSelection *selection, GError **error)
{
  g_autoptr (TtStragglers) result = g_new0 (TtStragglers, 1);
  g_autoptr (TtStepValues) values = tt_step_values_new (store, selection, error);
  g_autoptr (GArray) ranks = g_array_new (FALSE, FALSE, sizeof (StepRank));
  g_autoptr (GArray) operations = g_array_new (FALSE, FALSE, sizeof (StepOperation));
  g_autoptr (GArray) lengths = g_array_new (FALSE, FALSE, sizeof (tt_int128));
  StepReader reader = { store, values, result, 0, ranks, operations, lengths };

  result->steps = g_array_new (FALSE, FALSE, sizeof (TtStraggler));
  result->ranks = g_array_new (FALSE, FALSE, sizeof (TtStragglerRank));
  if (values == NULL || !read_steps (&reader, error))
    return NULL;
  sum_up_ranks (result, store);
  return g_steal_pointer (&result);
}

void
tt_stragglers_free (TtStragglers *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->steps);
  g_array_unref (self->ranks);
  g_free (self);
}
