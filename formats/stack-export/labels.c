/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/stack-export/labels.h"

#include <string.h>

#define NOBODY "(unknown)"

struct _TtStackLabels
{
  TtStore *store;
  GHashTable *processes, *threads; /* id -> text */
  guint64 n_renamed;
};

gboolean
tt_stack_label_clean (char *text)
{
  gboolean is_changed = FALSE;

  for (char *p = text; *p != '\0'; p++)
    if (*p == ';' || g_ascii_iscntrl (*p))
      {
        *p = *p == ';' ? ':' : ' ';
        is_changed = TRUE;
      }
  return is_changed;
}

char *
tt_stack_label_name (TtStore *store, guint32 name, gboolean is_original)
{
  const TtStoredName *stored = tt_store_peek_name (store, name);

  if (is_original && stored != NULL && stored->raw != NULL && *stored->raw != '\0')
    return g_strdup (stored->raw);
  if (stored == NULL || stored->text == NULL || *stored->text == '\0')
    return g_strdup ("(no name)");
  return stored->suffix == NULL ? g_strdup (stored->text) : g_strconcat (stored->text, "~>", stored->suffix, NULL);
}

static gboolean
is_number (const char *text)
{
  text += *text == '-';
  return *text != '\0' && strspn (text, "0123456789") == strlen (text);
}

/* A bare number says of what it is one; a label that has the id stands alone. Free it. */
static char *
describe (const char *kind, const char *id, const char *label)
{
  g_autofree char *trimmed = g_strstrip (g_strdup (label != NULL ? label : ""));
  g_autofree char *base = id == NULL || *id == '\0' ? g_strdup (NOBODY)
                          : is_number (id)          ? g_strdup_printf ("%s %s", kind, id)
                                                    : g_strdup (id);

  if (*trimmed == '\0')
    return g_steal_pointer (&base);
  if (id != NULL && strstr (trimmed, id) != NULL)
    return g_steal_pointer (&trimmed);
  return g_strdup_printf ("%s (%s)", base, trimmed);
}

/* Takes @text. @taken: texts of all that may not have the same. */
static char *
make_unique (TtStackLabels *self, GHashTable *taken, guint32 owner, char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  char *label = g_strdup (valid);
  char *key;

  g_free (text);
  self->n_renamed += tt_stack_label_clean (label);
  g_free (valid);
  valid = g_strdup (label);
  for (guint n = 2; key = g_strdup_printf ("%u;%s", owner, label), g_hash_table_contains (taken, key); n++)
    {
      g_free (key);
      g_free (label);
      label = g_strdup_printf ("%s #%u", valid, n);
    }
  g_hash_table_add (taken, key);
  return label;
}

TtStackLabels *
tt_stack_labels_new (TtStore *store)
{
  TtStackLabels *self = g_new0 (TtStackLabels, 1);
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n;

  self->store = store;
  self->processes = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->threads = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  const TtProcess *processes = tt_store_processes (store, &n);
  for (guint i = 0; i < n; i++)
    g_hash_table_insert (
        self->processes, GUINT_TO_POINTER (processes[i].id),
        make_unique (self, taken, TT_NO_ID, describe ("process", processes[i].pid, processes[i].label)));
  const TtThread *threads = tt_store_threads (store, &n);
  for (guint i = 0; i < n; i++)
    g_hash_table_insert (
        self->threads, GUINT_TO_POINTER (threads[i].id),
        make_unique (self, taken, threads[i].process, describe ("thread", threads[i].tid, threads[i].label)));
  return self;
}

void
tt_stack_labels_free (TtStackLabels *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->processes);
  g_hash_table_unref (self->threads);
  g_free (self);
}

const char *
tt_stack_labels_thread (const TtStackLabels *self, guint32 thread)
{
  const char *text = g_hash_table_lookup (self->threads, GUINT_TO_POINTER (thread));

  return text != NULL ? text : NOBODY;
}

const char *
tt_stack_labels_process (const TtStackLabels *self, guint32 thread)
{
  const TtThread *known = tt_store_thread (self->store, thread);
  const char *text =
      known == NULL ? NULL : g_hash_table_lookup (self->processes, GUINT_TO_POINTER (known->process));

  return text != NULL ? text : NOBODY;
}

guint64
tt_stack_labels_n_renamed (const TtStackLabels *self)
{
  return self->n_renamed;
}
