/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* Packs a directory: each file one zstd frame (level 3) with the size of its contents. */
#include "formats/pi/archive/archive.h"

#include "src/base/error.h"
#include "src/base/failure.h"
#include "src/base/look.h"
#include "src/base/new-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#define PIECE (256 * 1024)
#define LEVEL 3

typedef struct
{
  FILE *out;
  const char *path, *directory;
  struct stat own; /* of the archive being written, which may lie in the directory */
  GPtrArray *left_out;
#ifdef HAVE_ZSTD
  ZSTD_CCtx *zstd;
#endif
  char *in_piece, *out_piece;
} Writer;

#ifdef HAVE_ZSTD

static gboolean
set_fault (GError **error, const char *what, const char *path, const char *why)
{
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot %s '%s': %s", what, path, why);
  return FALSE;
}

static void
put_u64 (guint8 *to, guint64 value)
{
  value = GUINT64_TO_LE (value);
  memcpy (to, &value, sizeof value);
}

static gboolean
write_bytes (Writer *self, const void *bytes, gsize len, GError **error)
{
  if (fwrite (bytes, 1, len, self->out) == len)
    return TRUE;
  return set_fault (error, "write", self->path, g_strerror (errno));
}

static gboolean
put_head (Writer *self, guint8 kind, const char *name, GError **error)
{
  guint8 head[9] = { kind };

  put_u64 (head + 1, strlen (name));
  return write_bytes (self, head, sizeof head, error) && write_bytes (self, name, strlen (name), error);
}

/* All of @input; the last piece ends the frame. */
static gboolean
compress_piece (Writer *self, ZSTD_inBuffer *input, ZSTD_EndDirective end, guint64 *packed, GError **error)
{
  gsize left = 1;

  while (end == ZSTD_e_end ? left != 0 : input->pos < input->size)
    {
      ZSTD_outBuffer output = { self->out_piece, PIECE, 0 };
      left = ZSTD_compressStream2 (self->zstd, &output, input, end);
      if (ZSTD_isError (left))
        return set_fault (error, "compress", self->path, ZSTD_getErrorName (left));
      if (!write_bytes (self, self->out_piece, output.pos, error))
        return FALSE;
      *packed += output.pos;
    }
  return TRUE;
}

/* A file that grows meanwhile is taken to the size that it had; one that shrinks is an error. */
static gboolean
put_contents (Writer *self, int fd, const char *path, guint64 size, guint64 *packed, GError **error)
{
  guint64 left = size;

  ZSTD_CCtx_reset (self->zstd, ZSTD_reset_session_only);
  ZSTD_CCtx_setParameter (self->zstd, ZSTD_c_compressionLevel, LEVEL);
  ZSTD_CCtx_setPledgedSrcSize (self->zstd, size);
  do
    {
      gssize n = left == 0 ? 0 : read (fd, self->in_piece, (gsize) MIN (left, PIECE));
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 || (n == 0 && left > 0))
        return set_fault (error, "read", path, n < 0 ? g_strerror (errno) : "it is shorter than it was");
      left -= (guint64) n;
      ZSTD_inBuffer input = { self->in_piece, (gsize) n, 0 };
      if (!compress_piece (self, &input, left == 0 ? ZSTD_e_end : ZSTD_e_continue, packed, error))
        return FALSE;
    }
  while (left > 0);
  return TRUE;
}

