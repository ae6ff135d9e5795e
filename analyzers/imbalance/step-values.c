/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/imbalance/step-values.h"

#include "analyzers/devices/roles.h"
#include "analyzers/imbalance/calls.h"
#include "analyzers/imbalance/step-cover.h"
#include "analyzers/spans/each-event.h"
#include "analyzers/spans/parents.h"
#include "analyzers/steps/steps.h"
#include "analyzers/work-class.h"
#include "src/base/sorter.h"
#include "src/trace/span.h"

#define SORT_BYTES ((gsize) 32 << 20)
/* Sums that are held back before they are sorted: a rank's operations of a step come close together. */
#define HELD_SUMS ((guint64) 1 << 14)

/* A TtStepValue as it is sorted. */
typedef struct
{
  guint64 step_rank; /* step << 32 | process that leads the rank */
  guint64 what;      /* TtStepValueKind << 32 | group of names */
  gint64 ns;
} Value;

/* What a rank's part of a call cost, until the scan says in which step the part is. */
typedef struct
{
  guint64 event_down, unused; /* ids downwards, as the scan has them */
  gint64 caused_ns;
  guint32 process, padding;
} CallPart;

/* A span that may contain others: of an annotation, what is left of it without the spans right inside. */
typedef struct
{
  gint64 begin_ns, end_ns, rest_ns;
  guint32 process, group; /* group 0: not an annotation */
  gint32 step;
  gboolean is_step;
} OpenSpan;

struct _TtStepValues
{
  TtStore *store;
  TtSelection *selection;
  TtDeviceRoles roles;
  TtSorter *parts, *values;
  const CallPart *part; /* the next */
  GError *failure;
  Value *held;
  TtSpanParents *parents; /* of OpenSpan */
  TtStepCover *cover;
  guint32 *leader_of_thread;
  guint8 *is_work_of_name;
  TtGrouping *names;
  guint32 *group_of_name; /* + 1 */
  gboolean has_steps, has_annotations;
  GHashTable *chosen_steps; /* those with a chosen span; NULL: all */
  GArray *is_chosen;        /* of guint8, by group */
  TtStepValue value;        /* the last that was read */
};

/* -- values -------------------------------------------------------------------------------------------------------- */

static void
write_value (TtStepValues *self, const Value *value)
{
  *(Value *) tt_sorter_add (self->values) = *value;
}

static void
add_value (TtStepValues *self, gint32 step, guint32 process, TtStepValueKind kind, guint32 group, gint64 ns)
{
  write_value (self, &(Value){ (guint64) (guint32) step << 32 | process, (guint64) kind << 32 | group, ns });
}

static void
add_self (TtStepValues *self, gint32 step, guint32 process, guint32 group, gint64 ns)
{
  const Value value = { (guint64) (guint32) step << 32 | process, (guint64) TT_STEP_VALUE_SELF << 32 | group, ns };
  guint64 mixed =
      (value.step_rank * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) + group) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  Value *held = &self->held[(mixed >> 32) % HELD_SUMS];
  gint64 sum_ns;

  if (held->step_rank == value.step_rank && held->what == value.what && !__builtin_add_overflow (held->ns, ns, &sum_ns))
    {
      held->ns = sum_ns;
      return;
    }
  if (held->what != 0)
    write_value (self, held);
  *held = value;
}

/* -- calls of collectives -------------------------------------------------------------------------------------------- */

static gboolean
take_call (const TtCall *call, gpointer data)
{
  TtStepValues *self = data;
  tt_int128 paid_ns = 0;

  for (guint i = 0; i < call->n; i++)
    paid_ns += tt_call_paid_ns (call, i);
  for (guint i = 0; i < call->n; i++)
    {
      gboolean caused = i == call->late;
      CallPart *part = tt_sorter_add (self->parts);

      *part = (CallPart){ .event_down = ~call->ranks[i].event,
                          .process = call->ranks[i].process,
                          .caused_ns = caused ? (gint64) MIN (paid_ns, G_MAXINT64) : 0 };
    }
  return TRUE;
}

