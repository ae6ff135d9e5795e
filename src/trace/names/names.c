/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/names/names.h"

#include "src/base/append.h"
#include "src/base/room.h"
#include "src/base/slots.h"
#include "src/base/tape.h"
#include "src/trace/names/records.h"
#include "src/trace/names/texts.h"

#include <string.h>
#include <xxhash.h>

/*
 * Records of names lie on a tape; `ids` finds them by what identifies a name, `index` by id, and
 * texts.c by their text. A small cache in front of these answers for the names asked last, by what
 * the importer gave.
 *
 * What identifies a name also makes its text as long as its op follows from its raw name, and most texts are of one
 * name: the first with a text is then not in `ids`, for its text finds it. `ids` gets them all when a name comes of
 * which that is not true.
 */
#define INDEX_MEMORY ((gsize) 1 << 20)
#define RECENT TT_ROOM (8192u, 64u)
#define MAX_RECENT_KEY 1024u
#define MAX_GROUPS 256u /* whose rules are kept */
#define SEED_ID 1

typedef struct
{
  guint64 hash;
  guint32 id;
  guint32 key_len, key_room;
  guint8 *key;
} Recent;

struct _TtNames
{
  TtNameRules *rules;
  GHashTable *rules_of; /* group -> TtNameRulesOf of it and `source` */
  char *source;
  TtNameRecords records;
  TtNameTexts texts;
  TtTape *index; /* of guint64: place of the record of first_id + i; 0 = none */
  guint32 next_id, n;
  TtSlots *ids;            /* hash of what identifies a name -> place of its record; NULL: sealed */
  gboolean has_all_ids;    /* also of those that their text finds */
  guint64 seed;            /* so that nobody can make names that collide */
  TtNameMarks collectives; /* its first_id is that of all names */
  GByteArray *bits;        /* of these */
  Recent *recent;
  GByteArray *key;    /* scratch of intern */
  GString *op, *text; /* likewise */
};

TtNames *
tt_names_new (TtNameRules *rules)
{
  TtNames *self = g_new0 (TtNames, 1);

  self->rules = rules;
  self->rules_of = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) tt_name_rules_of_free);
  tt_name_records_init (&self->records);
  self->index = tt_tape_new (INDEX_MEMORY);
  self->next_id = 1;
  self->ids = tt_slots_new ();
  self->seed = (guint64) g_random_int () << 32 | g_random_int ();
  tt_name_texts_init (&self->texts, &self->records, self->seed);
  self->bits = g_byte_array_new ();
  self->recent = g_new0 (Recent, RECENT);
  self->key = g_byte_array_new ();
  self->op = g_string_new (NULL);
  self->text = g_string_new (NULL);
  return self;
}

static void
forget_recent (TtNames *self)
{
  for (guint i = 0; self->recent != NULL && i < RECENT; i++)
    {
      g_free (self->recent[i].key);
      self->recent[i] = (Recent){ 0 };
    }
}

void
tt_names_seal (TtNames *self)
{
  if (self->ids == NULL)
    return;
  g_clear_pointer (&self->ids, tt_slots_free);
  tt_name_texts_clear (&self->texts);
  forget_recent (self);
  g_clear_pointer (&self->recent, g_free);
}

void
tt_names_free (TtNames *self)
{
  if (self == NULL)
    return;
  tt_names_seal (self);
  g_hash_table_unref (self->rules_of);
  tt_name_rules_unref (self->rules);
  g_free (self->source);
  tt_name_records_clear (&self->records);
  tt_tape_free (self->index);
  g_byte_array_unref (self->bits);
  g_byte_array_unref (self->key);
  g_string_free (self->op, TRUE);
  g_string_free (self->text, TRUE);
  g_free (self);
}

const TtNameRules *
tt_names_rules (const TtNames *self)
{
  return self->rules;
}

static void list_all_ids (TtNames *self);

void
tt_names_set_source (TtNames *self, const char *source)
{
  if (g_strcmp0 (self->source, source) == 0)
    return;
  if (self->n > 0)
    list_all_ids (self);
  g_free (self->source);
  self->source = g_strdup (source);
  g_hash_table_remove_all (self->rules_of);
  forget_recent (self);
}

const char *
tt_names_source (const TtNames *self)
{
  return self->source;
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
  return tt_tape_check (self->records.tape, error) && tt_tape_check (self->index, error) &&
         (self->ids == NULL || (tt_slots_check (self->ids, error) && tt_name_texts_check (&self->texts, error)));
}

/* -- ids ------------------------------------------------------------------------------------------- */

