/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/select/selection.h"

#include <stdlib.h>
#include <string.h>

#include "src/select/filter.h"
#include "src/base/suggest.h"

/* So many different texts are looked at for the nearest; beyond them help would cost more than it gives. */
#define MAX_TEXTS 20000

typedef struct
{
  const TtFilter *filter;
  GHashTable *texts; /* what the runs have in the field */
} FieldTexts;

static gboolean
add_text (FieldTexts *self, const char *text)
{
  if (text != NULL && g_hash_table_size (self->texts) < MAX_TEXTS)
    g_hash_table_add (self->texts, g_strdup (text));
  return TRUE;
}

static gboolean
add_name_text (const TtStoredName *name, gpointer data)
{
  FieldTexts *self = data;

  return add_text (self, tt_filter_text_of_name (self->filter, name));
}

static void
add_thread_texts (FieldTexts *self, TtStore *store)
{
  guint n_threads = 0;
  const TtThread *threads = tt_store_threads (store, &n_threads);

  for (guint i = 0; i < n_threads; i++)
    {
      const TtProcess *process = tt_store_process (store, threads[i].process);

      if (process != NULL)
        add_text (self, tt_filter_text_of_thread (self->filter, &threads[i], process));
    }
}

static int
compare_texts (const void *a, const void *b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Of a filter none of whose words is there. */
static char *
filter_hint (const TtFilter *filter, GHashTable *texts)
{
  const char *const *words = tt_filter_words (filter);

  for (const char *const *word = words; *word != NULL; word++)
    if (g_hash_table_contains (texts, *word))
      return NULL;

  guint n_sorted = 0;
  g_autofree gpointer *sorted = g_hash_table_get_keys_as_array (texts, &n_sorted);
  qsort (sorted, n_sorted, sizeof *sorted, compare_texts);
  for (const char *const *word = words; *word != NULL; word++)
    {
      const char *near = tt_suggest (*word, (const char *const *) sorted);

      if (near != NULL)
        return g_strdup_printf ("no %s '%s'; did you mean '%s'?", tt_filter_field (filter), *word, near);
    }
  return NULL;
}

char *
tt_selection_hint (const TtSelection *self, TtStore *store)
{
  const TtFilterScope scopes[] = { TT_SCOPE_NAME, TT_SCOPE_THREAD };

  for (guint s = 0; s < G_N_ELEMENTS (scopes); s++)
    for (guint i = 0; i < tt_selection_filters (self, scopes[s])->len; i++)
      {
        const TtFilter *filter = g_ptr_array_index (tt_selection_filters (self, scopes[s]), i);
        g_autoptr (GHashTable) texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
        FieldTexts found = { filter, texts };

        if (tt_filter_words (filter) == NULL)
          continue;
        if (scopes[s] == TT_SCOPE_THREAD)
          add_thread_texts (&found, store);
        else if (!tt_store_each_name (store, add_name_text, &found, NULL))
          return NULL;

        char *hint = filter_hint (filter, texts);
        if (hint != NULL)
          return hint;
      }
  return NULL;
}