/* -- the scan ---------------------------------------------------------------------------------------------------------- */

static gboolean
classify_name (const TtStoredName *name, gpointer data)
{
  TtStepValues *self = data;

  self->is_work_of_name[name->id] = !tt_work_is_waiting (tt_work_class (name->op_cat));
  return TRUE;
}

static gboolean
look_up_definitions (TtStepValues *self, GError **error)
{
  static const TtGroupKeys by_name = { 1, { TT_KEY_NAME } };
  guint n;
  const TtThread *threads = tt_store_threads (self->store, &n);

  self->leader_of_thread = g_new0 (guint32, (gsize) tt_store_max_thread (self->store) + 1);
  for (guint i = 0; i < n; i++)
    self->leader_of_thread[threads[i].id] = tt_store_process (self->store, threads[i].process)->owner;
  self->is_work_of_name = g_new0 (guint8, (gsize) tt_store_max_name (self->store) + 1);
  self->group_of_name = g_new0 (guint32, (gsize) tt_store_max_name (self->store) + 1);
  self->names = tt_grouping_new (self->store, &by_name);
  return tt_store_each_name (self->store, classify_name, self, error) &&
         tt_device_roles_load (&self->roles, self->store, NULL, NULL, error);
}

static void
take_parts (TtStepValues *self, const TtEvent *event)
{
  while (self->part != NULL && self->part->event_down <= ~event->id && self->failure == NULL)
    {
      if (self->part->event_down == ~event->id && event->step >= 0)
        {
          add_value (self, event->step, self->part->process, TT_STEP_VALUE_IN_CALL, 0, 0);
          if (self->part->caused_ns > 0)
            add_value (self, event->step, self->part->process, TT_STEP_VALUE_CAUSED, 0, self->part->caused_ns);
        }
      self->part = tt_sorter_next (self->parts, &self->failure);
    }
}

static guint32
group_of (TtStepValues *self, const TtEvent *event)
{
  guint32 *group = &self->group_of_name[event->name];

  if (*group == 0)
    *group = tt_grouping_group (self->names, event->thread, event->name, event->step) + 1;
  return *group;
}

/* The group of a span, of which it counts whether any is chosen. */
static guint32
note_group (TtStepValues *self, const TtEvent *event, gboolean is_chosen)
{
  guint32 group = group_of (self, event);

  if (group >= self->is_chosen->len)
    g_array_set_size (self->is_chosen, group + 1);
  if (is_chosen)
    g_array_index (self->is_chosen, guint8, group) = TRUE;
  return group;
}

static void
close_span (gpointer payload, gpointer data)
{
  const OpenSpan *span = payload;

  if (span->group != 0 && span->rest_ns > 0)
    add_self (data, span->step, span->process, span->group, span->rest_ns);
}

static void
add_cover (TtStepValues *self, const TtEvent *event, TtCoverKind kind)
{
  tt_step_cover_add (self->cover, &(TtCoverSpan){ event->step, self->leader_of_thread[event->thread], kind,
                                                  event->ts_ns, tt_span_end (event->ts_ns, event->dur_ns) });
}

/* A span of the host: its place among the others of its thread says what is left of an annotation around it, and whether
 * it covers something that nothing else does. */
static gboolean
take_host_span (TtStepValues *self, const TtEvent *event, gboolean is_chosen, GError **error)
{
  gpointer payload = NULL;
  gint64 end_ns = tt_span_end (event->ts_ns, event->dur_ns);
  OpenSpan *span = tt_span_parents_add (self->parents, event, &payload, error), *around = payload;

  if (span == NULL)
    return FALSE;
  *span = (OpenSpan){ event->ts_ns,
                      end_ns,
                      event->dur_ns,
                      self->leader_of_thread[event->thread],
                      0,
                      event->step,
                      (event->flags & TT_FLAG_STEP) != 0 };
  /* Spans that cross may be inside it more than once. */
  if (around != NULL && around->rest_ns > 0)
    around->rest_ns -= MAX (MIN (end_ns, around->end_ns) - MAX (event->ts_ns, around->begin_ns), 0);
  if (event->step < 0)
    return TRUE;
  self->has_annotations |= span->is_step;
  if (span->is_step || around == NULL || around->is_step || around->step != event->step)
    add_cover (self, event, span->is_step ? TT_COVER_STEP : TT_COVER_HOST);
  if (!span->is_step && (event->flags & TT_FLAG_WINDOW) != 0 && self->is_work_of_name[event->name])
    span->group = note_group (self, event, is_chosen);
  return TRUE;
}

