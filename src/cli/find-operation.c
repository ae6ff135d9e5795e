/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/find-operation.h"

#include "src/base/error.h"
#include "src/base/report/cut.h"
#include "src/base/suggest.h"

#include <string.h>

typedef struct
{
  const char *text;
  guint8 *is_asked;
  GHashTable *words; /* texts of names, for a hint */
  GHashTable *parts; /* of names that the text is a part of: texts */
  gboolean is_any;
} Search;

/* Names that an error lists. */
#define MAX_LISTED 4u
#define MAX_LISTED_NAME 60u /* characters */

static gboolean
look_at_name (const TtStoredName *name, gpointer data)
{
  Search *self = data;

  if (g_strcmp0 (name->text, self->text) == 0 || g_strcmp0 (name->op_name, self->text) == 0 ||
      g_strcmp0 (name->raw, self->text) == 0)
    {
      self->is_asked[name->id] = 1;
      self->is_any = TRUE;
    }
  else if (name->text != NULL && g_hash_table_size (self->words) < 10000)
    g_hash_table_add (self->words, g_strdup (name->text));
  if (name->text != NULL && *self->text != '\0' && strstr (name->text, self->text) != NULL)
    g_hash_table_add (self->parts, g_strdup (name->text));
  return TRUE;
}

static gboolean
ask_for_name (const TtStoredName *name, gpointer data)
{
  Search *self = data;

  if (name->text != NULL && g_hash_table_contains (self->parts, name->text))
    self->is_asked[name->id] = 1;
  return TRUE;
}

static gboolean
set_ambiguous (const Search *self, GError **error)
{
  g_autoptr (GList) texts = g_list_sort (g_hash_table_get_keys (self->parts), (GCompareFunc) strcmp);
  g_autoptr (TtCuts) cuts = tt_cuts_new (MAX_LISTED_NAME);
  g_autoptr (GString) list = g_string_new (NULL);
  guint n = 0;

  for (GList *text = texts; text != NULL && n < MAX_LISTED; text = text->next, n++)
    tt_cuts_add (cuts, text->data);
  tt_cuts_settle (cuts);
  n = 0;
  for (GList *text = texts; text != NULL && n < MAX_LISTED; text = text->next, n++)
    g_string_append_printf (list, "%s'%s'", n == 0 ? "" : ", ", tt_cuts_get (cuts, text->data));
  if (g_hash_table_size (self->parts) > MAX_LISTED)
    g_string_append_printf (list, " and %u more", g_hash_table_size (self->parts) - MAX_LISTED);
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is part of %u operations: %s", self->text,
               g_hash_table_size (self->parts), list->str);
  return FALSE;
}

/* No name is the text: the only one that it is a part of. */
static gboolean
find_part (Search *self, TtStore *store, GError **error)
{
  if (g_hash_table_size (self->parts) == 1)
    return tt_store_each_name (store, ask_for_name, self, error);
  if (g_hash_table_size (self->parts) > 1)
    return set_ambiguous (self, error);
  g_autofree const char **list = (const char **) g_hash_table_get_keys_as_array (self->words, NULL);
  const char *near = tt_suggest (self->text, list);

  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "no operation '%s' in this run%s%s%s", self->text,
               near == NULL ? "; see tracetool stats" : "; did you mean '", near == NULL ? "" : near,
               near == NULL ? "" : "'?");
  return FALSE;
}

guint8 *
tt_find_operation (TtStore *store, const char *text, GError **error)
{
  gsize n = (gsize) tt_store_max_name (store) + 1;
  g_autoptr (GHashTable) words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) parts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree guint8 *is_asked = g_new0 (guint8, n);
  g_autofree guint32 *first = tt_store_first_names (store, error);
  Search search = { text, is_asked, words, parts, FALSE };

  if (first == NULL || !tt_store_each_name (store, look_at_name, &search, error))
    return NULL;
  if (!search.is_any && !find_part (&search, store, error))
    return NULL;
  for (gsize i = 1; i < n; i++)
    is_asked[first[i]] |= is_asked[i];
  return g_steal_pointer (&is_asked);
}
