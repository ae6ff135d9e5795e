/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/text-ids.h"

#include "src/base/slots.h"
#include "src/base/tape.h"

#include <string.h>
#include <xxhash.h>

#define TAPE_MEMORY ((gsize) 2 << 20)
#define GUESS 64u /* most records are shorter: one read gets them */

/* On the tape, its text after it. */
typedef struct
{
  guint64 salt, len;
  guint32 id, reserved;
} Record;

struct _TtTextIds
{
  TtSlots *places; /* hash of a key -> place of its record + 1 */
  TtTape *records;
  guint64 seed; /* so that nobody can make texts that collide */
  GByteArray *text; /* scratch */
};

TtTextIds *
tt_text_ids_new (void)
{
  TtTextIds *self = g_new0 (TtTextIds, 1);

  self->places = tt_slots_new ();
  self->records = tt_tape_new (TAPE_MEMORY);
  self->seed = (guint64) g_random_int () << 32 | g_random_int ();
  self->text = g_byte_array_new ();
  return self;
}

void
tt_text_ids_free (TtTextIds *self)
{
  if (self == NULL)
    return;
  tt_slots_free (self->places);
  tt_tape_free (self->records);
  g_byte_array_unref (self->text);
  g_free (self);
}

static guint64
hash_of (const TtTextIds *self, guint64 salt, const char *text, gsize len)
{
  return XXH3_64bits_withSeed (len == 0 ? "" : text, len, self->seed ^ tt_slots_mix (salt));
}

/* Whether the text of @record, which is @len long, is @text. @guess: its first bytes. */
static gboolean
has_text (TtTextIds *self, guint64 place, gsize len, const char *text, const guint8 *guess)
{
  gsize in_guess = MIN (len, GUESS - sizeof (Record));

  if (len == 0)
    return TRUE;
  if (memcmp (guess, text, in_guess) != 0)
    return FALSE;
  if (len == in_guess)
    return TRUE;
  g_byte_array_set_size (self->text, (guint) (len - in_guess));
  tt_tape_read (self->records, place + sizeof (Record) + in_guess, self->text->data, len - in_guess);
  return memcmp (self->text->data, text + in_guess, len - in_guess) == 0;
}

guint32
tt_text_ids_find (TtTextIds *self, guint64 salt, const char *text, gsize len)
{
  guint64 hash = hash_of (self, salt, text, len), at;
  TtSlotCursor cursor = { 0 };

  while ((at = tt_slots_find (self->places, hash, &cursor)) != 0)
    {
      guint8 bytes[GUESS];
      Record record;

      tt_tape_read (self->records, at - 1, bytes, sizeof bytes);
      memcpy (&record, bytes, sizeof record);
      if (record.salt == salt && record.len == len &&
          has_text (self, at - 1, len, text, bytes + sizeof record))
        return record.id;
    }
  return 0;
}

void
tt_text_ids_add (TtTextIds *self, guint64 salt, const char *text, gsize len, guint32 id)
{
  const Record record = { .salt = salt, .len = len, .id = id };
  guint64 at = tt_tape_append (self->records, &record, sizeof record);

  if (len > 0)
    tt_tape_append (self->records, text, len);
  tt_slots_add (self->places, hash_of (self, salt, text, len), at + 1);
}

gboolean
tt_text_ids_check (const TtTextIds *self, GError **error)
{
  return tt_slots_check (self->places, error) && tt_tape_check (self->records, error);
}
