/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "src/base/clean-text.h"
#include "src/base/error.h"
#include "src/base/failure.h"
#include "src/base/new-file.h"
#include "src/base/progress.h"
#include "src/base/room.h"
#include "src/base/screen.h"

#define BUFFER_BYTES ((gsize) TT_ROOM (524288, 8192))
#define DEFLATED_BYTES ((gsize) TT_ROOM (262144, 8192))
#define DEFLATE_LEVEL 5
#define GZIP_WINDOW (15 + 16)
/* Of files with one name and a number. */
#define MAX_NUMBER 100000u

typedef struct
{
  TtOutput base;   /* must be first */
  char *path;      /* NULL: standard output or memory */
  TtNewFile *file; /* what it grows in; NULL: written in place */
  int fd;          /* -1: memory, or closed; that of @file is its own */
  GString *memory;
  GString *clean;  /* for a terminal: not yet written; NULL: bytes go as they are */
  GString *cut;    /* the begin of a character whose end is still to come */
  guint64 drained; /* bytes that have left the buffer */
  GError *error;
  gboolean is_new; /* never over a file that stands */
  gboolean deflates;
  z_stream deflater;
  guint8 *deflated;
} Output;

static Output *
output_of (TtOutput *self)
{
  return (Output *) (void *) self;
}

static const char *
shown_path (const Output *output)
{
  return output->path == NULL ? "standard output" : output->path;
}

gboolean
tt_stdout_is_closed (void)
{
  int flags = fcntl (STDOUT_FILENO, F_GETFL);

  return flags < 0 || (flags & O_ACCMODE) == O_RDONLY;
}

static void
keep_error (Output *output, int number)
{
  const char *why = output->path == NULL && tt_stdout_is_closed () ? "it is closed" : g_strerror (number);

  if (output->error == NULL)
    g_set_error (&output->error, TT_ERROR, TT_ERROR_INPUT, "cannot write %s%s%s: %s", output->path == NULL ? "" : "'",
                 shown_path (output), output->path == NULL ? "" : "'", why);
}

static void
write_out (Output *output, const guint8 *bytes, gsize len)
{
  while (len > 0 && output->error == NULL)
    {
      gssize n = write (output->fd, bytes, len);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          keep_error (output, n < 0 ? errno : ENOSPC);
          return;
        }
      bytes += n;
      len -= (gsize) n;
    }
}

static void
deflate_out (Output *output, const char *bytes, gsize len, int flush)
{
  z_stream *stream = &output->deflater;
  int status;

  /* zlib counts its input in an unsigned int. */
  do
    {
      gsize piece = MIN (len, (gsize) 1 << 30);

      stream->next_in = (guint8 *) (guintptr) bytes;
      stream->avail_in = (uInt) piece;
      bytes += piece;
      len -= piece;
      do
        {
          stream->next_out = output->deflated;
          stream->avail_out = DEFLATED_BYTES;
          status = deflate (stream, len == 0 ? flush : Z_NO_FLUSH);
          write_out (output, output->deflated, DEFLATED_BYTES - stream->avail_out);
        }
      while (stream->avail_out == 0 && status == Z_OK);
    }
  while (len > 0);
}

static void
clean_out (Output *output, const char *bytes, gsize len, gboolean is_last)
{
  g_string_append_len (output->cut, bytes, (gssize) len);
  gsize taken = tt_clean_append_piece (output->clean, output->cut->str, output->cut->len, is_last);

  g_string_erase (output->cut, 0, (gssize) taken);
  write_out (output, (const guint8 *) output->clean->str, output->clean->len);
  g_string_truncate (output->clean, 0);
}

/* Takes what the buffer holds to where it belongs. */
static void
drain (Output *output)
{
  TtOutput *base = &output->base;

  if (output->memory != NULL)
    g_string_append_len (output->memory, base->buffer, (gssize) base->used);
  else if (output->error == NULL && output->deflates)
    deflate_out (output, base->buffer, base->used, Z_NO_FLUSH);
  else if (output->error == NULL && output->clean != NULL)
    clean_out (output, base->buffer, base->used, FALSE);
  else if (output->error == NULL)
    write_out (output, (const guint8 *) base->buffer, base->used);
  output->drained += base->used;
  base->used = 0;
}

