/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/tar.h"

#include "src/base/error.h"
#include "src/base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FILES (1u << 20)
#define MAX_NAME 4096u
#define MAX_DEPTH 64u
#define MAX_MORE ((guint64) 64 << 20)
#define MAX_RATIO 500u

/* Fields of a header (POSIX.1-2017, pax, "ustar Interchange Format"). */
#define AT_SIZE 124u
#define AT_SUM 148u
#define AT_TYPE 156u
#define AT_MAGIC 257u
#define AT_PREFIX 345u
#define NAME_BYTES 100u
#define SIZE_BYTES 12u
#define SUM_BYTES 8u
#define PREFIX_BYTES 155u

typedef struct
{
  TtInput *input;
  const char *path, *folder;
  guint64 at;   /* of the header at hand, in the contents */
  guint64 left; /* that may still be unpacked */
  guint n_files, n_left_out;
  char *name;        /* of the next member, if a header before has it; NULL: its own has */
  gboolean has_size; /* likewise */
  guint64 size;
} Tar;

static gboolean
fail (const Tar *self, GError **error, const char *why)
{
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: byte %" G_GUINT64_FORMAT " of the archive: %s", self->path,
               self->at, why);
  return FALSE;
}

/* -- headers -------------------------------------------------------------------------------------------------------- */

/* Octal digits, or GNU's base 256. FALSE: neither. */
static gboolean
read_number (const guint8 *bytes, gsize len, guint64 *number)
{
  gsize i = 0;

  *number = 0;
  if (bytes[0] == 0x80)
    {
      for (i = 1; i < len; i++)
        {
          if (*number >> 55 != 0)
            return FALSE;
          *number = *number << 8 | bytes[i];
        }
      return TRUE;
    }
  while (i < len && bytes[i] == ' ')
    i++;
  for (; i < len && bytes[i] >= '0' && bytes[i] <= '7'; i++)
    *number = *number << 3 | (guint64) (bytes[i] - '0');
  return i == len || bytes[i] == '\0' || bytes[i] == ' ';
}

/* The sum is over the header with its own field as spaces. */
static gboolean
has_sum (const guint8 *block)
{
  guint64 sum = 0, told;

  for (guint i = 0; i < TT_TAR_BLOCK; i++)
    sum += i >= AT_SUM && i < AT_SUM + SUM_BYTES ? ' ' : block[i];
  return read_number (block + AT_SUM, SUM_BYTES, &told) && told == sum;
}

gboolean
tt_tar_is_head (const guint8 *head, gsize len)
{
  return len >= TT_TAR_BLOCK && memcmp (head + AT_MAGIC, "ustar", 5) == 0 && has_sum (head);
}

static char *
own_name (const guint8 *block)
{
  g_autofree char *name = g_strndup ((const char *) block, NAME_BYTES);
  g_autofree char *prefix = g_strndup ((const char *) block + AT_PREFIX, PREFIX_BYTES);

  /* GNU's own form, "ustar  ", has other things in the place of the prefix. */
  if (*prefix == '\0' || block[AT_MAGIC + 5] != '\0')
    return g_steal_pointer (&name);
  return g_strconcat (prefix, "/", name, NULL);
}

/* -- contents ------------------------------------------------------------------------------------------------------- */

/* FALSE: an error, or the archive is cut. */
static gboolean
read_block (Tar *self, guint8 *block, GError **error)
{
  gssize n = tt_input_read (self->input, block, TT_TAR_BLOCK, error);

  if (n < 0)
    return FALSE;
  return n == (gssize) TT_TAR_BLOCK || fail (self, error, "the archive is cut short");
}