static void
list_id (TtNames *self, guint32 id, guint64 at, gboolean is_collective)
{
  static const guint64 none;

  if (self->n == 0)
    self->collectives.first_id = id;
  g_return_if_fail (id >= self->collectives.first_id);
  guint32 i = id - self->collectives.first_id;

  while (tt_tape_size (self->index) < (guint64) i * sizeof at)
    tt_tape_append (self->index, &none, sizeof none);
  tt_tape_append (self->index, &at, sizeof at);
  if (i / 8 >= self->bits->len)
    {
      guint old = self->bits->len, more = MAX (old * 2, i / 8 + 64);
      g_byte_array_set_size (self->bits, more);
      memset (self->bits->data + old, 0, more - old);
      self->collectives.bits = self->bits->data;
      self->collectives.n_bytes = more;
    }
  if (is_collective)
    self->bits->data[i / 8] |= (guint8) (1u << (i % 8));
  self->n++;
}

const TtNameMarks *
tt_names_collectives (const TtNames *self)
{
  static const TtNameMarks none;

  return self == NULL ? &none : &self->collectives;
}

gboolean
tt_names_get (TtNames *self, guint32 id, TtName *name)
{
  guint64 at = 0;

  if (self->n == 0 || id < self->collectives.first_id)
    return FALSE;
  tt_tape_read (self->index, (guint64) (id - self->collectives.first_id) * sizeof at, &at, sizeof at);
  if (at == 0)
    return FALSE;

  const char *strings[TT_N_NAME_TEXTS];
  const TtNameHeader *header = tt_name_records_load (&self->records, at, strings);
  *name = (TtName){
    .id = header->id,
    .op_cat = strings[TT_NAME_OP_CAT],
    .op_name = strings[TT_NAME_OP_NAME],
    .sub_op = strings[TT_NAME_SUB_OP],
    .suffix = strings[TT_NAME_SUFFIX],
    .text = strings[TT_NAME_TEXT],
    .raw = strings[TT_NAME_RAW],
    .group = strings[TT_NAME_GROUP],
    .file = strings[TT_NAME_FILE],
    .line = header->line,
    .is_collective = header->is_collective != 0,
    .communicator = header->communicator,
    .rule = header->rule,
    .text_use = (TtTextUse) header->text_use,
  };
  return TRUE;
}

/* -- what identifies a name ------------------------------------------------------------------------ */

static const TtNameText identity[] = { TT_NAME_RAW, TT_NAME_GROUP, TT_NAME_SUFFIX, TT_NAME_OP_CAT, TT_NAME_SUB_OP };

/* The texts in that order, each after its length. */
static void
set_key (GByteArray *key, const char *const texts[G_N_ELEMENTS (identity)], guint64 communicator)
{
  guint32 len[G_N_ELEMENTS (identity)];
  gsize size = sizeof len + sizeof communicator;

  for (guint i = 0; i < G_N_ELEMENTS (identity); i++)
    {
      len[i] = texts[i] == NULL ? TT_NAME_NO_STRING : (guint32) strlen (texts[i]);
      size += texts[i] == NULL ? 0 : len[i];
    }
  g_byte_array_set_size (key, (guint) size);
  guint8 *to = key->data;
  for (guint i = 0; i < G_N_ELEMENTS (identity); i++)
    {
      memcpy (to, &len[i], sizeof len[i]);
      to += sizeof len[i];
      if (texts[i] == NULL)
        continue;
      memcpy (to, texts[i], len[i]);
      to += len[i];
    }
  memcpy (to, &communicator, sizeof communicator);
}

static guint64
identity_hash (TtNames *self, const char *const strings[TT_N_NAME_TEXTS], guint64 communicator)
{
  const char *texts[G_N_ELEMENTS (identity)];

  for (guint i = 0; i < G_N_ELEMENTS (identity); i++)
    texts[i] = strings[identity[i]];
  set_key (self->key, texts, communicator);
  return XXH3_64bits_withSeed (self->key->data, self->key->len, self->seed + SEED_ID);
}

static gboolean
is_identical (const TtNameHeader *header,
              const char *const others[TT_N_NAME_TEXTS],
              const char *const strings[TT_N_NAME_TEXTS],
              guint64 communicator)
{
  if (header->communicator != communicator)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (identity); i++)
    if (g_strcmp0 (strings[identity[i]], others[identity[i]]) != 0)
      return FALSE;
  return TRUE;
}

static guint32
find_id (TtNames *self, guint64 hash, const char *const strings[TT_N_NAME_TEXTS], guint64 communicator)
{
  TtSlotCursor cursor = { 0 };
  guint64 at;

  while ((at = tt_slots_find (self->ids, hash, &cursor)) != 0)
    {
      const char *others[TT_N_NAME_TEXTS];
      const TtNameHeader *header = tt_name_records_load (&self->records, at, others);

      if (is_identical (header, others, strings, communicator))
        return header->id;
    }
  return TT_NO_ID;
}