void
tt_output_drain (TtOutput *self, gsize len)
{
  drain (output_of (self));
  if (self->size < len)
    {
      self->buffer = g_realloc (self->buffer, len);
      self->size = len;
    }
}

static Output *
output_new (void)
{
  Output *output = g_new0 (Output, 1);

  output->base.buffer = g_malloc (BUFFER_BYTES);
  output->base.size = BUFFER_BYTES;
  output->fd = -1;
  return output;
}

static void
clean_for_terminal (Output *output)
{
  if (output->clean != NULL || !tt_screen_is (output->fd))
    return;
  output->clean = g_string_new (NULL);
  output->cut = g_string_new (NULL);
}

static void
stop_cleaning (Output *output)
{
  if (output->clean == NULL)
    return;
  g_string_free (output->clean, TRUE);
  g_string_free (output->cut, TRUE);
  output->clean = output->cut = NULL;
}

/* Standard output and the like under a name, which may be /dev/stdout: what is written there must not become another
 * file than the one that the shell has opened. */
static gboolean
is_descriptor (const struct stat *file)
{
  struct stat opened;

  for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
    if (fstat (fd, &opened) == 0 && opened.st_dev == file->st_dev && opened.st_ino == file->st_ino)
      return TRUE;
  return FALSE;
}

static gboolean
open_in_place (Output *output, const char *path, GError **error)
{
  /* Non-blocking only for a FIFO that nobody reads. */
  output->fd = open (path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK);
  if (output->fd >= 0 && fcntl (output->fd, F_SETFL, O_APPEND) == 0)
    {
      clean_for_terminal (output);
      return TRUE;
    }
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot write '%s': %s", path, g_strerror (errno));
  return FALSE;
}

/* Devices such as /dev/null are written in place: renaming a file over them would be wrong. */
static gboolean
open_file (Output *output, const char *path, GError **error)
{
  struct stat status;
  gboolean is_there = !output->is_new && stat (path, &status) == 0;

  if (is_there && S_ISDIR (status.st_mode))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot write '%s': it is a directory", path);
      return FALSE;
    }
  output->path = g_strdup (path);
  if (is_there && (!S_ISREG (status.st_mode) || is_descriptor (&status)))
    return open_in_place (output, path, error);

  tt_cancel_install (); /* what is killed on the way leaves that file */
  output->file = tt_new_file_open (path, "part", error);
  if (output->file == NULL)
    return FALSE;
  output->fd = tt_new_file_descriptor (output->file);
  return TRUE;
}