static gboolean
take_span (TtStepValues *self, const TtEvent *event, GError **error)
{
  gboolean is_chosen = self->selection == NULL || tt_selection_matches (self->selection, event);
  gboolean is_async = (event->flags & TT_FLAG_ASYNC) != 0;
  TtActivityRole role = is_async ? TT_ACTIVITY_NONE : tt_device_roles_of_event (&self->roles, event);
  guint32 leader = self->leader_of_thread[event->thread];

  if (role == TT_ACTIVITY_TRACER || tt_activity_is_mark (role))
    return TRUE;
  if (!is_async && !tt_activity_is_work (role) && !take_host_span (self, event, is_chosen, error))
    return FALSE;
  if (event->step < 0)
    return TRUE;
  if (is_chosen && self->chosen_steps != NULL)
    g_hash_table_add (self->chosen_steps, GINT_TO_POINTER (event->step));
  if (is_async || tt_activity_is_work (role))
    add_cover (self, event, TT_COVER_WORK);
  if (!is_async && event->self_ns > 0 && self->is_work_of_name[event->name] && (event->flags & TT_FLAG_WINDOW) == 0)
    add_self (self, event->step, leader, note_group (self, event, is_chosen), event->self_ns);
  return TRUE;
}

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  TtStepValues *self = data;

  take_parts (self, event);
  if (self->failure == NULL)
    return event->dur_ns == TT_NO_TIME || take_span (self, event, error);
  g_propagate_error (error, g_steal_pointer (&self->failure));
  return FALSE;
}

/* Of steps that no span names. */
static gboolean
collect_lengths (TtStepValues *self, GError **error)
{
  g_autoptr (TtSteps) steps = tt_steps_new (self->store, NULL, TT_STEP_BY_OPERATORS, NULL, error);

  if (steps == NULL)
    return FALSE;
  for (guint64 i = 0; i < tt_steps_n_rows (steps); i++)
    {
      TtStepRow row;

      tt_steps_row (steps, i, &row);
      if (row.has_iteration && row.step >= 0)
        add_value (self, row.step, row.process, TT_STEP_VALUE_LENGTH, 0,
                   (gint64) MIN (row.ns[TT_STEP_TIME_ITERATION], G_MAXINT64));
    }
  return tt_steps_check (steps, error);
}

static void
take_uncovered (const TtUncoveredStep *step, gpointer data)
{
  TtStepValues *self = data;

  self->has_steps = TRUE;
  if (step->length_ns > 0)
    add_value (self, step->step, step->process, TT_STEP_VALUE_LENGTH, 0, step->length_ns);
  if (step->uncovered_ns > 0)
    add_value (self, step->step, step->process, TT_STEP_VALUE_SELF, 0, step->uncovered_ns);
}

static gboolean
see_step (const TtEvent *event, gpointer data, GError **error)
{
  *(gboolean *) data |= event->step >= 0;
  return TRUE;
}

/* In the time window; without one nobody has looked. */
static gboolean
may_have_steps (TtStepValues *self, gboolean *may, GError **error)
{
  gint64 begin_ns, end_ns;

  *may = self->selection == NULL || !tt_selection_has_window (self->selection);
  if (*may)
    return TRUE;
  tt_selection_window (self->selection, &begin_ns, &end_ns);
  return tt_each_event_between (self->store, TT_SCAN_DEFAULT, begin_ns, end_ns, see_step, may, error);
}

