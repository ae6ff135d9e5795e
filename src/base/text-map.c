/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/text-map.h"

#include "src/base/id-table.h"
#include "src/base/tape.h"
#include "src/base/text-ids.h"

#include <string.h>

#define TAPE_MEMORY ((gsize) 2 << 20)

struct _TtTextMap
{
  TtTextIds *keys;  /* -> number, from 1 */
  TtIdTable places; /* by number: place of the text on the tape, guint64 */
  TtTape *texts;
  guint32 n;
  GString *text; /* the last one that was asked for */
};

TtTextMap *
tt_text_map_new (void)
{
  TtTextMap *self = g_new0 (TtTextMap, 1);

  self->keys = tt_text_ids_new ();
  self->places.row_size = sizeof (guint64);
  self->texts = tt_tape_new (TAPE_MEMORY);
  self->text = g_string_new (NULL);
  return self;
}

void
tt_text_map_free (TtTextMap *self)
{
  if (self == NULL)
    return;
  tt_text_ids_free (self->keys);
  tt_id_table_clear (&self->places);
  tt_tape_free (self->texts);
  g_string_free (self->text, TRUE);
  g_free (self);
}

void
tt_text_map_set (TtTextMap *self, guint64 kind, const char *key, const char *text)
{
  gsize len = strlen (key);
  guint32 number = tt_text_ids_find (self->keys, kind, key, len);

  if (number == 0)
    {
      number = ++self->n;
      tt_text_ids_add (self->keys, kind, key, len, number);
    }
  guint64 place = tt_tape_append_text (self->texts, text, strlen (text));
  *(guint64 *) tt_id_table_at (&self->places, number) = place;
}

const char *
tt_text_map_get (TtTextMap *self, guint64 kind, const char *key)
{
  guint32 number = tt_text_ids_find (self->keys, kind, key, strlen (key));

  if (number == 0)
    return NULL;
  return tt_tape_read_text (self->texts, *(const guint64 *) tt_id_table_at (&self->places, number), self->text);
}

gboolean
tt_text_map_check (const TtTextMap *self, GError **error)
{
  return tt_text_ids_check (self->keys, error) && tt_id_table_check (&self->places, error) &&
         tt_tape_check (self->texts, error);
}
