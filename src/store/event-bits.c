/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/event-bits.h"

#include "src/base/error.h"
#include "src/store/store.h"

struct _TtEventBits
{
  guint64 first, n;
  guint8 *bits;
};

TtEventBits *
tt_event_bits_new (TtStore *store, GError **error)
{
  guint n;
  guint64 first = G_MAXUINT64, last = 0;
  const TtSource *sources = tt_store_sources (store, &n);

  for (guint i = 0; i < n; i++)
    if (sources[i].first_event > 0)
      {
        first = MIN (first, sources[i].first_event);
        last = MAX (last, sources[i].last_event);
      }
  TtEventBits *self = g_new0 (TtEventBits, 1);
  self->first = first;
  self->n = last < first ? 0 : last - first + 1;
  self->bits = g_try_malloc0 (self->n / 8 + 1);
  if (self->bits != NULL)
    return self;
  g_free (self);
  g_set_error (error, TT_ERROR, TT_ERROR_STORE, "the event ids of the run are too far apart; the database is damaged");
  return NULL;
}

void
tt_event_bits_free (TtEventBits *self)
{
  g_free (self->bits);
  g_free (self);
}

void
tt_event_bits_set (TtEventBits *self, guint64 event)
{
  guint64 i = event - self->first;

  if (i < self->n)
    self->bits[i / 8] |= (guint8) (1 << i % 8);
}

gboolean
tt_event_bits_get (const TtEventBits *self, guint64 event)
{
  guint64 i = event - self->first;

  return i < self->n && (self->bits[i / 8] >> (i % 8) & 1) != 0;
}
