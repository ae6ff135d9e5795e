/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/names/texts.h"

#include <string.h>
#include <xxhash.h>

#define SEED_TEXT 2
#define SEED_CLASH 3
#define SEED_RAW 4

void
tt_name_texts_init (TtNameTexts *self, TtNameRecords *records, guint64 seed)
{
  self->records = records;
  self->texts = tt_slots_new ();
  self->clashes = tt_slots_new ();
  self->seed = seed;
  self->key = g_byte_array_new ();
}

void
tt_name_texts_clear (TtNameTexts *self)
{
  tt_slots_free (self->texts);
  tt_slots_free (self->clashes);
  g_byte_array_unref (self->key);
}

gboolean
tt_name_texts_check (const TtNameTexts *self, GError **error)
{
  return tt_slots_check (self->texts, error) && tt_slots_check (self->clashes, error);
}

static gboolean
is_number (const char *text)
{
  return *text != '\0' && text[strspn (text, "0123456789")] == '\0';
}

void
tt_name_text_make (GString *text, const char *op_cat, const char *op, const char *sub_op)
{
  gboolean is_numbered = is_number (op);

  g_string_truncate (text, 0);
  if (strcmp (op_cat, "virtual") != 0 || strcmp (op, "END") != 0)
    g_string_append (text, op_cat);
  if (strcmp (op_cat, "I/O") == 0 && is_numbered)
    g_string_append_c (text, '_');
  else if (!(strcmp (op_cat, "UPDATE_") == 0 && (is_numbered || strcmp (op, "CAL") == 0)) &&
           !(strcmp (op_cat, "OUTPUT") == 0 && is_numbered) && text->len > 0)
    g_string_append_c (text, '.');

  for (const char *p = op; *p != '\0'; p++)
    {
      gboolean is_arrow = (*p == '-' || *p == '~') && p[1] == '>';
      g_string_append_c (text, is_arrow || *p == '.' || g_ascii_iscntrl (*p) ? '_' : *p);
      p += is_arrow;
    }
  if (sub_op != NULL)
    {
      g_string_append_c (text, '.');
      g_string_append (text, sub_op);
    }
}

static guint64
text_hash (const TtNameTexts *self, const GString *text)
{
  return XXH3_64bits_withSeed (text->str, text->len, self->seed + SEED_TEXT);
}

guint64
tt_name_texts_find (TtNameTexts *self, const GString *text)
{
  TtSlotCursor cursor = { 0 };
  guint64 at;

  self->found_hash = text_hash (self, text);
  while ((at = tt_slots_find (self->texts, self->found_hash, &cursor)) != 0)
    {
      const char *strings[TT_N_NAME_TEXTS];

      tt_name_records_load (self->records, at, strings);
      if (g_strcmp0 (strings[TT_NAME_TEXT], text->str) == 0)
        return at;
    }
  return 0;
}

static guint64
raw_hash (TtNameTexts *self, const GString *base, const char *raw)
{
  g_byte_array_set_size (self->key, 0);
  g_byte_array_append (self->key, (const guint8 *) base->str, (guint) base->len + 1);
  g_byte_array_append (self->key, (const guint8 *) raw, (guint) strlen (raw));
  return XXH3_64bits_withSeed (self->key->data, self->key->len, self->seed + SEED_RAW);
}

/* Whether @raw has its own "#2" of @base already; its text is then appended to @base. */
static gboolean
find_numbered (TtNameTexts *self, guint64 hash, GString *base, const char *raw)
{
  TtSlotCursor cursor = { 0 };
  guint64 at;

  while ((at = tt_slots_find (self->texts, hash, &cursor)) != 0)
    {
      const char *strings[TT_N_NAME_TEXTS];
      const TtNameHeader *header = tt_name_records_load (self->records, at, strings);

      if (g_strcmp0 (strings[TT_NAME_RAW], raw) == 0 && strings[TT_NAME_TEXT] != NULL &&
          header->base_len == base->len && strncmp (strings[TT_NAME_TEXT], base->str, base->len) == 0 &&
          strings[TT_NAME_TEXT][base->len] == '#')
        {
          g_string_append (base, strings[TT_NAME_TEXT] + base->len);
          return TRUE;
        }
    }
  return FALSE;
}