/* The contents of the member at hand, to @fd; -1: nowhere; or to @text. */
static gboolean
copy_contents (Tar *self, guint64 size, int fd, GString *text, GError **error)
{
  guint8 block[TT_TAR_BLOCK];

  for (guint64 left = size; left > 0;)
    {
      gsize n = (gsize) MIN (left, TT_TAR_BLOCK), done = 0;

      if (!read_block (self, block, error))
        return FALSE;
      if (text != NULL)
        g_string_append_len (text, (const char *) block, (gssize) n);
      while (fd >= 0 && done < n)
        {
          gssize written = write (fd, block + done, n - done);

          if (written < 0 && errno == EINTR)
            continue;
          if (written <= 0)
            {
              int number = written == 0 ? ENOSPC : errno;
              g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot unpack '%s' below '%s': %s", self->path,
                           self->folder, g_strerror (number));
              return FALSE;
            }
          done += (gsize) written;
        }
      left -= n;
    }
  return TRUE;
}

/* A name or a list of records of pax that stands before a member. */
static char *
read_text (Tar *self, guint64 size, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (size > (guint64) 16 * MAX_NAME)
    {
      fail (self, error, "a name of more than 64 KiB");
      return NULL;
    }
  return copy_contents (self, size, -1, text, error) ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* "27 path=...\n": its length, a space, key and value. */
static gboolean
take_records (Tar *self, const char *text, gsize len, GError **error)
{
  const char *at = text, *end = text + len;

  while (at < end && *at != '\0')
    {
      char *key;
      guint64 n = g_ascii_isdigit (*at) ? g_ascii_strtoull (at, &key, 10) : 0;

      if (n < 4 || n > (guint64) (end - at) || *key != ' ' || at[n - 1] != '\n' || key + 1 >= at + n - 1)
        return fail (self, error, "a damaged record of pax");
      key++;
      g_autofree char *record = g_strndup (key, (gsize) (at + n - 1 - key));
      if (g_str_has_prefix (record, "path="))
        {
          g_free (self->name);
          self->name = g_strdup (record + strlen ("path="));
        }
      else if (g_str_has_prefix (record, "GNU.sparse."))
        return fail (self, error, "a file with holes, in GNU's form, is not read");
      else if (g_str_has_prefix (record, "size="))
        {
          self->has_size = g_ascii_string_to_unsigned (record + strlen ("size="), 10, 0, G_MAXINT64, &self->size, NULL);
          if (!self->has_size)
            return fail (self, error, "a damaged size");
        }
      at += n;
    }
  return TRUE;
}

/* -- files ---------------------------------------------------------------------------------------------------------- */

/* Below the folder; free it. NULL: the name leads out of it. *is_folder: it is the folder itself. */
static char *
inside (const Tar *self, const char *name, gboolean *is_folder, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);
  g_autoptr (GString) path = g_string_new (self->folder);
  guint depth = 0;

  if (*name == '/' || *name == '\0' || strlen (name) > MAX_NAME)
    {
      fail (self, error, *name == '/' ? "an absolute name" : "no name, or one of more than 4,096 bytes");
      return NULL;
    }
  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (strcmp (parts[i], "..") == 0 || depth > MAX_DEPTH)
        {
          fail (self, error,
                depth > MAX_DEPTH ? "folders are nested too deep" : "a name that leads out of the archive");
          return NULL;
        }
      if (*parts[i] == '\0' || strcmp (parts[i], ".") == 0)
        continue;
      g_string_append_printf (path, "/%s", parts[i]);
      depth++;
    }
  *is_folder = depth == 0;
  return g_string_free (g_steal_pointer (&path), FALSE);
}

static gboolean
fail_file (const Tar *self, const char *file, GError **error)
{
  int number = errno;

  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot unpack '%s' to '%s': %s", self->path, file,
               g_strerror (number));
  return FALSE;
}

static gboolean
count_file (Tar *self, GError **error)
{
  return self->n_files++ < MAX_FILES || fail (self, error, "more than 1,048,576 files and folders");
}