static TtOutput *
open_path (const char *path, gboolean is_new, GError **error)
{
  g_autoptr (TtOutput) self = &output_new ()->base;
  Output *output = output_of (self);

  output->is_new = is_new;
  if (!open_file (output, path, error))
    return NULL;

  if (g_str_has_suffix (path, ".gz"))
    {
      /* Without deflateSetHeader() zlib writes no name and no time, so the same text gives the same bytes. */
      if (deflateInit2 (&output->deflater, DEFLATE_LEVEL, Z_DEFLATED, GZIP_WINDOW, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot write '%s': zlib does not start", path);
          return NULL;
        }
      output->deflates = TRUE;
      output->deflated = g_malloc (DEFLATED_BYTES);
    }
  return g_steal_pointer (&self);
}

TtOutput *
tt_output_open (const char *path, GError **error)
{
  Output *output;

  if (path != NULL && !g_str_equal (path, "-"))
    return open_path (path, FALSE, error);
  output = output_new ();
  output->fd = STDOUT_FILENO;
  clean_for_terminal (output);
  return &output->base;
}

TtOutput *
tt_output_open_new (const char *path, GError **error)
{
  return open_path (path, TRUE, error);
}

TtOutput *
tt_output_open_memory (void)
{
  Output *output = output_new ();

  output->memory = g_string_new (NULL);
  return &output->base;
}

const char *
tt_output_part (const TtOutput *self)
{
  const Output *output = (const Output *) (const void *) self;

  return output->file == NULL || output->deflates ? NULL : tt_new_file_path (output->file);
}

void
tt_output_add_bytes (TtOutput *self, guint64 n_bytes)
{
  output_of (self)->drained += n_bytes;
}

void
tt_output_restart (TtOutput *self)
{
  Output *output = output_of (self);

  self->used = 0;
  output->drained = 0;
  if (output->error == NULL && (ftruncate (output->fd, 0) != 0 || lseek (output->fd, 0, SEEK_SET) != 0))
    keep_error (output, errno);
}

TtOutput *
tt_output_open_descriptor (int fd, const char *name)
{
  Output *output = output_new ();

  output->fd = dup (fd);
  output->path = g_strdup (name);
  if (output->fd < 0)
    keep_error (output, errno);
  return &output->base;
}

gboolean
tt_output_print (const char *path, const char *text, gssize len, GError **error)
{
  g_autoptr (TtOutput) self = tt_output_open (path, error);

  if (self == NULL)
    return FALSE;
  tt_output_bytes (self, text, len < 0 ? strlen (text) : (gsize) len);
  return tt_output_close (self, error);
}

/* "out/run.speedscope.json", 2 -> "out/run-2.speedscope.json". Free it. */
static char *
number_path (const char *path, guint number)
{
  const char *slash = strrchr (path, '/'), *name = slash == NULL ? path : slash + 1;
  const char *end = *name == '\0' ? name : name + 1 + strcspn (name + 1, ".");

  return g_strdup_printf ("%.*s-%u%s", (int) (end - path), path, number, end);
}

/* The first name that nobody has, so that two writers never get one. 0, or errno. */
static int
take_free_name (Output *output)
{
  g_autofree char *wanted = g_strdup (output->path);
  int number = EEXIST;

  for (guint i = 1; number == EEXIST && i < MAX_NUMBER; i++)
    {
      if (i > 1)
        {
          g_free (output->path);
          output->path = number_path (wanted, i);
        }
      g_autofree char *name = g_path_get_basename (output->path);
      number = tt_new_file_publish_as_new (output->file, name);
    }
  return number;
}

static void
move_into_place (Output *output)
{
  int number = tt_new_file_sync (output->file);

  if (number == 0)
    number = output->is_new ? take_free_name (output) : tt_new_file_publish (output->file);
  if (number != 0)
    keep_error (output, number);
}

static void
close_place (Output *output)
{
  if (close (output->fd) != 0)
    keep_error (output, errno);
  output->fd = -1;
}

void
tt_output_is_clean (TtOutput *self)
{
  drain (output_of (self));
  stop_cleaning (output_of (self));
}

gboolean
tt_output_close (TtOutput *self, GError **error)
{
  Output *output = output_of (self);

  /* Before the last bytes: what is short does not come out at all. */
  if (output->error == NULL)
    tt_failure_check (&output->error);
  drain (output);
  if (output->deflates && output->error == NULL)
    deflate_out (output, NULL, 0, Z_FINISH);
  if (output->clean != NULL && output->error == NULL)
    clean_out (output, NULL, 0, TRUE);
  if (output->file == NULL && output->path != NULL && output->fd >= 0)
    close_place (output);
  else if (output->file != NULL && output->error == NULL)
    move_into_place (output);
  g_clear_pointer (&output->file, tt_new_file_free);
  if (output->path != NULL)
    output->fd = -1;
  if (output->error == NULL)
    return TRUE;
  g_propagate_error (error, g_error_copy (output->error));
  return FALSE;
}

void
tt_output_free (TtOutput *self)
{
  if (self == NULL)
    return;

  Output *output = output_of (self);

  if (output->deflates)
    deflateEnd (&output->deflater);
  if (output->file == NULL && output->path != NULL && output->fd >= 0)
    close (output->fd);
  tt_new_file_free (output->file);
  stop_cleaning (output);
  if (output->memory != NULL)
    g_string_free (output->memory, TRUE);
  g_clear_error (&output->error);
  g_free (output->deflated);
  g_free (output->path);
  g_free (self->buffer);
  g_free (self);
}

guint64
tt_output_total (const TtOutput *self)
{
  return ((const Output *) (const void *) self)->drained + self->used;
}

const char *
tt_output_path (const TtOutput *self)
{
  return ((const Output *) (const void *) self)->path;
}

GString *
tt_output_steal_text (TtOutput *self)
{
  Output *output = output_of (self);
  GString *text;

  g_return_val_if_fail (output->memory != NULL, NULL);
  drain (output);
  text = output->memory;
  output->memory = g_string_new (NULL);
  return text;
}
