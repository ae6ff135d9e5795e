#include "config.h"

#include "src/names.h"

#include "src/slots.h"
#include "src/tape.h"

#include <string.h>
#include <xxhash.h>

/*
 * Three tables over one tape of immutable records:
 *   ids     hash of what identifies a name -> where its record is
 *   texts   hash of a text -> the first record with it; and, for a raw name that had to get "#2" or
 *           more, hash of (text without the #, raw) -> the first record of that raw name
 *   clashes hash of a text -> the last number behind a # (a hash alone will do: a number that is
 *           skipped does no harm, and `texts` sees to it that none is given twice)
 * In front of them stands a small cache of what was asked last, by what the importer gave.
 */
#define TAPE_MEMORY ((gsize) 4 << 20)
#define INDEX_MEMORY ((gsize) 1 << 20)
#define RECENT 8192u
#define RECENT_KEY_MOST 1024u

#define SEED_ID 1
#define SEED_TEXT 2
#define SEED_CLASH 3
#define SEED_RAW 4

enum
{
  OP_CAT,
  OP_NAME,
  SUB_OP,
  SUFFIX,
  TEXT,
  RAW,
  GROUP,
  FILE_NAME,
  N_STRINGS,
};

#define NO_STRING G_MAXUINT32

/* On the tape: this, then the strings with their NULs. */
typedef struct
{
  gint64 line;
  guint32 size; /* of all */
  guint32 id;
  gint32 rule;
  guint32 is_collective;
  guint32 base_len;        /* of the text without "#2" */
  guint32 len[N_STRINGS]; /* NO_STRING: NULL */
} Header;

typedef struct
{
  guint64 hash;
  guint32 id;
  guint32 key_len;
  guint8 *key;
} Recent;

struct _TtNames
{
  TtNameRules *rules;
  char *source;
  TtTape *tape;
  TtTape *index; /* of guint64: where the record of first_id + i is, plus one; 0 = none */
  guint32 first_id, next_id, n;
  TtSlots *ids, *texts, *clashes;
  guint64 seed; /* so that nobody can make names that collide */
  GByteArray *collectives; /* bit i: name first_id + i */
  Recent *recent;
  GByteArray *key;    /* scratch of intern */
  GString *op, *text; /* likewise */
  GByteArray *record; /* the record read last */
  guint64 record_at;  /* its place plus one; 0 = none */
};

TtNames *
tt_names_new (TtNameRules *rules)
{
  TtNames *self = g_new0 (TtNames, 1);

  self->rules = rules;
  self->tape = tt_tape_new (TAPE_MEMORY);
  self->index = tt_tape_new (INDEX_MEMORY);
  self->next_id = 1;
  self->ids = tt_slots_new ();
  self->texts = tt_slots_new ();
  self->clashes = tt_slots_new ();
  self->seed = (guint64) g_random_int () << 32 | g_random_int ();
  self->collectives = g_byte_array_new ();
  self->recent = g_new0 (Recent, RECENT);
  self->key = g_byte_array_new ();
  self->op = g_string_new (NULL);
  self->text = g_string_new (NULL);
  self->record = g_byte_array_new ();
  return self;
}

static void
forget_recent (TtNames *self)
{
  for (guint i = 0; i < RECENT; i++)
    g_clear_pointer (&self->recent[i].key, g_free);
}

void
tt_names_free (TtNames *self)
{
  if (self == NULL)
    return;
  tt_name_rules_free (self->rules);
  g_free (self->source);
  tt_tape_free (self->tape);
  tt_tape_free (self->index);
  tt_slots_free (self->ids);
  tt_slots_free (self->texts);
  tt_slots_free (self->clashes);
  g_byte_array_unref (self->collectives);
  forget_recent (self);
  g_free (self->recent);
  g_byte_array_unref (self->key);
  g_string_free (self->op, TRUE);
  g_string_free (self->text, TRUE);
  g_byte_array_unref (self->record);
  g_free (self);
}

void
tt_names_set_source (TtNames *self, const char *source)
{
  if (g_strcmp0 (self->source, source) == 0)
    return;
  g_free (self->source);
  self->source = g_strdup (source);
  forget_recent (self);
}

void
tt_names_set_next_id (TtNames *self, guint32 next_id)
{
  self->next_id = next_id;
}

