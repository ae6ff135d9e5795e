/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/turns.h"

/* What one thread fills the other empties, in that order, however slow one of them is. */

#define N_NUMBERS 20000u

typedef struct
{
  TtTurns *turns;
  guint numbers[8]; /* by place */
  guint n_numbers, n_filled;
  guint slow_fill, slow_empty; /* one in so many takes long; 0: none */
  guint wait_every;            /* for all, before so many; 0: never */
} Ring;

static void
loiter (guint i, guint slow)
{
  if (slow > 0 && i % slow == 0)
    g_usleep (50);
}

static gpointer
fill (gpointer data)
{
  Ring *self = data;
  guint place;

  for (guint i = 0; i < self->n_numbers && tt_turns_next_empty (self->turns, &place); i++)
    {
      loiter (i, self->slow_fill);
      if (self->wait_every > 0 && i % self->wait_every == 0)
        tt_turns_wait_for_all (self->turns);
      self->numbers[place] = i;
      self->n_filled = i + 1;
      tt_turns_fill (self->turns, i + 1 == self->n_numbers);
    }
  return NULL;
}

/* All but the last of those that are emptied are given back. */
static void
check_ring (guint n_places, const Ring *like, guint n_emptied)
{
  Ring self = *like;

  self.turns = tt_turns_new (n_places);
  GThread *thread = g_thread_new ("fill", fill, &self);
  for (guint i = 0; i < n_emptied; i++)
    {
      if (i > 0)
        tt_turns_empty (self.turns);
      guint place = tt_turns_next_full (self.turns);
      g_assert_cmpuint (place, ==, i % n_places);
      g_assert_cmpuint (self.numbers[place], ==, i);
      loiter (i, self.slow_empty);
    }
  tt_turns_stop (self.turns);
  g_thread_join (thread);
  g_assert_cmpuint (self.n_filled, >=, n_emptied);
  g_assert_cmpuint (self.n_filled, <=, MIN (n_emptied + n_places - (n_emptied > 0), self.n_numbers));
  tt_turns_free (self.turns);
}

static void
test_all (void)
{
  static const Ring rings[] = {
    { .n_numbers = N_NUMBERS },
    { .n_numbers = N_NUMBERS, .slow_fill = 37 },
    { .n_numbers = N_NUMBERS, .slow_empty = 41 },
    { .n_numbers = N_NUMBERS, .slow_fill = 97, .slow_empty = 89 },
    { .n_numbers = N_NUMBERS, .wait_every = 3 },
    { .n_numbers = N_NUMBERS, .wait_every = 11, .slow_fill = 89, .slow_empty = 97 },
    { .n_numbers = 1 },
    { .n_numbers = 3, .wait_every = 1 },
  };

  for (guint n_places = 2; n_places <= 8; n_places += 3)
    for (guint i = 0; i < G_N_ELEMENTS (rings); i++)
      check_ring (n_places, &rings[i], rings[i].n_numbers);
}

/* Whatever is stopped on the way. */
static void
test_stop (void)
{
  const Ring ring = { .n_numbers = N_NUMBERS }, waiting = { .n_numbers = N_NUMBERS, .wait_every = 2 };

  for (guint n = 0; n < 40; n++)
    {
      check_ring (8, &ring, n);
      check_ring (2, &ring, n);
      check_ring (8, &waiting, n);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/turns/all", test_all);
  g_test_add_func ("/turns/stop", test_stop);
  return g_test_run ();
}
