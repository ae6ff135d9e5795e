/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/id-map.h"

#include "src/base/room.h"

#define PIECE 8192u
#define MAX_PIECES TT_ROOM (1024u, 1u)

typedef struct
{
  guint32 low[PIECE];
  guint8 high[PIECE];
} Piece;

struct _TtTauIdMap
{
  Piece *pieces[MAX_PIECES];
  TtSlots *others; /* mixed id -> number */
  guint64 seed;    /* so that nobody can make ids that collide */
};

TtTauIdMap *
tt_tau_id_map_new (void)
{
  TtTauIdMap *self = g_new0 (TtTauIdMap, 1);

  self->others = tt_slots_new ();
  self->seed = (guint64) g_random_int () << 32 | g_random_int ();
  return self;
}

void
tt_tau_id_map_free (TtTauIdMap *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < MAX_PIECES; i++)
    g_free (self->pieces[i]);
  tt_slots_free (self->others);
  g_free (self);
}

static gboolean
is_in_pieces (gint64 id)
{
  return (guint64) id < (guint64) MAX_PIECES * PIECE;
}

static guint64
key_of (const TtTauIdMap *self, gint64 id)
{
  return tt_slots_mix ((guint64) id ^ self->seed);
}

guint64
tt_tau_id_map_get (TtTauIdMap *self, gint64 id)
{
  TtSlotCursor cursor = { 0 };

  if (!is_in_pieces (id))
    return tt_slots_find (self->others, key_of (self, id), &cursor);
  const Piece *piece = self->pieces[id / PIECE];
  return piece == NULL ? 0 : (guint64) piece->high[id % PIECE] << 32 | piece->low[id % PIECE];
}

void
tt_tau_id_map_set (TtTauIdMap *self, gint64 id, guint64 number)
{
  TtSlotCursor cursor = { 0 };

  g_return_if_fail (number != 0 && number <= TT_TAU_MAX_NUMBER);
  if (!is_in_pieces (id))
    {
      const guint64 key = key_of (self, id);

      if (tt_slots_find (self->others, key, &cursor) != 0)
        tt_slots_replace (self->others, &cursor, number);
      else
        tt_slots_add (self->others, key, number);
      return;
    }
  Piece **piece = &self->pieces[id / PIECE];
  if (*piece == NULL)
    *piece = g_new0 (Piece, 1);
  (*piece)->low[id % PIECE] = (guint32) number;
  (*piece)->high[id % PIECE] = (guint8) (number >> 32);
}

gboolean
tt_tau_id_map_check (const TtTauIdMap *self, GError **error)
{
  return tt_slots_check (self->others, error);
}
