/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/archive/archive.h"

#include "formats/pi/window.h"
#include "src/base/error.h"
#include "src/base/look.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#define MAX_NAME 4096u
#define MAX_ENTRIES 4000000u
/* Deflated beyond reason: a frame of zeros packs 1 : 30000. */
#define MAX_RATIO 65536u
#define FRAME_HEAD 18u

static guint64
get_u64 (const guint8 *bytes)
{
  guint64 value;

  memcpy (&value, bytes, sizeof value);
  return GUINT64_FROM_LE (value);
}

static gboolean
is_safe_name (const char *name, gsize len)
{
  const char *part = name;

  if (len == 0 || memchr (name, '\0', len) != NULL)
    return FALSE;
  for (gsize i = 0; i <= len; i++)
    {
      if (i < len && (guchar) name[i] < 0x20)
        return FALSE;
      if (i < len && name[i] != '/')
        continue;
      gsize part_len = (gsize) (name + i - part);
      /* "buffers/" names a directory. */
      if (part_len == 0 && i < len)
        return FALSE;
      if (part_len == 2 && memcmp (part, "..", 2) == 0)
        return FALSE;
      part = name + i + 1;
    }
  return TRUE;
}

typedef struct
{
  const char *path;
  TtPiWindow window;
  GPtrArray *directories; /* NULL: not wanted */
  guint64 entry;          /* number and place of the current one */
  guint64 entry_at;
} Reader;

static gboolean
set_fault (const Reader *self, GError **error, const char *reason)
{
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: entry %" G_GUINT64_FORMAT " at byte %" G_GUINT64_FORMAT ": %s",
               self->path, self->entry, self->entry_at, reason);
  return FALSE;
}

static gboolean
frame_size (Reader *self, TtPiArchived *entry, GError **error)
{
#ifdef HAVE_ZSTD
  gsize n = (gsize) MIN (FRAME_HEAD, entry->packed_size);
  const guint8 *head = tt_pi_window_need (&self->window, n, error);

  if (head == NULL)
    return FALSE;
  unsigned long long size = ZSTD_getFrameContentSize (head, n);
  if (size == ZSTD_CONTENTSIZE_ERROR)
    return set_fault (self, error, "no zstd frame");
  if (size == ZSTD_CONTENTSIZE_UNKNOWN)
    return set_fault (self, error, "the zstd frame does not say how much it holds");
  entry->size = size;
  if (entry->size / MAX_RATIO > entry->packed_size)
    return set_fault (self, error, "the zstd frame says that it holds more than it can");
#else
  entry->size = 0;
#endif
  return TRUE;
}

/* A file's part of an entry. Takes @name. */
static gboolean
read_file (Reader *self, GPtrArray *files, char *name, GError **error)
{
  TtPiArchived *entry = g_new0 (TtPiArchived, 1);

  entry->name = name;
  g_ptr_array_add (files, entry);
  if (tt_pi_window_left (&self->window) < 8)
    return set_fault (self, error, "the archive ends in it");
  const guint8 *bytes = tt_pi_window_need (&self->window, 8, error);
  if (bytes == NULL)
    return FALSE;
  entry->packed_size = get_u64 (bytes);
  tt_pi_window_advance (&self->window, 8);
  entry->at = self->window.offset;
  if (entry->packed_size > tt_pi_window_left (&self->window))
    return set_fault (self, error, "its packed bytes are more than are left");
  return frame_size (self, entry, error) && tt_pi_window_skip (&self->window, entry->packed_size, error);
}

static gboolean
read_entry (Reader *self, GPtrArray *files, GError **error)
{
  self->entry_at = self->window.offset;
  if (tt_pi_window_left (&self->window) < 9)
    return set_fault (self, error, "the archive ends in it");
  const guint8 *bytes = tt_pi_window_need (&self->window, 9, error);
  if (bytes == NULL)
    return FALSE;
  guint8 kind = bytes[0];
  guint64 len = get_u64 (bytes + 1);
  if (kind > 1)
    return set_fault (self, error, "neither a file nor a directory");
  tt_pi_window_advance (&self->window, 9);
  if (len > MAX_NAME || len > tt_pi_window_left (&self->window))
    return set_fault (self, error, "its name is longer than a name can be");
  bytes = tt_pi_window_need (&self->window, (gsize) len, error);
  if (bytes == NULL)
    return FALSE;
  if (!is_safe_name ((const char *) bytes, (gsize) len))
    return set_fault (self, error, "unsafe name");
  g_autofree char *name = g_strndup ((const char *) bytes, (gsize) len);
  tt_pi_window_advance (&self->window, (gsize) len);
  if (kind == 1)
    return read_file (self, files, g_steal_pointer (&name), error);
  if (self->directories != NULL)
    g_ptr_array_add (self->directories, g_steal_pointer (&name));
  return TRUE;
}

static void
archived_free (gpointer data)
{
  TtPiArchived *entry = data;

  g_free (entry->name);
  g_free (entry);
}

GPtrArray *
tt_pi_archive_read (const char *path, GError **error)
{
  return tt_pi_archive_read_all (path, NULL, error);
}

GPtrArray *
tt_pi_archive_read_all (const char *path, GPtrArray *directories, GError **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (archived_free);
  Reader self = { .path = path, .directories = directories };
  struct stat status;
  gboolean is_good = TRUE;

  if (tt_look_stat (path, &status) != 0 || !S_ISREG (status.st_mode))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot read '%s': %s", path,
                   errno != 0 ? g_strerror (errno) : "no regular file");
      return NULL;
    }
  tt_pi_window_init (&self.window, path, 0, (guint64) status.st_size, TRUE);
  const guint8 *version = status.st_size == 0 ? NULL : tt_pi_window_need (&self.window, 1, error);
  if (version == NULL || version[0] != 0)
    {
      if (error != NULL && *error == NULL)
        g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: no packed trace: its first byte is not the version 0",
                     path);
      is_good = FALSE;
    }
  else
    tt_pi_window_advance (&self.window, 1);
  while (is_good && tt_pi_window_left (&self.window) > 0)
    {
      is_good =
          self.entry < MAX_ENTRIES ? read_entry (&self, files, error) : set_fault (&self, error, "too many entries");
      self.entry++;
    }
  tt_pi_window_clear (&self.window);
  return is_good ? g_steal_pointer (&files) : NULL;
}

gboolean
tt_pi_archive_probe (const guint8 *head, gsize len, guint64 size)
{
  gsize at = 1;
  guint n = 0;

  if (len < 11 || head[0] != 0)
    return FALSE;
  while (at + 9 <= len)
    {
      guint8 kind = head[at];
      guint64 name_len = get_u64 (head + at + 1);
      at += 9;
      if (kind > 1 || name_len == 0 || name_len > MAX_NAME || (size > 0 && name_len > size))
        return FALSE;
      if (name_len > len - at)
        return n > 0;
      for (gsize i = 0; i < name_len; i++)
        if (head[at + i] < 0x20)
          return FALSE;
      at += (gsize) name_len;
      n++;
      if (kind == 1)
        {
          static const guint8 magic[] = { 0x28, 0xb5, 0x2f, 0xfd };
          if (at + 12 > len)
            return n > 1;
          return memcmp (head + at + 8, magic, sizeof magic) == 0;
        }
    }
  return n > 0;
}
