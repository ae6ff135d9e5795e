/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau-export/numbers.h"

#include "src/base/error.h"

#define MAX_NUMBER G_MAXUINT16

typedef struct
{
  GHashTable *used; /* owner << 16 | number */
  GHashTable *next; /* owner -> number that may be free */
} Numbers;

static gboolean
take_number (Numbers *self, guint64 owner, gint64 number)
{
  guint64 key = owner << 16 | (guint64) number;

  if (number < 0 || number > MAX_NUMBER || g_hash_table_contains (self->used, &key))
    return FALSE;
  g_hash_table_add (self->used, g_memdup2 (&key, sizeof key));
  return TRUE;
}

static gint64
take_next_number (Numbers *self, guint64 owner)
{
  gint64 number = GPOINTER_TO_INT (g_hash_table_lookup (self->next, GUINT_TO_POINTER ((guint) owner)));

  while (number <= MAX_NUMBER && !take_number (self, owner, number))
    number++;
  g_hash_table_insert (self->next, GUINT_TO_POINTER ((guint) owner), GINT_TO_POINTER ((int) number));
  return number > MAX_NUMBER ? -1 : number;
}

static gint64
parse_number (const char *text)
{
  guint64 number;

  return text != NULL && g_ascii_string_to_unsigned (text, 10, 0, MAX_NUMBER, &number, NULL) ? (gint64) number : -1;
}

static gboolean
fail_numbers (const char *what, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "a TAU trace has at most 65536 %s; choose some with --filter", what);
  return FALSE;
}

static gboolean
number_nodes (TtTauExportNumbers *self, Numbers *numbers, TtStore *store, GError **error)
{
  guint n;
  const TtProcess *processes = tt_store_processes (store, &n);

  for (guint i = 0; i < n; i++)
    {
      gint64 wanted = processes[i].rank >= 0 ? processes[i].rank : parse_number (processes[i].pid);
      if (take_number (numbers, 0, wanted))
        self->nodes[processes[i].id] = (gint32) wanted;
    }
  for (guint i = 0; i < n; i++)
    if (self->nodes[processes[i].id] < 0)
      {
        gint64 number = take_next_number (numbers, 0);
        if (number < 0)
          return fail_numbers ("processes", error);
        self->nodes[processes[i].id] = (gint32) number;
        self->n_renumbered++;
      }
  return TRUE;
}

static gboolean
number_threads (TtTauExportNumbers *self, Numbers *numbers, TtStore *store, GError **error)
{
  guint n;
  const TtThread *threads = tt_store_threads (store, &n);
  g_autofree gboolean *is_numbered = g_new0 (gboolean, n + 1);

  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < n; i++)
      {
        guint64 owner = (guint64) threads[i].process + 1;
        gint64 number = parse_number (threads[i].tid);
        if (is_numbered[i] || (pass == 0 && !take_number (numbers, owner, number)))
          continue;
        if (pass == 1)
          {
            number = take_next_number (numbers, owner);
            self->n_renumbered++;
          }
        if (number < 0)
          return fail_numbers ("threads a process", error);
        is_numbered[i] = TRUE;
        self->threads[threads[i].id] = (gint32) ((guint32) self->nodes[threads[i].process] << 16 | (guint32) number);
      }
  return TRUE;
}

TtTauExportNumbers *
tt_tau_export_numbers_new (TtStore *store, GError **error)
{
  g_autoptr (TtTauExportNumbers) self = g_new0 (TtTauExportNumbers, 1);
  Numbers numbers = {
    .used = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL),
    .next = g_hash_table_new (NULL, NULL),
  };

  self->n_nodes = tt_store_max_process (store) + 1;
  self->n_threads = tt_store_max_thread (store) + 1;
  self->nodes = g_new (gint32, self->n_nodes);
  for (guint32 i = 0; i < self->n_nodes; i++)
    self->nodes[i] = -1;
  self->threads = g_new0 (gint32, self->n_threads);
  gboolean is_good = number_nodes (self, &numbers, store, error) && number_threads (self, &numbers, store, error);
  g_hash_table_unref (numbers.used);
  g_hash_table_unref (numbers.next);
  return is_good ? g_steal_pointer (&self) : NULL;
}

void
tt_tau_export_numbers_free (TtTauExportNumbers *self)
{
  if (self == NULL)
    return;
  g_free (self->nodes);
  g_free (self->threads);
  g_free (self);
}
