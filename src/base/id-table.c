/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/id-table.h"

#include <string.h>

#define FIRST_ROWS 64u
#define CACHE_BYTES ((gsize) 2 << 20)

void
tt_id_table_clear (TtIdTable *self)
{
  g_clear_pointer (&self->first, g_free);
  g_clear_pointer (&self->more, tt_spill_free);
  self->n_first = 0;
}

gboolean
tt_id_table_check (const TtIdTable *self, GError **error)
{
  return self->more == NULL || tt_spill_check (self->more, error);
}

static void
grow (TtIdTable *self, guint32 id)
{
  guint32 old = self->n_first;

  self->n_first = MAX (old, FIRST_ROWS);
  while (self->n_first <= id)
    self->n_first *= 2;
  self->first = g_realloc_n (self->first, self->n_first, self->row_size);
  memset (self->first + old * self->row_size, 0, (self->n_first - old) * self->row_size);
}

void *
tt_id_table_find (TtIdTable *self, guint32 id)
{
  if (id < TT_ID_TABLE_FIRST)
    {
      grow (self, id);
      return self->first + id * self->row_size;
    }
  if (self->more == NULL)
    self->more = tt_spill_new (CACHE_BYTES);

  guint64 at = (guint64) (id - TT_ID_TABLE_FIRST) * self->row_size;
  return tt_spill_page (self->more, at / TT_SPILL_PAGE, TRUE) + at % TT_SPILL_PAGE;
}
