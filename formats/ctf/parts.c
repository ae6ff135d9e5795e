/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/parts.h"

#include "formats/ctf/reader.h"
#include "src/base/error.h"
#include "src/base/failure.h"

#include <string.h>

static void
free_parts (gpointer data)
{
  TtCtfParts *self = data;

  g_ptr_array_unref (self->paths);
  g_free (self->root);
  g_free (self->host);
  g_free (self->uuid);
  g_free (self);
}

static gboolean
on_facts (const TtCtfFacts *facts, gpointer data)
{
  TtCtfParts *self = data;

  self->host = g_strdup (facts->hostname);
  self->uuid = g_strdup (facts->uuid);
  return FALSE;
}

/* Reads what the trace is; that it is damaged is reported when it is read. */
static void
ask (TtCtfParts *self, const char *path)
{
  static const TtCtfHandler handler = { .begin = on_facts };
  GError *local = NULL;

  tt_ctf_read_facts (path, &handler, self, &local);
  if (g_error_matches (local, TT_ERROR, TT_ERROR_INPUT))
    tt_failure_leave (g_steal_pointer (&local));
  g_clear_error (&local);
}

static TtCtfParts *
find_same (const GPtrArray *traces, const TtCtfParts *parts)
{
  for (guint i = 0; parts->uuid != NULL && i < traces->len; i++)
    {
      TtCtfParts *known = traces->pdata[i];
      if (g_strcmp0 (known->uuid, parts->uuid) == 0 && g_strcmp0 (known->host, parts->host) == 0)
        return known;
    }
  return NULL;
}

/* The directory above @root that @path is below, too. */
static char *
join_roots (char *root, const char *path)
{
  gsize len = strlen (root);

  while (len > 1 && !(strncmp (root, path, len) == 0 && (path[len] == G_DIR_SEPARATOR || path[len] == '\0')))
    {
      g_autofree char *above = g_path_get_dirname (root);
      if (strlen (above) >= len)
        break;
      len = strlen (above);
      root[len] = '\0';
      memcpy (root, above, len);
    }
  return root;
}

GPtrArray *
tt_ctf_parts_find (const GPtrArray *directories)
{
  GPtrArray *traces = g_ptr_array_new_with_free_func (free_parts);

  for (guint i = 0; i < directories->len; i++)
    {
      const char *path = directories->pdata[i];
      TtCtfParts *parts = g_new0 (TtCtfParts, 1), *known;

      parts->paths = g_ptr_array_new_with_free_func (g_free);
      parts->root = g_strdup (path);
      if (directories->len > 1)
        ask (parts, path);
      known = find_same (traces, parts);
      if (known != NULL)
        {
          known->root = join_roots (known->root, path);
          g_ptr_array_add (known->paths, g_strdup (path));
          free_parts (parts);
          continue;
        }
      g_ptr_array_add (parts->paths, g_strdup (path));
      g_ptr_array_add (traces, parts);
    }
  for (guint i = 0; i < traces->len; i++)
    g_ptr_array_add (((TtCtfParts *) traces->pdata[i])->paths, NULL);
  return traces;
}

gboolean
tt_ctf_parts_have_hosts (const GPtrArray *traces)
{
  for (guint i = 1; i < traces->len; i++)
    if (g_strcmp0 (((const TtCtfParts *) traces->pdata[i])->host, ((const TtCtfParts *) traces->pdata[0])->host) != 0)
      return TRUE;
  return FALSE;
}
