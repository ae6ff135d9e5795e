/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/roots.h"

#include "src/base/spill.h"

#define CACHE_BYTES ((gsize) 256 << 10)
/* A damaged database may name any event. */
#define MAX_EVENT ((guint64) 1 << 38)

typedef struct
{
  guint32 owner, root;
} Told;

struct _ChromeRoots
{
  TtSpill *told; /* of Told */
  guint64 n_told;
  TtSpill *bits; /* by event */
  guint64 max_event;
};

ChromeRoots *
tt_chrome_roots_new (void)
{
  ChromeRoots *self = g_new0 (ChromeRoots, 1);

  self->told = tt_spill_new (CACHE_BYTES);
  self->bits = tt_spill_new (CACHE_BYTES);
  return self;
}

void
tt_chrome_roots_free (ChromeRoots *self)
{
  if (self == NULL)
    return;
  tt_spill_free (self->told);
  tt_spill_free (self->bits);
  g_free (self);
}

static void
set (ChromeRoots *self, guint64 event)
{
  guint8 byte;

  if (event > MAX_EVENT)
    return;
  tt_spill_read (self->bits, event / 8, &byte, 1);
  byte |= (guint8) (1u << event % 8);
  tt_spill_write (self->bits, event / 8, &byte, 1);
  self->max_event = MAX (self->max_event, event);
}

gboolean
tt_chrome_roots_have (const ChromeRoots *self, guint64 event)
{
  guint8 byte;

  if (event == 0 || event > self->max_event)
    return FALSE;
  tt_spill_read (self->bits, event / 8, &byte, 1);
  return (byte >> event % 8 & 1) != 0;
}

gboolean
tt_chrome_roots_check (const ChromeRoots *self, GError **error)
{
  return tt_spill_check (self->told, error) && tt_spill_check (self->bits, error);
}

/* -- from the store ---------------------------------------------------------------------------------- */

static gboolean
on_collective (const TtCollective *collective, gpointer data)
{
  if (collective->root != TT_NO_ID && collective->root == collective->process)
    set (data, collective->event);
  return TRUE;
}

gboolean
tt_chrome_roots_read (ChromeRoots *self, TtStore *store, GError **error)
{
  return tt_store_each_collective (store, on_collective, self, error) && tt_chrome_roots_check (self, error);
}

/* -- from an importer -------------------------------------------------------------------------------- */

void
tt_chrome_roots_add (ChromeRoots *self, const TtBatch *batch)
{
  const TtCallColumns *calls = &batch->calls;

  for (guint i = 0; i < calls->n; i++)
    if (calls->root[i] != TT_NO_ID)
      {
        const Told told = { calls->owner[i], calls->root[i] };
        tt_spill_write (self->told, self->n_told++ * sizeof told, &told, sizeof told);
      }
}

gboolean
tt_chrome_roots_finish (ChromeRoots *self, const TtChrome *chrome, ChromeOwners *owners, GError **error)
{
  for (guint64 i = 0; i < self->n_told; i++)
    {
      Told told;

      tt_spill_read (self->told, i * sizeof told, &told, sizeof told);
      const ChromeSpan span = tt_chrome_owners_span (owners, told.owner);
      if (span.event != 0 && span.thread < chrome->threads->len &&
          g_array_index (chrome->threads, ChromeThread, span.thread).process == told.root)
        set (self, span.event);
    }
  return tt_chrome_roots_check (self, error) && tt_chrome_owners_check (owners, error);
}
