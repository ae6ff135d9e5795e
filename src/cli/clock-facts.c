/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/clock-facts.h"

#include "src/base/units.h"
#include "src/cli/message.h"
#include "src/store/store.h"

static gboolean
take_fit (const TtClockFit *fit, gpointer data)
{
  TtClockFacts *self = data;

  self->n_bounds += fit->n_bounds;
  self->n_violated += fit->n_violated;
  self->n_left += fit->n_left;
  self->worst_ns = MAX (self->worst_ns, fit->worst_ns);
  self->worst_left_ns = MAX (self->worst_left_ns, fit->worst_left_ns);
  self->is_corrected |= fit->n_violated > 0 || fit->offset_ns != 0 || fit->drift_ns != 0;
  g_array_append_val (self->fits, *fit);
  return TRUE;
}

gboolean
tt_clock_facts_gather (TtClockFacts *self, TtStore *store, GError **error)
{
  *self = (TtClockFacts){ .fits = g_array_new (FALSE, FALSE, sizeof (TtClockFit)) };
  return tt_store_each_clock_fit (store, take_fit, self, error);
}

void
tt_clock_facts_clear (TtClockFacts *self)
{
  g_clear_pointer (&self->fits, g_array_unref);
}

static gboolean
has_several_clocks (TtStore *store)
{
  guint n, n_leaders = 0;
  const TtProcess *processes = tt_store_processes (store, &n);

  for (guint i = 0; i < n; i++)
    n_leaders += processes[i].owner == processes[i].id;
  return n_leaders > 1;
}

char *
tt_clock_facts_text (const TtClockFacts *self, TtStore *store)
{
  char bounds[TT_TIME_TEXT], violated[TT_TIME_TEXT], worst[TT_TIME_TEXT], left[TT_TIME_TEXT], worst_left[TT_TIME_TEXT];

  if (!has_several_clocks (store))
    return NULL;
  if (self->n_bounds == 0)
    return g_strdup ("not compared: no message or collective ties the processes to each other");
  tt_count_text (bounds, self->n_bounds);
  if (!self->is_corrected)
    return g_strdup_printf ("agree: of %s receives and ends of collectives none comes before its cause", bounds);
  if (self->n_violated == 0)
    return g_strdup_printf ("differ: of %s receives and ends of collectives none comes before its cause, but over and over"
                            " ranks leave collectives much earlier than others; corrected by offset and drift",
                            bounds);
  tt_count_text (violated, self->n_violated);
  tt_time_auto (worst, self->worst_ns);
  if (self->n_left == 0)
    return g_strdup_printf ("differ: %s of %s receives and ends of collectives came before their cause, by up to %s;"
                            " corrected by offset and drift",
                            violated, bounds, worst);
  tt_count_text (left, self->n_left);
  tt_time_auto (worst_left, self->worst_left_ns);
  return g_strdup_printf ("differ: %s of %s receives and ends of collectives came before their cause, by up to %s;"
                          " corrected by offset and drift, %s that were left, by up to %s, %s",
                          violated, bounds, worst, left, worst_left,
                          self->worst_left_ns > TT_CLOCK_MAX_MOVE_NS ? "stay: so much is no matter of clocks"
                                                                     : "by moving them after it");
}

gboolean
tt_clock_facts_tell (TtStore *store, GError **error)
{
  g_auto (TtClockFacts) facts = { NULL };

  if (!tt_clock_facts_gather (&facts, store, error))
    return FALSE;
  if (!facts.is_corrected)
    return TRUE;
  g_autofree char *text = tt_clock_facts_text (&facts, store);
  if (text != NULL)
    tt_message ("the clocks of the processes %s; 'tracetool info' shows them, '--clock original' leaves times as they were",
                text);
  return TRUE;
}