guint32
tt_names_count (const TtNames *self)
{
  return self->n;
}

gboolean
tt_names_check (const TtNames *self, GError **error)
{
  return tt_tape_check (self->tape, error) && tt_tape_check (self->index, error) && tt_slots_check (self->ids, error)
         && tt_slots_check (self->texts, error) && tt_slots_check (self->clashes, error);
}

/* -- records ------------------------------------------------------------------------------------ */

static const Header *
load_record (TtNames *self, guint64 at)
{
  if (self->record_at != at)
    {
      Header header = { 0 };

      tt_tape_read (self->tape, at - 1, &header, sizeof header);
      /* Only a failed temporary file gives a size that is too small. */
      header.size = MAX (header.size, (guint32) sizeof header);
      g_byte_array_set_size (self->record, header.size);
      memcpy (self->record->data, &header, sizeof header);
      tt_tape_read (self->tape, at - 1 + sizeof header, self->record->data + sizeof header, header.size - sizeof header);
      if (header.size == sizeof header)
        for (guint i = 0; i < N_STRINGS; i++)
          ((Header *) (gpointer) self->record->data)->len[i] = NO_STRING;
      self->record_at = at;
    }
  return (const Header *) (gconstpointer) self->record->data;
}

static void
record_strings (const TtNames *self, const char *strings[N_STRINGS])
{
  const Header *header = (const Header *) (gconstpointer) self->record->data;
  const char *p = (const char *) self->record->data + sizeof *header;

  for (guint i = 0; i < N_STRINGS; i++)
    {
      strings[i] = header->len[i] == NO_STRING ? NULL : p;
      if (header->len[i] != NO_STRING)
        p += header->len[i] + 1;
    }
}

/* Writes a record, which then also is the one at hand. Returns its place plus one. */
static guint64
store_record (TtNames *self, const Header *like, const char *const strings[N_STRINGS])
{
  Header header = *like;

  g_byte_array_set_size (self->record, sizeof header);
  for (guint i = 0; i < N_STRINGS; i++)
    {
      gsize len = strings[i] == NULL ? 0 : strlen (strings[i]);
      header.len[i] = strings[i] == NULL ? NO_STRING : (guint32) len;
      if (strings[i] != NULL)
        g_byte_array_append (self->record, (const guint8 *) strings[i], (guint) len + 1);
    }
  header.size = self->record->len;
  memcpy (self->record->data, &header, sizeof header);
  self->record_at = tt_tape_append (self->tape, self->record->data, self->record->len) + 1;
  return self->record_at;
}

/* -- ids ------------------------------------------------------------------------------------------- */

static void
list_id (TtNames *self, guint32 id, guint64 at, gboolean is_collective)
{
  static const guint64 none;

  if (self->n == 0)
    self->first_id = id;
  g_return_if_fail (id >= self->first_id);
  guint32 i = id - self->first_id;

  while (tt_tape_size (self->index) < (guint64) i * sizeof at)
    tt_tape_append (self->index, &none, sizeof none);
  tt_tape_append (self->index, &at, sizeof at);
  if (i / 8 >= self->collectives->len)
    {
      guint old = self->collectives->len, more = MAX (old * 2, i / 8 + 64);
      g_byte_array_set_size (self->collectives, more);
      memset (self->collectives->data + old, 0, more - old);
    }
  if (is_collective)
    self->collectives->data[i / 8] |= (guint8) (1u << (i % 8));
  self->n++;
}

gboolean
tt_names_is_collective (const TtNames *self, guint32 id)
{
  guint32 i = id - self->first_id;

  return i / 8 < self->collectives->len && (self->collectives->data[i / 8] >> (i % 8) & 1) != 0;
}

gboolean
tt_names_get (TtNames *self, guint32 id, TtName *name)
{
  guint64 at = 0;

  if (self->n == 0 || id < self->first_id)
    return FALSE;
  tt_tape_read (self->index, (guint64) (id - self->first_id) * sizeof at, &at, sizeof at);
  if (at == 0)
    return FALSE;

  const Header *header = load_record (self, at);
  const char *strings[N_STRINGS];
  record_strings (self, strings);
  *name = (TtName){
    .id = header->id,
    .op_cat = strings[OP_CAT],
    .op_name = strings[OP_NAME],
    .sub_op = strings[SUB_OP],
    .suffix = strings[SUFFIX],
    .text = strings[TEXT],
    .raw = strings[RAW],
    .group = strings[GROUP],
    .file = strings[FILE_NAME],
    .line = header->line,
    .is_collective = header->is_collective != 0,
    .rule = header->rule,
  };
  return TRUE;
}

