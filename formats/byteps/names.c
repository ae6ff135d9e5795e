/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/byteps/names.h"
#include "src/base/look.h"

#include <string.h>

#define DIGITS "0123456789"
#define MOST_BYTES ((gsize) 16 << 20)

/* What a worker does with a partition, and what passes between worker and server. */
static const char *const worker_ops[] = { "COORDINATE_REDUCE",    "REDUCE",   "COPYD2H", "PCIE_REDUCE",
                                          "COORDINATE_PUSH",      "PUSH",     "PULL",    "COPYH2D",
                                          "COORDINATE_BROADCAST", "BROADCAST" };
static const char *const server_ops[] = { "PUSH", "PULL", "COPY_FIRST", "SUM", "COPY_MERGED" };

void
tt_byteps_name_clear (TtBytepsName *name)
{
  g_clear_pointer (&name->tensor, g_free);
}

static const char *
find_op (const char *const *ops, guint n, const char *text)
{
  for (guint i = 0; i < n; i++)
    if (g_str_equal (ops[i], text))
      return ops[i];
  return NULL;
}

/* TensorFlow's "3_4" are tensors 3 and 4. */
static char *
take_tensor (const char *text, gsize len)
{
  char *tensor = g_strndup (text, len);
  gboolean are_ids = len > 0 && g_ascii_isdigit (tensor[0]) && g_ascii_isdigit (tensor[len - 1]) &&
                     strspn (tensor, DIGITS "_") == len && strstr (tensor, "__") == NULL;

  return are_ids ? g_strdelimit (tensor, "_", '+') : tensor;
}

gboolean
tt_byteps_worker_name (const char *raw, TtBytepsName *name)
{
  *name = (TtBytepsName){ 0 };
  if (!g_str_has_prefix (raw, "Comm.") || raw[5] == '\0')
    return FALSE;
  raw += 5;
  const char *last = strrchr (raw, '.');
  name->sub_op = last == NULL ? NULL : find_op (worker_ops, G_N_ELEMENTS (worker_ops), last + 1);
  name->tensor = take_tensor (raw, name->sub_op == NULL ? strlen (raw) : (gsize) (last - raw));
  return TRUE;
}

gboolean
tt_byteps_server_name (const char *raw, TtBytepsName *name)
{
  const char *last = strrchr (raw, '.');
  guint64 part = 0;

  *name = (TtBytepsName){ 0 };
  if (last == NULL || last == raw)
    return FALSE;
  name->sub_op = find_op (server_ops, G_N_ELEMENTS (server_ops), last + 1);
  if (name->sub_op == NULL)
    return FALSE;

  g_autofree char *whole = g_strndup (raw, (gsize) (last - raw));
  char *mark = strstr (whole, "~PART");
  if (mark != NULL && g_ascii_string_to_unsigned (mark + 5, 10, 0, G_MAXINT32, &part, NULL))
    *mark = '\0';
  const char *tensor = strrchr (whole, '.');
  tensor = tensor == NULL ? whole : tensor + 1;
  if (*tensor == '\0')
    return FALSE;
  name->tensor = take_tensor (tensor, strlen (tensor));
  name->part = (guint) part;
  return TRUE;
}

static gboolean
is_numbered (const char *node, const char *kind)
{
  gsize len = strlen (kind);

  return strncmp (node, kind, len) == 0 && node[len] != '\0' && node[len + strspn (node + len, DIGITS)] == '\0';
}

gboolean
tt_byteps_is_worker (const char *node)
{
  return is_numbered (node, "worker_");
}

gboolean
tt_byteps_is_server (const char *node)
{
  return is_numbered (node, "server_");
}

gboolean
tt_byteps_link (const char *process, char **source, char **target)
{
  const char *arrow = strstr (process, " -> ");

  *source = *target = NULL;
  if (arrow == NULL)
    return FALSE;
  *source = g_strndup (process, (gsize) (arrow - process));
  *target = g_strdup (arrow + 4);
  if ((tt_byteps_is_worker (*source) && tt_byteps_is_server (*target)) ||
      (tt_byteps_is_server (*source) && tt_byteps_is_worker (*target)))
    return TRUE;
  g_clear_pointer (source, g_free);
  g_clear_pointer (target, g_free);
  return FALSE;
}

/* -- keys ---------------------------------------------------------------------------------------------- */

struct _TtBytepsKeys
{
  GHashTable *parts; /* key -> part + 1; 0: the only one */
};

static void
take_line (TtBytepsKeys *self, const char *line)
{
  const char *colon = strrchr (line, ':');

  if (colon == NULL)
    return;
  g_auto (GStrv) words = g_strsplit_set (colon + 1, " \t\r", -1);
  g_autoptr (GPtrArray) keys = g_ptr_array_new ();
  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0')
      g_ptr_array_add (keys, words[i]);
  for (guint i = 0; i < keys->len; i++)
    g_hash_table_insert (self->parts, g_strdup (keys->pdata[i]), GUINT_TO_POINTER (keys->len == 1 ? 0 : i + 1));
}

TtBytepsKeys *
tt_byteps_keys_parse (const char *text, gsize len)
{
  TtBytepsKeys *self = g_new0 (TtBytepsKeys, 1);
  g_autofree char *copy = g_strndup (text, len);
  g_auto (GStrv) lines = g_strsplit (copy, "\n", -1);

  self->parts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; lines[i] != NULL; i++)
    take_line (self, lines[i]);
  return self;
}

TtBytepsKeys *
tt_byteps_keys_beside (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *keys = g_build_filename (folder, "key_dict.txt", NULL);
  g_autofree char *text = NULL;
  gsize len;

  if (strcmp (path, "-") == 0 || !tt_look_test (keys, G_FILE_TEST_IS_REGULAR) ||
      !tt_look_contents (keys, &text, &len, NULL) || len > MOST_BYTES)
    return NULL;
  return tt_byteps_keys_parse (text, len);
}

void
tt_byteps_keys_free (TtBytepsKeys *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->parts);
  g_free (self);
}

gboolean
tt_byteps_keys_part (const TtBytepsKeys *self, const char *key, int *part)
{
  gpointer found;

  if (!g_hash_table_lookup_extended (self->parts, key, NULL, &found))
    return FALSE;
  *part = (int) GPOINTER_TO_UINT (found) - 1;
  return TRUE;
}
