/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/names/records.h"

#include "src/base/packed.h"

#include <string.h>

#define TAPE_MEMORY ((gsize) 4 << 20)
#define GUESS 128u /* most records are shorter: one read gets them */
#define MAX_WORDS 255u
#define MAX_WORD 64u

/*
 * A record on the tape: its size; id, rule, facts; line and communicator, where there are any; by how much the text is
 * longer than without its number; the raw name; the other strings, each by one of these, the text at last.
 */
enum
{
  IS_NULL,
  IS_HERE,       /* itself follows */
  IS_IN_RAW,     /* where, how long */
  IS_MADE,       /* a text: op_cat.op_name[.sub_op], and what follows */
  IS_FIRST_WORD, /* and more: a word */
};

enum
{
  IS_COLLECTIVE = 1,
  HAS_LINE = 2,
  HAS_COMMUNICATOR = 4,
  TEXT_USE = 8, /* times this */
};

static const TtNameText others[] = {
  TT_NAME_OP_CAT, TT_NAME_OP_NAME, TT_NAME_SUB_OP, TT_NAME_SUFFIX, TT_NAME_GROUP, TT_NAME_FILE,
};

typedef struct
{
  const char *text; /* NULL: none */
  gsize len;
} String;

void
tt_name_records_init (TtNameRecords *self)
{
  *self = (TtNameRecords){
    .tape = tt_tape_new (TAPE_MEMORY),
    .packed = g_byte_array_new (),
    .words = g_ptr_array_new_with_free_func (g_free),
    .word_numbers = g_hash_table_new (g_str_hash, g_str_equal),
    .text = g_string_new (NULL),
    .record = g_byte_array_new (),
  };
}

void
tt_name_records_clear (TtNameRecords *self)
{
  tt_tape_free (self->tape);
  g_byte_array_unref (self->packed);
  g_hash_table_unref (self->word_numbers);
  g_ptr_array_unref (self->words);
  g_string_free (self->text, TRUE);
  g_byte_array_unref (self->record);
}

/* -- the record at hand --------------------------------------------------------------------------------- */

static void
set_record (TtNameRecords *self, const TtNameHeader *like, const String strings[TT_N_NAME_TEXTS])
{
  TtNameHeader header = *like;
  gsize size = sizeof header;

  for (guint i = 0; i < TT_N_NAME_TEXTS; i++)
    {
      header.len[i] = strings[i].text == NULL ? TT_NAME_NO_STRING : (guint32) strings[i].len;
      size += strings[i].text == NULL ? 0 : strings[i].len + 1;
    }
  g_byte_array_set_size (self->record, (guint) size);
  memcpy (self->record->data, &header, sizeof header);
  guint8 *to = self->record->data + sizeof header;
  for (guint i = 0; i < TT_N_NAME_TEXTS; i++)
    if (strings[i].text != NULL)
      {
        memcpy (to, strings[i].text, strings[i].len);
        to[strings[i].len] = '\0';
        to += strings[i].len + 1;
      }
}