/* -- what identifies a name ------------------------------------------------------------------------ */

static void
add_to_key (GByteArray *key, const char *text)
{
  guint32 len = text == NULL ? NO_STRING : (guint32) strlen (text);

  g_byte_array_append (key, (const guint8 *) &len, sizeof len);
  if (text != NULL)
    g_byte_array_append (key, (const guint8 *) text, len);
}

static const int identity[] = { RAW, GROUP, SUFFIX, OP_CAT, SUB_OP };

static guint64
identity_hash (TtNames *self, const char *const strings[N_STRINGS])
{
  g_byte_array_set_size (self->key, 0);
  for (guint i = 0; i < G_N_ELEMENTS (identity); i++)
    add_to_key (self->key, strings[identity[i]]);
  return XXH3_64bits_withSeed (self->key->data, self->key->len, self->seed + SEED_ID);
}

static guint32
find_id (TtNames *self, guint64 hash, const char *const strings[N_STRINGS])
{
  TtSlotCursor cursor = { 0 };
  guint64 at;

  while ((at = tt_slots_find (self->ids, hash, &cursor)) != 0)
    {
      const char *others[N_STRINGS];
      gboolean is_same = TRUE;

      load_record (self, at);
      record_strings (self, others);
      for (guint i = 0; is_same && i < G_N_ELEMENTS (identity); i++)
        is_same = g_strcmp0 (strings[identity[i]], others[identity[i]]) == 0;
      if (is_same)
        return ((const Header *) (gconstpointer) self->record->data)->id;
    }
  return TT_NO_ID;
}

/* -- texts ------------------------------------------------------------------------------------------- */

static gboolean
is_number (const char *text)
{
  return *text != '\0' && text[strspn (text, "0123456789")] == '\0';
}

