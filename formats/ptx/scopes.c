/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ptx/parse-private.h"

#include <string.h>

void
tt_ptx_open_scope (TtPtxParser *self)
{
  GHashTable *names = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  guint parent = self->scope_ids->len == 0 ? 0 : g_array_index (self->scope_ids, guint, self->scope_ids->len - 1);
  guint id = self->function->scopes->len;

  g_array_append_val (self->scopes, names);
  g_array_append_val (self->scope_ids, id);
  g_array_append_val (self->function->scopes, parent);
}

void
tt_ptx_close_scope (TtPtxParser *self)
{
  g_hash_table_unref (g_array_index (self->scopes, GHashTable *, self->scopes->len - 1));
  g_array_set_size (self->scopes, self->scopes->len - 1);
  g_array_set_size (self->scope_ids, self->scope_ids->len - 1);
}

void
tt_ptx_bind (TtPtxParser *self, const char *name, TtPtxBinding binding)
{
  GHashTable *names = g_array_index (self->scopes, GHashTable *, self->scopes->len - 1);
  /* A family of registers has a name that none else has: "%r<" of "%r<12>". */
  const char *key = binding.n > 0 ? tt_nl_arena_printf (self->arena, "%s<", name) : name;

  g_hash_table_replace (names, (gpointer) key, g_memdup2 (&binding, sizeof binding));
}

static const TtPtxBinding *
find_binding (const TtPtxParser *self, const char *key)
{
  for (guint i = self->scopes->len; i > 0; i--)
    {
      const TtPtxBinding *found = g_hash_table_lookup (g_array_index (self->scopes, GHashTable *, i - 1), key);
      if (found != NULL)
        return found;
    }
  return NULL;
}

gboolean
tt_ptx_lookup_register (TtPtxParser *self, const char *name, guint *reg)
{
  const TtPtxBinding *found = find_binding (self, name);
  gsize len = strlen (name), stem = len;
  guint64 number;

  if (found != NULL)
    {
      *reg = found->first;
      return found->variable == NULL;
    }
  while (stem > 0 && g_ascii_isdigit (name[stem - 1]))
    stem--;
  /* "%r01" is none of "%r<12>"; digits of a stem ("%r1<5>") belong to it. */
  for (; stem < len && len - stem < 9; stem++)
    {
      char key[256];

      if (name[stem] == '0' && stem + 1 < len)
        continue;
      if (stem > sizeof key - 2)
        return FALSE;
      memcpy (key, name, stem);
      memcpy (key + stem, "<", 2);
      number = g_ascii_strtoull (name + stem, NULL, 10);
      found = find_binding (self, key);
      if (found != NULL && number < found->n)
        {
          *reg = found->first + (guint) number;
          return TRUE;
        }
    }
  return FALSE;
}

const TtPtxVariable *
tt_ptx_lookup_variable (TtPtxParser *self, const char *name)
{
  const TtPtxBinding *found = find_binding (self, name);

  return found != NULL ? found->variable : g_hash_table_lookup (self->variables, name);
}
