/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/turns.h"

struct _TtTurns
{
  GMutex lock; /* of all that follows */
  GCond full, empty;
  guint n;
  guint64 n_filled, n_taken, n_emptied; /* so far: place i is used for number i, i + n, i + 2 n ... */
  gboolean is_last;                     /* has been filled */
  gboolean waits_for_all;               /* who fills */
  gboolean is_stopped;
};

TtTurns *
tt_turns_new (guint n)
{
  TtTurns *self = g_new0 (TtTurns, 1);

  g_return_val_if_fail (n >= 2, NULL);
  g_mutex_init (&self->lock);
  g_cond_init (&self->full);
  g_cond_init (&self->empty);
  self->n = n;
  return self;
}

void
tt_turns_free (TtTurns *self)
{
  if (self == NULL)
    return;
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->full);
  g_cond_clear (&self->empty);
  g_free (self);
}

/* -- filling ------------------------------------------------------------------------------------------------ */

/* Whether it is worth while to wake who fills. */
static gboolean
has_enough_empty (const TtTurns *self)
{
  return self->n_filled - self->n_emptied <= self->n / 4;
}

/* The same of who empties. Who fills may wait for less to be emptied, or be done. */
static gboolean
has_enough_full (const TtTurns *self)
{
  const guint64 n_full = self->n_filled - self->n_taken;

  return n_full >= self->n / 2 || (n_full > 0 && (self->is_last || self->waits_for_all));
}

gboolean
tt_turns_next_empty (TtTurns *self, guint *place)
{
  g_mutex_lock (&self->lock);
  if (self->n_filled - self->n_emptied == self->n)
    while (!has_enough_empty (self) && !self->is_stopped)
      g_cond_wait (&self->empty, &self->lock);
  *place = (guint) (self->n_filled % self->n);
  gboolean is_there = !self->is_stopped;
  g_mutex_unlock (&self->lock);
  return is_there;
}

void
tt_turns_fill (TtTurns *self, gboolean is_last)
{
  g_mutex_lock (&self->lock);
  self->n_filled++;
  self->is_last = is_last;
  if (has_enough_full (self))
    g_cond_signal (&self->full);
  g_mutex_unlock (&self->lock);
}

void
tt_turns_wait_for_all (TtTurns *self)
{
  g_mutex_lock (&self->lock);
  self->waits_for_all = TRUE;
  g_cond_signal (&self->full);
  while (self->n_emptied < self->n_filled && !self->is_stopped)
    g_cond_wait (&self->empty, &self->lock);
  self->waits_for_all = FALSE;
  g_mutex_unlock (&self->lock);
}

/* -- emptying ------------------------------------------------------------------------------------------------ */

guint
tt_turns_next_full (TtTurns *self)
{
  g_mutex_lock (&self->lock);
  if (self->n_filled == self->n_taken)
    while (!has_enough_full (self))
      g_cond_wait (&self->full, &self->lock);
  guint place = (guint) (self->n_taken++ % self->n);
  g_mutex_unlock (&self->lock);
  return place;
}

void
tt_turns_empty (TtTurns *self)
{
  g_mutex_lock (&self->lock);
  self->n_emptied++;
  if (has_enough_empty (self))
    g_cond_signal (&self->empty);
  g_mutex_unlock (&self->lock);
}

void
tt_turns_stop (TtTurns *self)
{
  g_mutex_lock (&self->lock);
  self->is_stopped = TRUE;
  g_cond_signal (&self->empty);
  g_mutex_unlock (&self->lock);
}