/* op_cat.op_name[.sub_op], but UPDATE_CAL, UPDATE_3, OUTPUT0, I/O_0 and END as they are known. */
static void
make_text (GString *text, const char *op_cat, const char *op, const char *sub_op)
{
  gboolean is_numbered = is_number (op);

  g_string_truncate (text, 0);
  if (strcmp (op_cat, "virtual") != 0 || strcmp (op, "END") != 0)
    g_string_append (text, op_cat);
  if (strcmp (op_cat, "I/O") == 0 && is_numbered)
    g_string_append_c (text, '_');
  else if (!(strcmp (op_cat, "UPDATE_") == 0 && (is_numbered || strcmp (op, "CAL") == 0))
           && !(strcmp (op_cat, "OUTPUT") == 0 && is_numbered) && text->len > 0)
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
text_hash (const TtNames *self, const GString *text)
{
  return XXH3_64bits_withSeed (text->str, text->len, self->seed + SEED_TEXT);
}

/* The first record with exactly this text, left at hand; 0 = none. */
static guint64
find_text (TtNames *self, const GString *text)
{
  TtSlotCursor cursor = { 0 };
  guint64 at;

  while ((at = tt_slots_find (self->texts, text_hash (self, text), &cursor)) != 0)
    {
      const char *strings[N_STRINGS];
      load_record (self, at);
      record_strings (self, strings);
      if (g_strcmp0 (strings[TEXT], text->str) == 0)
        return at;
    }
  return 0;
}

static guint64
raw_hash (TtNames *self, const GString *base, const char *raw)
{
  g_byte_array_set_size (self->key, 0);
  g_byte_array_append (self->key, (const guint8 *) base->str, (guint) base->len + 1);
  g_byte_array_append (self->key, (const guint8 *) raw, (guint) strlen (raw));
  return XXH3_64bits_withSeed (self->key->data, self->key->len, self->seed + SEED_RAW);
}

/* Whether @raw has its own "#2" of @base already; its text is then appended to @base. */
static gboolean
find_numbered (TtNames *self, guint64 hash, GString *base, const char *raw)
{
  TtSlotCursor cursor = { 0 };
  guint64 at;

  while ((at = tt_slots_find (self->texts, hash, &cursor)) != 0)
    {
      const char *strings[N_STRINGS];
      const Header *header = load_record (self, at);

      record_strings (self, strings);
      if (g_strcmp0 (strings[RAW], raw) == 0 && strings[TEXT] != NULL && header->base_len == base->len
          && strncmp (strings[TEXT], base->str, base->len) == 0 && strings[TEXT][base->len] == '#')
        {
          g_string_append (base, strings[TEXT] + base->len);
          return TRUE;
        }
    }
  return FALSE;
}

static guint32
next_number (TtNames *self, const GString *base)
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

/* What a text's record must be listed under once it is written. */
typedef struct
{
  guint32 base_len;
  gboolean is_first;  /* the text is new */
  guint64 raw_hash;   /* not 0: first of its raw name with a number */
} TextPlace;

/* Appends "#2" and so on to self->text if another raw name has it. */
static TextPlace
settle_text (TtNames *self, const char *raw)
{
  TextPlace place = { .base_len = (guint32) self->text->len };
  const char *strings[N_STRINGS];

  if (find_text (self, self->text) == 0)
    {
      place.is_first = TRUE;
      return place;
    }
  record_strings (self, strings);
  if (g_strcmp0 (strings[RAW], raw) == 0)
    return place;

  guint64 hash = raw_hash (self, self->text, raw);
  if (find_numbered (self, hash, self->text, raw))
    return place;
  do
    {
      guint32 number = next_number (self, self->text);
      g_string_append_printf (self->text, "#%u", number);
      place.is_first = find_text (self, self->text) == 0;
      if (!place.is_first)
        g_string_truncate (self->text, place.base_len);
    }
  while (!place.is_first && tt_names_check (self, NULL));
  place.raw_hash = hash;
  return place;
}

static void
list_text (TtNames *self, const GString *text, const TextPlace *place, guint64 at)
{
  if (place->is_first)
    tt_slots_add (self->texts, text_hash (self, text), at);
  if (place->raw_hash != 0)
    tt_slots_add (self->texts, place->raw_hash, at);
}

/* -- interning ----------------------------------------------------------------------------------------- */

/* The text of a name without blanks at its ends, in place if it has none. */
static const char *
trimmed (const char *text, char **copy)
{
  while (g_ascii_isspace (*text))
    text++;
  gsize len = strlen (text);
  if (len == 0 || !g_ascii_isspace (text[len - 1]))
    return text;
  return *copy = g_strchomp (g_strndup (text, len));
}

static const char *
null_if_empty (const char *text)
{
  return text == NULL || *text == '\0' ? NULL : text;
}

/* op_name: trimmed, without an empty list of arguments. */
static void
set_op (GString *op, const char *text)
{
  while (g_ascii_isspace (*text))
    text++;
  g_string_assign (op, text);
  while (op->len > 0 && g_ascii_isspace (op->str[op->len - 1]))
    g_string_truncate (op, op->len - 1);
  if (op->len > 2 && g_str_has_suffix (op->str, "()") && !g_str_has_suffix (op->str, "operator()"))
    {
      g_string_truncate (op, op->len - 2);
      while (op->len > 0 && op->str[op->len - 1] == ' ')
        g_string_truncate (op, op->len - 1);
    }
  if (op->len == 0)
    g_string_assign (op, "unnamed");
}

static Recent *
recent_place (TtNames *self, const TtRawName *raw, guint64 *hash)
{
  g_byte_array_set_size (self->key, 0);
  add_to_key (self->key, raw->raw);
  add_to_key (self->key, raw->group);
  add_to_key (self->key, raw->suffix);
  add_to_key (self->key, raw->op_cat);
  add_to_key (self->key, raw->sub_op);
  *hash = XXH3_64bits (self->key->data, self->key->len);
  return &self->recent[*hash % RECENT];
}

static guint32
intern_slowly (TtNames *self, const TtRawName *raw, gboolean *is_new)
{
  g_autofree char *copy = NULL;
  const char *raw_text = trimmed (raw->raw == NULL ? "" : raw->raw, &copy);
  TtNameRule rule = { .op_cat = raw->op_cat, .sub_op = raw->sub_op };

  set_op (self->op, raw->op != NULL ? raw->op : raw_text);
  if (null_if_empty (raw->op_cat) == NULL)
    {
      rule = tt_name_rules_match (self->rules, self->source, raw->group, self->op->str);
      if (raw->sub_op != NULL)
        rule.sub_op = raw->sub_op;
    }

  const char *strings[N_STRINGS] = {
    [OP_CAT] = rule.op_cat,
    [OP_NAME] = self->op->str,
    [SUB_OP] = null_if_empty (rule.sub_op),
    [SUFFIX] = null_if_empty (raw->suffix),
    [RAW] = raw_text,
    [GROUP] = null_if_empty (raw->group),
    [FILE_NAME] = null_if_empty (raw->file),
  };
  guint64 hash = identity_hash (self, strings);
  guint32 id = find_id (self, hash, strings);
  if (id != TT_NO_ID)
    return id;

  make_text (self->text, strings[OP_CAT], strings[OP_NAME], strings[SUB_OP]);
  TextPlace place = settle_text (self, raw_text);
  strings[TEXT] = self->text->str;

  id = self->next_id++;
  const Header header = {
    .line = raw->line,
    .id = id,
    .rule = rule.number,
    .is_collective = (guint32) rule.is_collective,
    .base_len = place.base_len,
  };
  guint64 at = store_record (self, &header, strings);
  tt_slots_add (self->ids, hash, at);
  list_text (self, self->text, &place, at);
  list_id (self, id, at, rule.is_collective);
  *is_new = TRUE;
  return id;
}

guint32
tt_names_intern (TtNames *self, const TtRawName *raw, gboolean *is_new)
{
  guint64 hash;
  Recent *recent = recent_place (self, raw, &hash);

  *is_new = FALSE;
  if (recent->key != NULL && recent->hash == hash && recent->key_len == self->key->len
      && memcmp (recent->key, self->key->data, recent->key_len) == 0)
    return recent->id;

  guint key_len = self->key->len;
  g_autofree guint8 *key = key_len <= RECENT_KEY_MOST ? g_memdup2 (self->key->data, key_len) : NULL;
  guint32 id = intern_slowly (self, raw, is_new);
  if (key != NULL)
    {
      g_free (recent->key);
      *recent = (Recent){ .hash = hash, .id = id, .key_len = key_len, .key = g_steal_pointer (&key) };
    }
  return id;
}

/* -- continuing a database -------------------------------------------------------------------------- */

/* Length of @text without the "#2" that @op_cat, @op_name and @sub_op do not explain. */
static guint32
seeded_base_len (TtNames *self, const TtName *name)
{
  make_text (self->text, name->op_cat, name->op_name, name->sub_op);
  gsize len = self->text->len;

  if (strncmp (name->text, self->text->str, len) == 0 && name->text[len] == '#' && is_number (name->text + len + 1))
    return (guint32) len;
  return (guint32) strlen (name->text);
}

static void
seed_number (TtNames *self, const GString *base, const char *number_text)
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

void
tt_names_seed (TtNames *self, const TtName *name)
{
  const char *strings[N_STRINGS] = {
    [OP_CAT] = name->op_cat, [OP_NAME] = name->op_name, [SUB_OP] = name->sub_op, [SUFFIX] = name->suffix,
    [TEXT] = name->text,     [RAW] = name->raw,         [GROUP] = name->group,   [FILE_NAME] = name->file,
  };

  g_return_if_fail (name->op_cat != NULL && name->op_name != NULL && name->text != NULL && name->raw != NULL);
  TextPlace place = { .base_len = seeded_base_len (self, name) };
  g_string_assign (self->text, name->text);
  place.is_first = find_text (self, self->text) == 0;
  if (name->text[place.base_len] == '#' && place.is_first)
    {
      g_string_truncate (self->text, place.base_len);
      seed_number (self, self->text, name->text + place.base_len + 1);
      place.raw_hash = raw_hash (self, self->text, name->raw);
      g_string_assign (self->text, name->text);
    }

  const Header header = {
    .line = name->line,
    .id = name->id,
    .rule = name->rule,
    .is_collective = (guint32) name->is_collective,
    .base_len = place.base_len,
  };
  guint64 at = store_record (self, &header, strings);
  tt_slots_add (self->ids, identity_hash (self, strings), at);
  list_text (self, self->text, &place, at);
  list_id (self, name->id, at, name->is_collective);
  self->next_id = MAX (self->next_id, name->id + 1);
}
