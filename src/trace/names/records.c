/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/names/records.h"

#include <string.h>

#define TAPE_MEMORY ((gsize) 4 << 20)
#define GUESS 256u /* most records are shorter: one read gets them */

void
tt_name_records_init (TtNameRecords *self)
{
  self->tape = tt_tape_new (TAPE_MEMORY);
  self->record = g_byte_array_new ();
  self->place = 0;
}

void
tt_name_records_clear (TtNameRecords *self)
{
  tt_tape_free (self->tape);
  g_byte_array_unref (self->record);
}

static void
read_record (TtNameRecords *self, guint64 place)
{
  TtNameHeader header;

  g_byte_array_set_size (self->record, GUESS);
  tt_tape_read (self->tape, place - 1, self->record->data, GUESS);
  memcpy (&header, self->record->data, sizeof header);
  self->place = place;
  if (header.size > GUESS)
    {
      g_byte_array_set_size (self->record, header.size);
      tt_tape_read (self->tape, place - 1 + GUESS, self->record->data + GUESS, header.size - GUESS);
    }
  if (header.size >= sizeof header)
    return;

  /* Only a temporary file that failed gives this. */
  for (guint i = 0; i < TT_N_NAME_TEXTS; i++)
    header.len[i] = TT_NAME_NO_STRING;
  memcpy (self->record->data, &header, sizeof header);
}

const TtNameHeader *
tt_name_records_load (TtNameRecords *self, guint64 place, const char *strings[TT_N_NAME_TEXTS])
{
  if (self->place != place)
    read_record (self, place);

  const TtNameHeader *header = (const TtNameHeader *) (gconstpointer) self->record->data;
  const char *p = (const char *) self->record->data + sizeof *header;
  for (guint i = 0; i < TT_N_NAME_TEXTS; i++)
    {
      strings[i] = header->len[i] == TT_NAME_NO_STRING ? NULL : p;
      if (header->len[i] != TT_NAME_NO_STRING)
        p += header->len[i] + 1;
    }
  return header;
}

guint64
tt_name_records_store (TtNameRecords *self, const TtNameHeader *like, const char *const strings[TT_N_NAME_TEXTS])
{
  TtNameHeader header = *like;

  g_byte_array_set_size (self->record, sizeof header);
  for (guint i = 0; i < TT_N_NAME_TEXTS; i++)
    {
      gsize len = strings[i] == NULL ? 0 : strlen (strings[i]);
      header.len[i] = strings[i] == NULL ? TT_NAME_NO_STRING : (guint32) len;
      if (strings[i] != NULL)
        g_byte_array_append (self->record, (const guint8 *) strings[i], (guint) len + 1);
    }
  header.size = self->record->len;
  memcpy (self->record->data, &header, sizeof header);
  self->place = tt_tape_append (self->tape, self->record->data, self->record->len) + 1;
  return self->place;
}