/* Whether its text finds it: the first with the text that it has without a number. */
static gboolean
is_found_by_text (const TtTextPlace *place)
{
  return place->is_first && place->raw_hash == 0;
}

static void
list_all_ids (TtNames *self)
{
  if (self->has_all_ids || self->ids == NULL)
    return;
  self->has_all_ids = TRUE;
  for (guint32 i = 0; i < self->n; i++)
    {
      const char *strings[TT_N_NAME_TEXTS];
      guint64 at = 0;

      tt_tape_read (self->index, (guint64) i * sizeof at, &at, sizeof at);
      if (at == 0)
        continue;
      const TtNameHeader *header = tt_name_records_load (&self->records, at, strings);
      if (header->text_use == TT_TEXT_IS_FIRST && header->len[TT_NAME_TEXT] == header->base_len)
        tt_slots_add (self->ids, identity_hash (self, strings, header->communicator), at);
    }
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

static inline gboolean
ends_with (const GString *text, const char *end, gsize len)
{
  return text->len >= len && memcmp (text->str + text->len - len, end, len) == 0;
}

/* op_name: trimmed, without an empty list of arguments. */
static void
set_op (GString *op, const char *text)
{
  while (g_ascii_isspace (*text))
    text++;
  g_string_truncate (op, 0);
  tt_append (op, text, strlen (text));
  while (op->len > 0 && g_ascii_isspace (op->str[op->len - 1]))
    g_string_truncate (op, op->len - 1);
  if (op->len > 2 && ends_with (op, "()", 2) && !ends_with (op, "operator()", strlen ("operator()")))
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
  const char *const texts[G_N_ELEMENTS (identity)] = { raw->raw, raw->group, raw->suffix, raw->op_cat, raw->sub_op };

  set_key (self->key, texts, raw->communicator);
  *hash = XXH3_64bits (self->key->data, self->key->len);
  return &self->recent[*hash % RECENT];
}

static TtNameRule
find_rule (TtNames *self, const char *group, const char *op)
{
  TtNameRulesOf *rules = g_hash_table_lookup (self->rules_of, group == NULL ? "" : group);

  if (rules == NULL)
    {
      if (g_hash_table_size (self->rules_of) >= MAX_GROUPS)
        g_hash_table_remove_all (self->rules_of);
      rules = tt_name_rules_of_new (self->rules, self->source, group);
      g_hash_table_insert (self->rules_of, g_strdup (group == NULL ? "" : group), rules);
    }
  return tt_name_rules_of_match (rules, op);
}

/* What was found out about a name on the way. */
typedef struct
{
  guint64 hash; /* of what identifies it, if has_hash */
  gboolean has_hash;
  guint64 first_of_text; /* place of the record; 0: the text is new */
} Wanted;

/* Makes the text of the name, without a number. TT_NO_ID: it is new. */
static guint32
find_name (TtNames *self, const char *const strings[TT_N_NAME_TEXTS], guint64 communicator, Wanted *wanted)
{
  const char *others[TT_N_NAME_TEXTS];

  *wanted = (Wanted){ 0 };
  tt_name_text_make (self->text, strings[TT_NAME_OP_CAT], strings[TT_NAME_OP_NAME], strings[TT_NAME_SUB_OP]);
  if (!self->has_all_ids)
    {
      wanted->first_of_text = tt_name_texts_find (&self->texts, self->text);
      if (wanted->first_of_text == 0)
        return TT_NO_ID;
      const TtNameHeader *header = tt_name_records_load (&self->records, wanted->first_of_text, others);
      if (is_identical (header, others, strings, communicator))
        return header->id;
    }

  wanted->hash = identity_hash (self, strings, communicator);
  wanted->has_hash = TRUE;
  guint32 id = find_id (self, wanted->hash, strings, communicator);
  if (id == TT_NO_ID && self->has_all_ids)
    wanted->first_of_text = tt_name_texts_find (&self->texts, self->text);
  return id;
}

static guint32
intern_slowly (TtNames *self, const TtRawName *raw, gboolean *is_new)
{
  g_autofree char *copy = NULL;
  Wanted wanted;
  const char *raw_text = trimmed (raw->raw == NULL ? "" : raw->raw, &copy);
  TtNameRule rule = { .op_cat = raw->op_cat, .sub_op = raw->sub_op };

  if (raw->op != NULL && !raw->op_follows_raw)
    list_all_ids (self);
  set_op (self->op, raw->op != NULL ? raw->op : raw_text);
  if (null_if_empty (raw->op_cat) == NULL && self->rules == NULL)
    rule.op_cat = "COMP";
  else if (null_if_empty (raw->op_cat) == NULL)
    {
      rule = find_rule (self, raw->group, self->op->str);
      if (raw->sub_op != NULL)
        rule.sub_op = raw->sub_op;
    }
  rule.is_collective |= raw->is_collective;

  const char *strings[TT_N_NAME_TEXTS] = {
    [TT_NAME_OP_CAT] = rule.op_cat,
    [TT_NAME_OP_NAME] = self->op->str,
    [TT_NAME_SUB_OP] = null_if_empty (rule.sub_op),
    [TT_NAME_SUFFIX] = null_if_empty (raw->suffix),
    [TT_NAME_RAW] = raw_text,
    [TT_NAME_GROUP] = null_if_empty (raw->group),
    [TT_NAME_FILE] = null_if_empty (raw->file),
  };
  guint32 id = find_name (self, strings, raw->communicator, &wanted);
  if (id != TT_NO_ID)
    return id;

  TtTextPlace place =
      tt_name_texts_settle (&self->texts, self->text, raw_text, strings[TT_NAME_SUFFIX], wanted.first_of_text);
  strings[TT_NAME_TEXT] = self->text->str;

  id = self->next_id++;
  const TtNameHeader header = {
    .line = raw->line,
    .id = id,
    .rule = rule.number,
    .is_collective = (guint32) rule.is_collective,
    .communicator = raw->communicator,
    .base_len = place.base_len,
    .text_use = place.use,
  };
  guint64 at = tt_name_records_store (&self->records, &header, strings);
  if (self->has_all_ids || !is_found_by_text (&place))
    tt_slots_add (self->ids, wanted.has_hash ? wanted.hash : identity_hash (self, strings, raw->communicator), at);
  tt_name_texts_list (&self->texts, &place, at);
  list_id (self, id, at, rule.is_collective);
  *is_new = TRUE;
  return id;
}

/* Room for a key is used again: where all names differ, there is one for each. */
static void
set_recent_key (Recent *self, guint64 hash, const GByteArray *key)
{
  if (self->key_room < key->len)
    {
      self->key_room = MIN (2 * key->len, MAX_RECENT_KEY);
      self->key = g_realloc (self->key, self->key_room);
    }
  memcpy (self->key, key->data, key->len);
  self->key_len = key->len;
  self->hash = hash;
}

guint32
tt_names_intern (TtNames *self, const TtRawName *raw, gboolean *is_new)
{
  guint64 hash;

  *is_new = FALSE;
  g_return_val_if_fail (self->ids != NULL, TT_NO_ID);
  if (raw->is_asked_once)
    return intern_slowly (self, raw, is_new);

  Recent *recent = recent_place (self, raw, &hash);
  if (recent->key != NULL && recent->hash == hash && recent->key_len == self->key->len &&
      memcmp (recent->key, self->key->data, recent->key_len) == 0)
    return recent->id;

  gboolean is_kept = self->key->len <= MAX_RECENT_KEY;
  if (is_kept)
    set_recent_key (recent, hash, self->key);
  guint32 id = intern_slowly (self, raw, is_new);
  if (is_kept)
    recent->id = id;
  return id;
}

/* -- continuing a database -------------------------------------------------------------------------- */

void
tt_names_seed (TtNames *self, const TtName *name)
{
  const char *strings[TT_N_NAME_TEXTS] = {
    [TT_NAME_OP_CAT] = name->op_cat, [TT_NAME_OP_NAME] = name->op_name, [TT_NAME_SUB_OP] = name->sub_op,
    [TT_NAME_SUFFIX] = name->suffix, [TT_NAME_TEXT] = name->text,       [TT_NAME_RAW] = name->raw,
    [TT_NAME_GROUP] = name->group,   [TT_NAME_FILE] = name->file,
  };

  g_return_if_fail (name->op_cat != NULL && name->op_name != NULL && name->text != NULL && name->raw != NULL);
  TtTextPlace place = tt_name_texts_seed (&self->texts, self->text, name);
  const TtNameHeader header = {
    .line = name->line,
    .id = name->id,
    .rule = name->rule,
    .is_collective = (guint32) name->is_collective,
    .communicator = name->communicator,
    .base_len = place.base_len,
    .text_use = place.use,
  };
  self->has_all_ids = TRUE;
  guint64 at = tt_name_records_store (&self->records, &header, strings);
  tt_slots_add (self->ids, identity_hash (self, strings, name->communicator), at);
  tt_name_texts_list (&self->texts, &place, at);
  list_id (self, name->id, at, name->is_collective);
  self->next_id = MAX (self->next_id, name->id + 1);
}