static gboolean
collect (TtStepValues *self, GError **error)
{
  gboolean may_have;

  if (!may_have_steps (self, &may_have, error))
    return FALSE;
  if (!may_have)
    return tt_sorter_finish (self->values, error);

  if (!tt_each_call_of_run (self->store, NULL, take_call, self, NULL, error) || !tt_sorter_finish (self->parts, error))
    return FALSE;
  self->part = tt_sorter_next (self->parts, &self->failure);
  if (self->failure != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->failure));
      return FALSE;
    }
  if (!tt_each_event (self->store, TT_SCAN_REVERSE, take_event, self, error))
    return FALSE;
  tt_span_parents_finish (self->parents);
  if (!tt_step_cover_each (self->cover, take_uncovered, self, error) ||
      (self->has_steps && !self->has_annotations && !collect_lengths (self, error)))
    return FALSE;
  for (guint i = 0; i < HELD_SUMS; i++)
    if (self->held[i].what != 0)
      write_value (self, &self->held[i]);
  return tt_sorter_finish (self->values, error);
}

/* -- all ------------------------------------------------------------------------------------------------------------- */

TtStepValues *
tt_step_values_new (TtStore *store, TtSelection *selection, GError **error)
{
  g_autoptr (TtStepValues) self = g_new0 (TtStepValues, 1);

  self->store = store;
  self->selection = selection;
  self->parts = tt_sorter_new (sizeof (CallPart), SORT_BYTES);
  self->values = tt_sorter_new (sizeof (Value), SORT_BYTES);
  self->held = g_new0 (Value, HELD_SUMS);
  self->parents = tt_span_parents_new (tt_store_max_thread (store), sizeof (OpenSpan), close_span, self);
  self->cover = tt_step_cover_new ();
  self->is_chosen = g_array_new (FALSE, TRUE, sizeof (guint8));
  if (selection != NULL && !tt_selection_is_everything (selection))
    self->chosen_steps = g_hash_table_new (NULL, NULL);
  if (!look_up_definitions (self, error) || !collect (self, error))
    return NULL;
  g_clear_pointer (&self->parts, tt_sorter_free);
  g_clear_pointer (&self->parents, tt_span_parents_free);
  g_clear_pointer (&self->cover, tt_step_cover_free);
  g_clear_pointer (&self->held, g_free);
  return g_steal_pointer (&self);
}

void
tt_step_values_free (TtStepValues *self)
{
  if (self == NULL)
    return;
  tt_sorter_free (self->parts);
  tt_sorter_free (self->values);
  tt_span_parents_free (self->parents);
  tt_step_cover_free (self->cover);
  tt_device_roles_clear (&self->roles);
  tt_grouping_free (self->names);
  g_clear_pointer (&self->chosen_steps, g_hash_table_unref);
  g_array_unref (self->is_chosen);
  g_free (self->held);
  g_free (self->leader_of_thread);
  g_free (self->is_work_of_name);
  g_free (self->group_of_name);
  g_free (self);
}

const TtStepValue *
tt_step_values_next (TtStepValues *self, GError **error)
{
  const Value *value;

  do
    value = tt_sorter_next (self->values, error);
  while (value != NULL && self->chosen_steps != NULL &&
         !g_hash_table_contains (self->chosen_steps, GINT_TO_POINTER ((gint32) (value->step_rank >> 32))));
  if (value == NULL)
    return NULL;
  self->value = (TtStepValue){
    .step = (gint32) (value->step_rank >> 32),
    .process = (guint32) value->step_rank,
    .kind = (TtStepValueKind) (value->what >> 32),
    .name = (guint32) value->what,
    .ns = value->ns,
  };
  return &self->value;
}

gboolean
tt_step_values_is_chosen (const TtStepValues *self, guint32 name)
{
  if (name == 0)
    return self->selection == NULL || !tt_selection_chooses_spans (self->selection);
  return name < self->is_chosen->len && g_array_index (self->is_chosen, guint8, name);
}

TtGroupMember
tt_step_values_member (const TtStepValues *self, guint32 name)
{
  return tt_grouping_member (self->names, name - 1);
}