/* With those above it that are not there, each of which counts: a name may ask for many. */
static gboolean
make_folder (Tar *self, const char *path, GError **error)
{
  g_autofree char *folder = g_strdup (path);

  for (char *end = folder + strlen (self->folder); *end != '\0';)
    {
      char *next = strchr (end + 1, '/');

      if (next != NULL)
        *next = '\0';
      if (g_mkdir (folder, 0700) == 0)
        {
          if (!count_file (self, error))
            return FALSE;
        }
      else if (errno != EEXIST || !g_file_test (folder, G_FILE_TEST_IS_DIR))
        return fail_file (self, folder, error);
      if (next == NULL)
        break;
      *next = '/';
      end = next;
    }
  return TRUE;
}

static gboolean
unpack_file (Tar *self, const char *file, guint64 size, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (file);

  if (size > self->left)
    return fail (self, error, "what it unpacks to is more than 64 MiB and 500 times the archive");
  self->left -= size;
  if (!make_folder (self, folder, error))
    return FALSE;
  int fd = open (file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0)
    return fail_file (self, file, error);
  gboolean is_written = copy_contents (self, size, fd, NULL, error);
  return (close (fd) == 0 || !is_written || fail_file (self, file, error)) && is_written;
}

static gboolean
unpack_member (Tar *self, const guint8 *block, char type, guint64 size, GError **error)
{
  g_autofree char *name = self->name != NULL ? g_steal_pointer (&self->name) : own_name (block);
  gboolean is_root, is_file = type == '0' || type == '\0' || type == '7';
  gboolean is_folder = type == '5' || (is_file && g_str_has_suffix (name, "/"));
  g_autofree char *path = inside (self, name, &is_root, error);

  if (path == NULL)
    return FALSE;
  if (is_folder)
    return make_folder (self, path, error) && copy_contents (self, size, -1, NULL, error);
  if (!count_file (self, error))
    return FALSE;
  if (is_file)
    return is_root ? fail (self, error, "a file that is the folder itself") : unpack_file (self, path, size, error);
  if (type == 'S')
    return fail (self, error, "a file with holes, in GNU's form, is not read");
  self->n_left_out++;
  /* Links say a size that they do not have. */
  return (type >= '1' && type <= '6') || copy_contents (self, size, -1, NULL, error);
}

/* With what may stand before it. */
static gboolean
take_header (Tar *self, const guint8 *block, GError **error)
{
  char type = (char) block[AT_TYPE];
  guint64 size;

  if (!has_sum (block) || !read_number (block + AT_SIZE, SIZE_BYTES, &size))
    return fail (self, error, "no header of tar");
  if (type == 'x' || type == 'g' || type == 'L' || type == 'K')
    {
      g_autofree char *text = read_text (self, size, error);

      if (text == NULL)
        return FALSE;
      if (type == 'L')
        {
          g_free (self->name);
          self->name = g_steal_pointer (&text);
        }
      return type != 'x' || take_records (self, text, (gsize) size, error);
    }
  if (self->has_size)
    size = self->size;
  self->has_size = FALSE;
  return unpack_member (self, block, type, size, error);
}

static gboolean
is_zero (const guint8 *block)
{
  for (guint i = 0; i < TT_TAR_BLOCK; i++)
    if (block[i] != 0)
      return FALSE;
  return TRUE;
}

gboolean
tt_tar_unpack (const char *path, const char *folder, guint *n_left_out, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);
  Tar self = { .input = input, .path = path, .folder = folder };
  guint8 block[TT_TAR_BLOCK];
  gboolean is_good = input != NULL;

  if (is_good)
    self.left = MAX_MORE + MAX_RATIO * tt_input_disk_bytes (input);
  while (is_good)
    {
      self.at = tt_input_offset (input);
      is_good = read_block (&self, block, error);
      if (!is_good || is_zero (block))
        break;
      is_good = take_header (&self, block, error);
    }
  g_free (self.name);
  *n_left_out = self.n_left_out;
  return is_good;
}
