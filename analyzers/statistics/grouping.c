/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/grouping.h"

#include "src/base/error.h"
#include "src/base/map64.h"
#include "src/base/suggest.h"

#include <string.h>

const char *const tt_group_key_words[TT_N_KEYS + 1] = {
  [TT_KEY_NAME] = "name",
  [TT_KEY_OP_LONG_NAME] = "op_long_name",
  [TT_KEY_OP_CAT] = "op_cat",
  [TT_KEY_OP_NAME] = "op_name",
  [TT_KEY_SUB_OP] = "sub_op",
  [TT_KEY_RANK] = "rank",
  [TT_KEY_PID] = "pid",
  [TT_KEY_TID] = "tid",
  [TT_KEY_SM] = "sm",
  [TT_KEY_STEP] = "step",
  [TT_KEY_NATIVE_GROUP] = "native_group",
  [TT_KEY_FILE] = "file",
  [TT_KEY_PATH] = "path",
  NULL,
};

typedef struct
{
  guint32 parent, name;
} Path;

/* One row of the open-addressing table; group is kept + 1 so that zero is empty. */
typedef struct
{
  guint64 pair;
  gint32 step;
  guint32 group_plus_1;
} Slot;

struct _TtGrouping
{
  TtStore *store;
  TtGroupKeys keys;
  gboolean by_name, by_thread, by_step, by_path;
  GArray *paths;                    /* of Path; the first is none */
  TtMap64 path_numbers;             /* by parent << 32 | part of the name */
  guint32 *name_part, *thread_part; /* by id, + 1 */
  guint32 n_name_parts, n_thread_parts;
  GHashTable *parts; /* text -> part + 1 */
  GStringChunk *texts;
  GString *text;
  Slot *slots;
  guint64 n_slots; /* a power of two */
  GArray *members; /* of TtGroupMember, by group */
};

const char *
tt_group_key_text (TtGroupKey key)
{
  return tt_group_key_words[key];
}

static gboolean
parse_key (TtGroupKeys *self, const char *word, GError **error)
{
  for (guint key = 0; key < TT_N_KEYS; key++)
    if (g_str_equal (tt_group_key_words[key], word))
      {
        if (!tt_group_keys_has (self, (TtGroupKey) key))
          self->key[self->n++] = (TtGroupKey) key;
        return TRUE;
      }

  const char *near = tt_suggest (word, tt_group_key_words);
  g_autofree char *all = g_strjoinv (", ", (char **) tt_group_key_words);
  if (near != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "cannot group by '%s'; did you mean '%s'?", word, near);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "cannot group by '%s'; possible are %s", word, all);
  return FALSE;
}

gboolean
tt_group_keys_parse (TtGroupKeys *self, const char *text, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);

  self->n = 0;
  for (char **word = words; *word != NULL; word++)
    if (!parse_key (self, g_strstrip (*word), error))
      return FALSE;
  if (self->n > 0)
    return TRUE;
  return parse_key (self, "", error);
}

gboolean
tt_group_keys_has (const TtGroupKeys *self, TtGroupKey key)
{
  for (guint i = 0; i < self->n; i++)
    if (self->key[i] == key)
      return TRUE;
  return FALSE;
}

gboolean
tt_group_keys_is (const TtGroupKeys *self, TtGroupKey only)
{
  return self->n == 1 && self->key[0] == only;
}

gboolean
tt_group_keys_take_windows (const TtGroupKeys *self)
{
  static const TtGroupKey naming[] = { TT_KEY_NAME, TT_KEY_OP_LONG_NAME, TT_KEY_OP_NAME, TT_KEY_NATIVE_GROUP };

  for (guint i = 0; i < G_N_ELEMENTS (naming); i++)
    if (tt_group_keys_has (self, naming[i]))
      return TRUE;
  return FALSE;
}

gboolean
tt_group_thread_has_sm (const TtThread *thread)
{
  return thread != NULL && thread->tid != NULL &&
         (g_str_has_prefix (thread->tid, "SM ") || g_str_has_prefix (thread->tid, "CU "));
}