static guint32
next_number (TtNameTexts *self, const GString *base)
{
  guint64 hash = XXH3_64bits_withSeed (base->str, base->len, self->seed + SEED_CLASH);
  TtSlotCursor cursor = { 0 };
  guint64 last = tt_slots_find (self->clashes, hash, &cursor);

  if (last == 0)
    tt_slots_add (self->clashes, hash, 2);
  else
    tt_slots_replace (self->clashes, &cursor, last + 1);
  return last == 0 ? 2 : (guint32) last + 1;
}

static void
set_first (const TtNameTexts *self, TtTextPlace *place)
{
  place->is_first = TRUE;
  place->use = TT_TEXT_IS_FIRST;
  place->text_hash = self->found_hash;
}

TtTextPlace
tt_name_texts_settle (TtNameTexts *self, GString *text, const char *raw, const char *suffix, guint64 first)
{
  TtTextPlace place = { .base_len = (guint32) text->len, .use = TT_TEXT_IS_SHARED };
  const char *strings[TT_N_NAME_TEXTS];

  if (first == 0)
    {
      set_first (self, &place);
      return place;
    }
  tt_name_records_load (self->records, first, strings);
  if (g_strcmp0 (strings[TT_NAME_RAW], raw) == 0)
    {
      place.use = g_strcmp0 (strings[TT_NAME_SUFFIX], suffix) == 0 ? TT_TEXT_IS_SHARED : TT_TEXT_IS_COMMON;
      return place;
    }

  guint64 hash = raw_hash (self, text, raw);
  if (find_numbered (self, hash, text, raw))
    return place;
  do
    {
      guint32 number = next_number (self, text);
      g_string_append_printf (text, "#%u", number);
      if (tt_name_texts_find (self, text) == 0)
        set_first (self, &place);
      else
        g_string_truncate (text, place.base_len);
    }
  while (!place.is_first && tt_name_texts_check (self, NULL));
  place.raw_hash = hash;
  return place;
}

void
tt_name_texts_list (TtNameTexts *self, const TtTextPlace *place, guint64 at)
{
  if (place->is_first)
    tt_slots_add (self->texts, place->text_hash, at);
  if (place->raw_hash != 0)
    tt_slots_add (self->texts, place->raw_hash, at);
}

/* -- continuing a database -------------------------------------------------------------------------- */

/* Length of the text without the "#2" that its parts do not explain. */
static guint32
seeded_base_len (GString *scratch, const TtName *name)
{
  tt_name_text_make (scratch, name->op_cat, name->op_name, name->sub_op);
  gsize len = scratch->len;

  if (strncmp (name->text, scratch->str, len) == 0 && name->text[len] == '#' && is_number (name->text + len + 1))
    return (guint32) len;
  return (guint32) strlen (name->text);
}

static void
seed_number (TtNameTexts *self, const GString *base, const char *number_text)
{
  guint64 hash = XXH3_64bits_withSeed (base->str, base->len, self->seed + SEED_CLASH), number = 0;
  TtSlotCursor cursor = { 0 };
  guint64 last = tt_slots_find (self->clashes, hash, &cursor);

  if (!g_ascii_string_to_unsigned (number_text, 10, 2, G_MAXUINT32, &number, NULL) || number <= last)
    return;
  if (last == 0)
    tt_slots_add (self->clashes, hash, number);
  else
    tt_slots_replace (self->clashes, &cursor, number);
}

TtTextPlace
tt_name_texts_seed (TtNameTexts *self, GString *text, const TtName *name)
{
  TtTextPlace place = { .base_len = seeded_base_len (text, name), .use = TT_TEXT_IS_SHARED };

  g_string_assign (text, name->text);
  if (tt_name_texts_find (self, text) == 0)
    set_first (self, &place);
  if (name->text[place.base_len] == '#' && place.is_first)
    {
      g_string_truncate (text, place.base_len);
      seed_number (self, text, name->text + place.base_len + 1);
      place.raw_hash = raw_hash (self, text, name->raw);
      g_string_assign (text, name->text);
    }
  return place;
}
