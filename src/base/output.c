/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "src/base/error.h"
#include "src/base/failure.h"
#include "src/base/new-file.h"
#include "src/base/progress.h"

#define BUFFER_BYTES ((gsize) 524288)
#define DEFLATED_BYTES ((gsize) 262144)
#define DEFLATE_LEVEL 5
#define GZIP_WINDOW (15 + 16)
/* Of files with one name and a number. */
#define MAX_NUMBER 100000u

typedef struct
{
  TtOutput base;          /* must be first */
  char *path;             /* NULL: standard output or memory */
  TtNewFile *file;        /* what it grows in; NULL: written in place */
  int fd;                 /* -1: memory, or closed; that of @file is its own */
  GString *memory;
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

/* Takes what the buffer holds to where it belongs. */
static void
drain (Output *output)
{
  TtOutput *base = &output->base;

  if (output->memory != NULL)
    g_string_append_len (output->memory, base->buffer, (gssize) base->used);
  else if (output->error == NULL && output->deflates)
    deflate_out (output, base->buffer, base->used, Z_NO_FLUSH);
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
  if (output->fd >= 0)
    return fcntl (output->fd, F_SETFL, O_APPEND) == 0;
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

void
tt_output_printf (TtOutput *self, const char *format, ...)
{
  va_list arguments, again;
  char text[256];

  va_start (arguments, format);
  va_copy (again, arguments);
  int len = g_vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);

  if (len >= 0 && (gsize) len < sizeof text)
    tt_output_bytes (self, text, (gsize) len);
  else if (len > 0)
    {
      g_autofree char *longer = g_strdup_vprintf (format, again);
      tt_output_text (self, longer);
    }
  va_end (again);
}

/* -- numbers ---------------------------------------------------------------------------------- */

static const char digit_pairs[201] = "00010203040506070809101112131415161718192021222324"
                                     "25262728293031323334353637383940414243444546474849"
                                     "50515253545556575859606162636465666768697071727374"
                                     "75767778798081828384858687888990919293949596979899";

#define INT_TEXT 24

/* Digits of @value before @end; returns their start. */
static char *
digits_before (char *end, guint64 value)
{
  while (value >= 100)
    {
      guint pair = (guint) (value % 100);

      value /= 100;
      end -= 2;
      memcpy (end, digit_pairs + 2 * pair, 2);
    }
  if (value >= 10)
    {
      end -= 2;
      memcpy (end, digit_pairs + 2 * value, 2);
    }
  else
    *--end = (char) ('0' + value);
  return end;
}

void
tt_output_int (TtOutput *self, gint64 value)
{
  char text[INT_TEXT], *end = text + sizeof text;
  char *start = digits_before (end, value < 0 ? -(guint64) value : (guint64) value);

  if (value < 0)
    *--start = '-';
  tt_output_bytes (self, start, (gsize) (end - start));
}

void
tt_output_us (TtOutput *self, gint64 ns)
{
  char text[INT_TEXT + 4], *point = text + INT_TEXT, *end = point;
  guint64 size = ns < 0 ? -(guint64) ns : (guint64) ns;
  guint fraction = (guint) (size % 1000);
  char *start = digits_before (point, size / 1000);

  if (ns < 0)
    *--start = '-';
  if (fraction != 0)
    {
      point[0] = '.';
      point[1] = (char) ('0' + fraction / 100);
      memcpy (point + 2, digit_pairs + 2 * (fraction % 100), 2);
      end = point + 4;
      while (end[-1] == '0')
        end--;
    }
  tt_output_bytes (self, start, (gsize) (end - start));
}

/* -- JSON ------------------------------------------------------------------------------------- */

/* 0: as it is; 1: escape or control character; 2: not ASCII. */
static const guint8 json_class[256] = {
  1, 1,          1, 1, 1, 1, 1, 1, 1, 1, 1,         1,          1,          1,          1, 1, 1, 1, 1, 1, 1, 1,
  1, 1,          1, 1, 1, 1, 1, 1, 1, 1, ['"'] = 1, ['\\'] = 1, [0x7f] = 1, [0x80] = 2, 2, 2, 2, 2, 2, 2, 2, 2,
  2, 2,          2, 2, 2, 2, 2, 2, 2, 2, 2,         2,          2,          2,          2, 2, 2, 2, 2, 2, 2, 2,
  2, [0xa0] = 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,         2,          2,          2,          2, 2, 2, 2, 2, 2, 2, 2,
  2, 2,          2, 2, 2, 2, 2, 2, 2, 2, 2,         [0xc0] = 2, 2,          2,          2, 2, 2, 2, 2, 2, 2, 2,
  2, 2,          2, 2, 2, 2, 2, 2, 2, 2, 2,         2,          2,          2,          2, 2, 2, 2, 2, 2, 2, [0xe0] = 2,
  2, 2,          2, 2, 2, 2, 2, 2, 2, 2, 2,         2,          2,          2,          2, 2, 2, 2, 2, 2, 2, 2,
  2, 2,          2, 2, 2, 2, 2, 2, 2,
};

static void
json_escape (TtOutput *self, guint8 c)
{
  static const char hex[] = "0123456789abcdef";

  switch (c)
    {
    case '"':
    case '\\':
      tt_output_bytes (self, (char[]){ '\\', (char) c }, 2);
      break;
    case '\n':
      tt_output_literal (self, "\\n");
      break;
    case '\t':
      tt_output_literal (self, "\\t");
      break;
    default:
      tt_output_bytes (self, (char[]){ '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15] }, 6);
    }
}

void
tt_output_json_string (TtOutput *self, const char *text)
{
  const guint8 *p = (const guint8 *) text, *from = p;

  tt_output_literal (self, "\"");
  for (;;)
    {
      while (json_class[*p] == 0)
        p++;
      if (json_class[*p] == 2)
        {
          gunichar c = g_utf8_get_char_validated ((const char *) p, -1);

          if (c < 0x110000)
            {
              p = (const guint8 *) g_utf8_next_char (p);
              continue;
            }
        }

      tt_output_bytes (self, (const char *) from, (gsize) (p - from));
      if (*p == '\0')
        break;
      if (json_class[*p] == 1)
        json_escape (self, *p);
      else
        tt_output_literal (self, "\xef\xbf\xbd");
      from = ++p;
    }
  tt_output_literal (self, "\"");
}