/* "SM 3" of "SM 3:1"; NULL: the thread is not one of an SM or CU. Free it. */
static char *
sm_of (const TtThread *thread)
{
  return tt_group_thread_has_sm (thread) ? g_strndup (thread->tid, strcspn (thread->tid, ":")) : NULL;
}

/* -- labels -------------------------------------------------------------------------------------- */

char *
tt_group_key_label (TtStore *store, TtGroupKey key, guint32 process, TtGroupMember member, const TtStoredName *name)
{
  const TtThread *thread = tt_store_thread (store, member.thread);

  if (process == TT_NO_ID && thread != NULL)
    process = thread->process;
  switch (key)
    {
    case TT_KEY_OP_LONG_NAME:
      return tt_store_long_name_of (store, process, name);
    case TT_KEY_RANK:
      return g_strdup (tt_store_process (store, process) == NULL ? NULL : tt_store_process (store, process)->rank_name);
    case TT_KEY_PID:
      return g_strdup (tt_store_process (store, process) == NULL ? NULL : tt_store_process (store, process)->pid);
    case TT_KEY_TID:
      return g_strdup (thread == NULL ? NULL : thread->tid);
    case TT_KEY_SM:
      return sm_of (thread);
    case TT_KEY_STEP:
      return member.step == TT_NO_STEP ? NULL : g_strdup_printf ("%d", member.step);
    case TT_KEY_NAME:
      return g_strdup (name == NULL ? NULL : name->text);
    case TT_KEY_OP_CAT:
      return g_strdup (name == NULL ? NULL : name->op_cat);
    case TT_KEY_OP_NAME:
      return g_strdup (name == NULL ? NULL : name->op_name);
    case TT_KEY_SUB_OP:
      return g_strdup (name == NULL ? NULL : name->sub_op);
    case TT_KEY_NATIVE_GROUP:
      return g_strdup (name == NULL ? NULL : name->group);
    case TT_KEY_FILE:
      return g_strdup (name == NULL ? NULL : name->file);
    case TT_KEY_PATH:
    case TT_N_KEYS:
      break;
    }
  g_return_val_if_reached (NULL);
}

/* -- parts --------------------------------------------------------------------------------------- */

/* With its length in front, so that no two lists of fields look the same. */
static void
append_field (GString *text, const char *field)
{
  if (field == NULL)
    g_string_append_c (text, '-');
  else
    g_string_append_printf (text, "%" G_GSIZE_FORMAT ":%s", strlen (field), field);
}

static guint32
intern_part (TtGrouping *self, guint32 *n_parts)
{
  gpointer known = g_hash_table_lookup (self->parts, self->text->str);

  if (known != NULL)
    return GPOINTER_TO_UINT (known);
  ++*n_parts;
  g_hash_table_insert (self->parts, g_string_chunk_insert (self->texts, self->text->str), GUINT_TO_POINTER (*n_parts));
  return *n_parts;
}

static guint32
make_name_part (TtGrouping *self, guint32 id)
{
  const TtStoredName *name = tt_store_peek_name (self->store, id);
  static const TtStoredName nameless;

  if (name == NULL)
    name = &nameless;
  g_string_assign (self->text, "n");
  for (guint i = 0; i < self->keys.n; i++)
    switch (self->keys.key[i])
      {
      case TT_KEY_OP_LONG_NAME:
        append_field (self->text, name->text);
        append_field (self->text, name->suffix);
        break;
      case TT_KEY_NAME:
      case TT_KEY_PATH:
        append_field (self->text, name->text);
        break;
      case TT_KEY_OP_CAT:
        append_field (self->text, name->op_cat);
        break;
      case TT_KEY_OP_NAME:
        append_field (self->text, name->op_name);
        break;
      case TT_KEY_SUB_OP:
        append_field (self->text, name->sub_op);
        break;
      case TT_KEY_NATIVE_GROUP:
        append_field (self->text, name->group);
        break;
      case TT_KEY_FILE:
        append_field (self->text, name->file);
        break;
      case TT_KEY_RANK:
      case TT_KEY_PID:
      case TT_KEY_TID:
      case TT_KEY_SM:
      case TT_KEY_STEP:
      case TT_N_KEYS:
        break;
      }
  return intern_part (self, &self->n_name_parts);
}