/* The length of the frame stands before it and is known after it. */
static gboolean
put_file (Writer *self, const char *name, const char *path, const struct stat *seen, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  guint8 length[8] = { 0 };
  guint64 packed = 0;
  struct stat status;
  gboolean ok;

  if (fd < 0 || fstat (fd, &status) != 0 || !S_ISREG (status.st_mode) || status.st_ino != seen->st_ino)
    {
      ok = set_fault (error, "read", path, fd < 0 ? g_strerror (errno) : "it was changed meanwhile");
      if (fd >= 0)
        close (fd);
      return ok;
    }
  ok = put_head (self, 1, name, error);
  off_t at = ftello (self->out);
  ok = ok && write_bytes (self, length, sizeof length, error) &&
       put_contents (self, fd, path, (guint64) status.st_size, &packed, error);
  close (fd);
  if (!ok)
    return FALSE;
  put_u64 (length, packed);
  if (fseeko (self->out, at, SEEK_SET) != 0 || !write_bytes (self, length, sizeof length, error) ||
      fseeko (self->out, 0, SEEK_END) != 0)
    return *error != NULL ? FALSE : set_fault (error, "write", self->path, g_strerror (errno));
  return TRUE;
}

static int
by_text (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static gboolean put_directory (Writer *self, const char *below, GError **error);

static gboolean
put_entry (Writer *self, const char *name, GError **error)
{
  g_autofree char *path = g_build_filename (self->directory, name, NULL);
  struct stat status;

  if (lstat (path, &status) != 0)
    return set_fault (error, "read", path, g_strerror (errno));
  if (S_ISDIR (status.st_mode))
    return put_head (self, 0, name, error) && put_directory (self, name, error);
  if (S_ISREG (status.st_mode) && status.st_ino == self->own.st_ino && status.st_dev == self->own.st_dev)
    return TRUE;
  if (S_ISREG (status.st_mode))
    return put_file (self, name, path, &status, error);
  g_ptr_array_add (self->left_out, g_strdup (name));
  return TRUE;
}

/* @below: NULL: the directory itself. */
static gboolean
put_directory (Writer *self, const char *below, GError **error)
{
  g_autofree char *path = g_build_filename (self->directory, below, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = tt_look_folder (path, error);
  const char *name;

  if (dir == NULL)
    return FALSE;
  while ((name = tt_look_next (dir, path)) != NULL)
    g_ptr_array_add (names, below != NULL ? g_build_filename (below, name, NULL) : g_strdup (name));
  g_ptr_array_sort (names, by_text);
  for (guint i = 0; i < names->len; i++)
    if (!put_entry (self, names->pdata[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
write_all (Writer *self, GError **error)
{
  const guint8 version = 0;

  return write_bytes (self, &version, 1, error) && put_directory (self, NULL, error) && tt_failure_check (error);
}

gboolean
tt_pi_archive_write (const char *directory, const char *path, GPtrArray *left_out, GError **error)
{
  g_autoptr (TtNewFile) file = tt_new_file_open (path, "part", error);
  Writer self = { .path = path, .directory = directory, .left_out = left_out };

  if (file == NULL)
    return FALSE;
  int fd = dup (tt_new_file_descriptor (file));
  self.out = fd >= 0 ? fdopen (fd, "w+b") : NULL;
  if (self.out == NULL || fstat (fd, &self.own) != 0)
    return set_fault (error, "write", path, g_strerror (errno));
  self.zstd = ZSTD_createCCtx ();
  if (self.zstd == NULL)
    g_error ("no memory to pack '%s'", path); /* as where g_malloc() has none */
  self.in_piece = g_malloc (PIECE);
  self.out_piece = g_malloc (PIECE);

  gboolean ok = write_all (&self, error);
  ok = (fclose (self.out) == 0 || (ok && set_fault (error, "write", path, g_strerror (errno)))) && ok;
  if (ok)
    {
      int number = tt_new_file_sync (file);
      if (number == 0)
        number = tt_new_file_publish (file);
      ok = number == 0 || set_fault (error, "write", path, g_strerror (number));
    }
  ZSTD_freeCCtx (self.zstd);
  g_free (self.in_piece);
  g_free (self.out_piece);
  return ok;
}

#else

gboolean
tt_pi_archive_write (const char *directory, const char *path, GPtrArray *left_out, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot write '%s': this tracetool was built without zstd", path);
  return FALSE;
}

#endif