static const TtNameHeader *
record_at_hand (TtNameRecords *self, const char *strings[TT_N_NAME_TEXTS])
{
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

/* -- storing -------------------------------------------------------------------------------------------- */

static inline guint8 *
put_bytes (guint8 *to, const char *text, gsize len)
{
  to = tt_put_number (to, len);
  memcpy (to, text, len);
  return to + len;
}

/* Of short strings that are there often. G_MAXUINT: none. */
static guint
word_number (TtNameRecords *self, TtNameText kind, const String *string)
{
  guint last = self->last_word[kind];
  gpointer number;

  if (last != 0 && strcmp (self->words->pdata[last - 1], string->text) == 0)
    return last - 1;
  if (string->len > MAX_WORD)
    return G_MAXUINT;
  if (g_hash_table_lookup_extended (self->word_numbers, string->text, NULL, &number))
    self->last_word[kind] = GPOINTER_TO_UINT (number) + 1;
  else if (self->words->len < MAX_WORDS)
    {
      g_ptr_array_add (self->words, g_strdup (string->text));
      self->last_word[kind] = self->words->len;
      g_hash_table_insert (self->word_numbers, self->words->pdata[self->words->len - 1],
                           GUINT_TO_POINTER (self->words->len - 1));
    }
  else
    return G_MAXUINT;
  return self->last_word[kind] - 1;
}

static guint8 *
put_string (TtNameRecords *self, guint8 *to, TtNameText kind, const String strings[TT_N_NAME_TEXTS])
{
  const String *string = &strings[kind], *raw = &strings[TT_NAME_RAW];

  if (string->text == NULL)
    return tt_put_number (to, IS_NULL);
  if (kind == TT_NAME_OP_NAME || kind == TT_NAME_FILE)
    {
      const char *there = memmem (raw->text, raw->len, string->text, string->len);
      if (there != NULL)
        {
          to = tt_put_number (to, IS_IN_RAW);
          return tt_put_number (tt_put_number (to, (guint64) (there - raw->text)), string->len);
        }
    }
  else if (kind != TT_NAME_SUFFIX)
    {
      guint word = word_number (self, kind, string);
      if (word != G_MAXUINT)
        return tt_put_number (to, IS_FIRST_WORD + word);
    }
  return put_bytes (tt_put_number (to, IS_HERE), string->text, string->len);
}

/* Whether *@text goes on with @part, which it then leaves behind. */
static gboolean
skip_part (String *text, const char *part, gsize len)
{
  if (text->len < len || memcmp (text->text, part, len) != 0)
    return FALSE;
  text->text += len;
  text->len -= len;
  return TRUE;
}

static guint8 *
put_text (guint8 *to, const String strings[TT_N_NAME_TEXTS])
{
  const String *text = &strings[TT_NAME_TEXT], *sub_op = &strings[TT_NAME_SUB_OP];
  String rest = *text;

  if (text->text == NULL)
    return tt_put_number (to, IS_NULL);
  if (skip_part (&rest, strings[TT_NAME_OP_CAT].text, strings[TT_NAME_OP_CAT].len) && skip_part (&rest, ".", 1) &&
      skip_part (&rest, strings[TT_NAME_OP_NAME].text, strings[TT_NAME_OP_NAME].len) &&
      (sub_op->text == NULL || (skip_part (&rest, ".", 1) && skip_part (&rest, sub_op->text, sub_op->len))))
    return put_bytes (tt_put_number (to, IS_MADE), rest.text, rest.len);
  return put_bytes (tt_put_number (to, IS_HERE), text->text, text->len);
}

guint64
tt_name_records_store (TtNameRecords *self, const TtNameHeader *like, const char *const texts[TT_N_NAME_TEXTS])
{
  String strings[TT_N_NAME_TEXTS];
  gsize most = 256;

  for (guint i = 0; i < TT_N_NAME_TEXTS; i++)
    {
      strings[i] = (String){ texts[i], texts[i] == NULL ? 0 : strlen (texts[i]) };
      most += strings[i].len;
    }
  set_record (self, like, strings);
  g_byte_array_set_size (self->packed, (guint) most);

  guint facts = (like->is_collective != 0 ? IS_COLLECTIVE : 0) | (like->line != 0 ? HAS_LINE : 0) |
                (like->communicator != 0 ? HAS_COMMUNICATOR : 0) | TEXT_USE * like->text_use;
  guint8 *to =
      tt_put_number (tt_put_number (tt_put_number (self->packed->data, like->id), tt_fold_signed (like->rule)), facts);
  if (like->line != 0)
    to = tt_put_number (to, tt_fold_signed (like->line));
  if (like->communicator != 0)
    to = tt_put_number (to, like->communicator);
  to = tt_put_number (to, tt_fold_signed ((gint64) strings[TT_NAME_TEXT].len - like->base_len));
  to = put_bytes (to, strings[TT_NAME_RAW].text, strings[TT_NAME_RAW].len);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    to = put_string (self, to, others[i], strings);
  to = put_text (to, strings);

  guint8 size[TT_PACKED_NUMBER_BYTES];
  const gsize n = (gsize) (to - self->packed->data);
  self->place = tt_tape_append (self->tape, size, (gsize) (tt_put_number (size, n) - size)) + 1;
  tt_tape_append (self->tape, self->packed->data, n);
  return self->place;
}

/* -- loading -------------------------------------------------------------------------------------------- */

/* What a temporary file that failed gives has no strings. */
static String
get_bytes (TtUnpack *from)
{
  gsize len = (gsize) tt_unpack_below (from, G_MAXUINT32);
  const char *text = (const char *) tt_unpack_bytes (from, len);

  return (String){ text, text == NULL ? 0 : len };
}

static String
get_string (TtNameRecords *self, TtUnpack *from, const String *raw)
{
  guint64 how = tt_unpack_below (from, IS_FIRST_WORD + MAX_WORDS);

  if (how == IS_HERE)
    return get_bytes (from);
  if (how == IS_IN_RAW)
    {
      gsize offset = (gsize) tt_unpack_below (from, raw->len);
      return (String){ raw->text == NULL ? NULL : raw->text + offset,
                       (gsize) tt_unpack_below (from, raw->len - offset) };
    }
  if (how < IS_FIRST_WORD || how - IS_FIRST_WORD >= self->words->len)
    return (String){ NULL, 0 };
  const char *word = self->words->pdata[how - IS_FIRST_WORD];
  return (String){ word, strlen (word) };
}

/* @made: where it is put together. */
static String
get_text (TtUnpack *from, const String strings[TT_N_NAME_TEXTS], GString *made)
{
  guint64 how = tt_unpack_number (from);
  const String *sub_op = &strings[TT_NAME_SUB_OP];

  if (how != IS_HERE && how != IS_MADE)
    return (String){ NULL, 0 };
  const String rest = get_bytes (from);
  if (how == IS_HERE)
    return rest;
  g_string_append_len (made, strings[TT_NAME_OP_CAT].text, (gssize) strings[TT_NAME_OP_CAT].len);
  g_string_append_c (made, '.');
  g_string_append_len (made, strings[TT_NAME_OP_NAME].text, (gssize) strings[TT_NAME_OP_NAME].len);
  if (sub_op->text != NULL)
    {
      g_string_append_c (made, '.');
      g_string_append_len (made, sub_op->text, (gssize) sub_op->len);
    }
  g_string_append_len (made, rest.text, (gssize) rest.len);
  return (String){ made->str, made->len };
}

static void
unpack (TtNameRecords *self, TtUnpack *from)
{
  String strings[TT_N_NAME_TEXTS];
  TtNameHeader header = { .id = (guint32) tt_unpack_below (from, G_MAXUINT32) };

  header.rule = (gint32) tt_unpack_signed (from);
  const guint64 facts = tt_unpack_number (from);
  header.is_collective = (facts & IS_COLLECTIVE) != 0;
  header.text_use = (guint32) (facts / TEXT_USE);
  header.line = (facts & HAS_LINE) != 0 ? tt_unpack_signed (from) : 0;
  header.communicator = (facts & HAS_COMMUNICATOR) != 0 ? tt_unpack_number (from) : 0;
  const gint64 number_len = tt_unpack_signed (from);
  strings[TT_NAME_RAW] = get_bytes (from);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    strings[others[i]] = get_string (self, from, &strings[TT_NAME_RAW]);
  g_string_truncate (self->text, 0);
  strings[TT_NAME_TEXT] = get_text (from, strings, self->text);
  header.base_len = (guint32) ((gint64) strings[TT_NAME_TEXT].len - number_len);
  set_record (self, &header, strings);
}

static void
read_record (TtNameRecords *self, guint64 place)
{
  g_byte_array_set_size (self->packed, GUESS);
  tt_tape_read (self->tape, place - 1, self->packed->data, GUESS);
  TtUnpack from = { self->packed->data, self->packed->data + GUESS, FALSE };
  /* More is only there where a temporary file has failed. */
  const gsize size = (gsize) tt_unpack_below (&from, MIN (G_MAXUINT32, tt_tape_size (self->tape)));
  const gsize head = (gsize) (from.at - self->packed->data);

  if (head + size > GUESS)
    {
      g_byte_array_set_size (self->packed, (guint) (head + size));
      tt_tape_read (self->tape, place - 1 + GUESS, self->packed->data + GUESS, head + size - GUESS);
    }
  from = (TtUnpack){ self->packed->data + head, self->packed->data + head + size, FALSE };
  unpack (self, &from);
  self->place = place;
}

const TtNameHeader *
tt_name_records_load (TtNameRecords *self, guint64 place, const char *strings[TT_N_NAME_TEXTS])
{
  if (self->place != place)
    read_record (self, place);
  return record_at_hand (self, strings);
}