static guint32
make_thread_part (TtGrouping *self, guint32 id)
{
  const TtThread *thread = tt_store_thread (self->store, id);
  const TtProcess *process = thread == NULL ? NULL : tt_store_process (self->store, thread->process);

  g_string_assign (self->text, "t");
  for (guint i = 0; i < self->keys.n; i++)
    if (self->keys.key[i] == TT_KEY_PID || self->keys.key[i] == TT_KEY_OP_LONG_NAME)
      append_field (self->text, process == NULL ? NULL : process->pid);
    else if (self->keys.key[i] == TT_KEY_RANK)
      append_field (self->text, process == NULL ? NULL : process->rank_name);
    else if (self->keys.key[i] == TT_KEY_TID)
      append_field (self->text, thread == NULL ? NULL : thread->tid);
    else if (self->keys.key[i] == TT_KEY_SM)
      {
        g_autofree char *sm = sm_of (thread);
        append_field (self->text, sm);
      }
  return intern_part (self, &self->n_thread_parts);
}

/* -- groups -------------------------------------------------------------------------------------- */

TtGrouping *
tt_grouping_new (TtStore *store, const TtGroupKeys *keys)
{
  TtGrouping *self = g_new0 (TtGrouping, 1);

  self->store = store;
  self->keys = *keys;
  for (guint i = 0; i < keys->n; i++)
    {
      TtGroupKey key = keys->key[i];
      gboolean is_of_thread = key == TT_KEY_RANK || key == TT_KEY_PID || key == TT_KEY_TID || key == TT_KEY_SM;
      self->by_step |= key == TT_KEY_STEP;
      self->by_path |= key == TT_KEY_PATH;
      self->by_thread |= is_of_thread || key == TT_KEY_OP_LONG_NAME;
      self->by_name |= key != TT_KEY_STEP && !is_of_thread;
    }
  self->name_part = g_new0 (guint32, (gsize) tt_store_max_name (store) + 1);
  self->thread_part = g_new0 (guint32, (gsize) tt_store_max_thread (store) + 1);
  self->parts = g_hash_table_new (g_str_hash, g_str_equal);
  self->texts = g_string_chunk_new (1 << 16);
  self->text = g_string_new (NULL);
  self->n_slots = 1 << 12;
  self->slots = g_new0 (Slot, self->n_slots);
  self->members = g_array_new (FALSE, FALSE, sizeof (TtGroupMember));
  self->paths = g_array_new (FALSE, TRUE, sizeof (Path));
  g_array_set_size (self->paths, 1);
  return self;
}

void
tt_grouping_free (TtGrouping *self)
{
  if (self == NULL)
    return;
  g_free (self->name_part);
  g_free (self->thread_part);
  g_hash_table_unref (self->parts);
  g_string_chunk_free (self->texts);
  g_string_free (self->text, TRUE);
  g_free (self->slots);
  g_array_unref (self->members);
  g_array_unref (self->paths);
  tt_map64_clear (&self->path_numbers);
  g_free (self);
}

static Slot *
find_slot (Slot *slots, guint64 n_slots, guint64 pair, gint32 step)
{
  guint64 hash = (pair ^ ((guint64) (guint32) step << 40)) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);

  hash ^= hash >> 32;
  for (guint64 i = hash & (n_slots - 1);; i = (i + 1) & (n_slots - 1))
    if (slots[i].group_plus_1 == 0 || (slots[i].pair == pair && slots[i].step == step))
      return &slots[i];
}

static void
grow_table (TtGrouping *self)
{
  guint64 n_slots = self->n_slots * 2;
  Slot *slots = g_new0 (Slot, n_slots);

  for (guint64 i = 0; i < self->n_slots; i++)
    if (self->slots[i].group_plus_1 != 0)
      *find_slot (slots, n_slots, self->slots[i].pair, self->slots[i].step) = self->slots[i];
  g_free (self->slots);
  self->slots = slots;
  self->n_slots = n_slots;
}

