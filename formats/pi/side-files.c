/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* Files beside the calls, read from the directory or the archive of the trace. */
#include "formats/pi/trace-private.h"

#include "formats/pi/archive/archive.h"
#include "src/base/look.h"

#include <string.h>
#include <sys/stat.h>

static GBytes *
window_bytes (TtPiWindow *window, gsize limit, GError **error)
{
  gsize len = (gsize) MIN (window->size, limit);
  const guint8 *bytes = len == 0 ? (const guint8 *) "" : tt_pi_window_need (window, len, error);

  return bytes == NULL ? NULL : g_bytes_new (bytes, len);
}

static GBytes *
archived_file (TtPiTrace *self, const char *name, gsize limit, GError **error)
{
  for (guint i = 0; i < self->archive->len; i++)
    {
      const TtPiArchived *entry = self->archive->pdata[i];
      if (strcmp (entry->name, name) != 0)
        continue;
      g_auto (TtPiWindow) window = { .fd = -1 };
      tt_pi_window_init_packed (&window, self->path, entry->at, entry->packed_size, entry->size, TRUE);
      return window_bytes (&window, limit, error);
    }
  return NULL;
}

/* Names come from files of the trace: none leads out of it. */
static gboolean
is_inside (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (parts[i][0] == '\0' || strcmp (parts[i], "..") == 0)
      return FALSE;
  return parts[0] != NULL;
}

GBytes *
tt_pi_trace_side_file (TtPiTrace *self, const char *name, gsize limit, GError **error)
{
  struct stat status;

  if (!is_inside (name))
    return NULL;
  if (self->archive != NULL)
    return archived_file (self, name, limit, error);
  if (self->directory == NULL)
    return NULL;
  g_autofree char *path = g_build_filename (self->directory, name, NULL);
  if (tt_look_lstat (path, &status) != 0 || !S_ISREG (status.st_mode))
    return NULL;
  g_auto (TtPiWindow) window = { .fd = -1 };
  tt_pi_window_init (&window, path, 0, (guint64) status.st_size, TRUE);
  return window_bytes (&window, limit, error);
}

guint64
tt_pi_trace_side_size (TtPiTrace *self, const char *name)
{
  struct stat status;

  for (guint i = 0; self->archive != NULL && i < self->archive->len; i++)
    {
      const TtPiArchived *entry = self->archive->pdata[i];
      if (strcmp (entry->name, name) == 0)
        return entry->size;
    }
  if (self->directory == NULL || !is_inside (name))
    return G_MAXUINT64;
  g_autofree char *path = g_build_filename (self->directory, name, NULL);
  return tt_look_lstat (path, &status) == 0 && S_ISREG (status.st_mode) ? (guint64) status.st_size : G_MAXUINT64;
}

const char *const *
tt_pi_trace_side_files (const TtPiTrace *self)
{
  return (const char *const *) self->side_names->pdata;
}