static guint32
add_group (TtGrouping *self, Slot *slot, guint64 pair, const TtGroupMember *member, gint32 step)
{
  *slot = (Slot){ .pair = pair, .step = step, .group_plus_1 = self->members->len + 1 };
  g_array_append_val (self->members, *member);
  if ((guint64) self->members->len * 2 > self->n_slots)
    grow_table (self);
  return self->members->len - 1;
}

static guint32
name_part_of (TtGrouping *self, guint32 name)
{
  guint32 part = self->name_part[name];

  return G_LIKELY (part != 0) ? part : (self->name_part[name] = make_name_part (self, name));
}

guint32
tt_grouping_group (TtGrouping *self, guint32 thread, guint32 name, gint32 step)
{
  return tt_grouping_group_on (self, thread, 0, name, step);
}

guint32
tt_grouping_group_on (TtGrouping *self, guint32 thread, guint32 path, guint32 name, gint32 step)
{
  guint32 name_part = self->by_path ? path : self->by_name ? name_part_of (self, name) : 0, thread_part = 0;

  if (self->by_thread)
    {
      thread_part = self->thread_part[thread];
      if (G_UNLIKELY (thread_part == 0))
        thread_part = self->thread_part[thread] = make_thread_part (self, thread);
    }

  guint64 pair = (guint64) name_part << 32 | thread_part;
  gint32 slot_step = self->by_step ? step : 0;
  Slot *slot = find_slot (self->slots, self->n_slots, pair, slot_step);
  if (G_LIKELY (slot->group_plus_1 != 0))
    return slot->group_plus_1 - 1;

  const TtGroupMember member = { .name = name, .thread = thread, .step = step, .path = path };
  return add_group (self, slot, pair, &member, slot_step);
}

/* -- paths ---------------------------------------------------------------------------------------- */

guint32
tt_grouping_path (TtGrouping *self, guint32 parent, guint32 name)
{
  guint64 key = (guint64) parent << 32 | name_part_of (self, name);
  guint32 number = tt_map64_get (&self->path_numbers, key);
  const Path path = { parent, name };

  if (G_LIKELY (number != TT_MAP64_NONE))
    return number;
  number = self->paths->len;
  if (number > TT_MAX_PATHS)
    return 0;
  g_array_append_val (self->paths, path);
  tt_map64_set (&self->path_numbers, key, number);
  return number;
}

void
tt_grouping_fail_paths (GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
               "more than %u call paths; choose a part with --time-window, or see 'tree'", TT_MAX_PATHS);
}

guint32
tt_grouping_n_paths (const TtGrouping *self)
{
  return self->paths->len - 1;
}

guint32
tt_grouping_path_parent (const TtGrouping *self, guint32 path, guint32 *name)
{
  const Path *of = &g_array_index (self->paths, Path, path);

  *name = of->name;
  return of->parent;
}

char *
tt_grouping_path_text (const TtGrouping *self, guint32 path)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GString *text = g_string_new (NULL);

  for (; path != 0; path = g_array_index (self->paths, Path, path).parent)
    {
      const TtStoredName *name = tt_store_peek_name (self->store, g_array_index (self->paths, Path, path).name);
      g_ptr_array_add (names, g_strdup (name == NULL || name->text == NULL ? "" : name->text));
    }
  for (guint i = names->len; i > 0; i--)
    g_string_append_printf (text, "%s%s", (const char *) names->pdata[i - 1], i > 1 ? " => " : "");
  return g_string_free (text, FALSE);
}

/* -- members -------------------------------------------------------------------------------------- */

guint32
tt_grouping_count (const TtGrouping *self)
{
  return self->members->len;
}

TtGroupMember
tt_grouping_member (const TtGrouping *self, guint32 group)
{
  return g_array_index (self->members, TtGroupMember, group);
}
