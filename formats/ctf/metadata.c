/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/metadata.h"

#include "src/base/error.h"
#include "src/base/failure.h"
#include "src/base/input.h"
#include "src/base/look.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define METADATA_MAGIC 0x75D11D57u
#define STREAM_MAGIC 0xC1FC1FC1u
#define TEXT_HEAD "/* CTF 1"
/* The metadata of CTF 2 are objects of JSON, each after this byte. */
#define FRAGMENT 0x1e

/* Of a packet of metadata (CTF 1.8.3, 7.1): magic, uuid[16], checksum, content_size, packet_size (bits; u32 each),
 * compression, encryption, checksum scheme, major, minor. */
#define PACKET_HEADER 37u
#define AT_CONTENT_SIZE 24u
#define AT_PACKET_SIZE 28u
#define AT_SCHEMES 32u

/* LTTng's metadata of the largest kernels is about 2 MiB. */
#define MAX_METADATA ((gsize) 256 << 20)

static guint32
read_u32 (const guint8 *bytes, gboolean is_swapped)
{
  guint32 value;

  memcpy (&value, bytes, sizeof value);
  return is_swapped ? GUINT32_SWAP_LE_BE (value) : value;
}

static gboolean
has_magic (const guint8 *bytes, guint32 magic)
{
  return read_u32 (bytes, FALSE) == magic || read_u32 (bytes, TRUE) == magic;
}

static gboolean
is_json_head (const guint8 *head, gsize len)
{
  gsize at = 1;

  if (len < 2 || head[0] != FRAGMENT)
    return FALSE;
  while (at + 1 < len && g_ascii_isspace (head[at]))
    at++;
  return head[at] == '{';
}

TtCtfHead
tt_ctf_head (const guint8 *head, gsize len)
{
  if (len >= 4 && has_magic (head, METADATA_MAGIC))
    return TT_CTF_PACKET_HEAD;
  if (len >= 4 && has_magic (head, STREAM_MAGIC))
    return TT_CTF_STREAM_HEAD;
  return is_json_head (head, len) || (len >= strlen (TEXT_HEAD) && memcmp (head, TEXT_HEAD, strlen (TEXT_HEAD)) == 0)
             ? TT_CTF_TEXT_HEAD
             : TT_CTF_NO_HEAD;
}

/* -- names ------------------------------------------------------------------------------------------------ */

static const char *const wraps[] = { "", ".gz", ".zst" };

/* How long @name is without the suffix of a compressed file. */
static gsize
bare_len (const char *name)
{
  for (guint i = 1; i < G_N_ELEMENTS (wraps); i++)
    if (g_str_has_suffix (name, wraps[i]))
      return strlen (name) - strlen (wraps[i]);
  return strlen (name);
}

gboolean
tt_ctf_is_metadata_name (const char *name)
{
  return bare_len (name) == strlen (TT_CTF_METADATA) && g_str_has_prefix (name, TT_CTF_METADATA);
}

/* Of a file and the same compressed, which gzip -k leaves both, the first counts. */
static gboolean
is_copy (const char *directory, const char *name)
{
  gsize bare = bare_len (name);

  for (guint i = 0; strcmp (name + bare, wraps[i]) != 0; i++)
    {
      g_autofree char *other = g_strdup_printf ("%s" G_DIR_SEPARATOR_S "%.*s%s", directory, (int) bare, name, wraps[i]);

      if (tt_look_test (other, G_FILE_TEST_IS_REGULAR))
        return TRUE;
    }
  return FALSE;
}

static char *
metadata_file (const char *directory)
{
  for (guint i = 0; i < G_N_ELEMENTS (wraps); i++)
    {
      g_autofree char *file = g_strconcat (directory, G_DIR_SEPARATOR_S, TT_CTF_METADATA, wraps[i], NULL);

      if (tt_look_test (file, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&file);
    }
  return g_build_filename (directory, TT_CTF_METADATA, NULL);
}

/* -- packets ---------------------------------------------------------------------------------------------- */

static gboolean
fail_packet (const char *path, gsize at, const char *why, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: packet of metadata at byte %" G_GSIZE_FORMAT ": %s", path, at,
               why);
  return FALSE;
}

/* Metadata in packets, and the text of those that were unpacked. */
typedef struct
{
  const char *path;
  const guint8 *bytes;
  gsize len;
  GString *text;
} Packets;

/* Appends the text of the packet at @at; *size: of the packet. *is_cut: the packet is longer than the file. */
static gboolean
unpack_packet (const Packets *self, gsize at, gsize *size, gboolean *is_cut, GError **error)
{
  const guint8 *packet = self->bytes + at;

  *is_cut = self->len - at < PACKET_HEADER;
  if (*is_cut)
    return TRUE;
  if (!has_magic (packet, METADATA_MAGIC))
    return fail_packet (self->path, at, "no magic number", error);

  gboolean is_swapped = read_u32 (packet, FALSE) != METADATA_MAGIC;
  gsize content = read_u32 (packet + AT_CONTENT_SIZE, is_swapped) / 8;
  *size = read_u32 (packet + AT_PACKET_SIZE, is_swapped) / 8;
  if (packet[AT_SCHEMES] != 0 || packet[AT_SCHEMES + 1] != 0 || packet[AT_SCHEMES + 2] != 0)
    return fail_packet (self->path, at, "compressed, encrypted or with a checksum, which no tracer writes", error);
  if (content < PACKET_HEADER || content > *size)
    return fail_packet (self->path, at, "its contents are longer than the packet, or shorter than its header", error);
  *is_cut = *size > self->len - at;
  if (!*is_cut)
    g_string_append_len (self->text, (const char *) packet + PACKET_HEADER, (gssize) (content - PACKET_HEADER));
  return TRUE;
}

static gboolean
unpack_all (const Packets *self, gboolean *is_cut, GError **error)
{
  gsize size = 0;

  for (gsize at = 0; at < self->len; at += size)
    {
      if (!unpack_packet (self, at, &size, is_cut, error))
        return FALSE;
      if (*is_cut)
        return self->text->len > 0 ? TRUE : fail_packet (self->path, at, "cut by the end of the file", error);
    }
  return TRUE;
}

/* A compressed file may be cut. */
static gboolean
read_whole (const char *path, GByteArray *bytes, gboolean *is_cut, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);
  guint8 block[1 << 14];
  gssize n = 0;

  if (input != NULL)
    tt_input_take_cut (input);
  while (input != NULL && (n = tt_input_read (input, block, sizeof block, error)) > 0)
    {
      g_byte_array_append (bytes, block, (guint) n);
      if (bytes->len > MAX_METADATA)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: more than %d MiB of metadata", path,
                       (int) (MAX_METADATA >> 20));
          return FALSE;
        }
    }
  *is_cut = input != NULL && tt_input_is_cut (input);
  return input != NULL && n == 0;
}

char *
tt_ctf_metadata_text (const char *path, const guint8 *bytes, gsize len, gboolean *is_cut, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const Packets packets = { .path = path, .bytes = bytes, .len = len, .text = text };

  *is_cut = FALSE;
  switch (tt_ctf_head (bytes, len))
    {
    case TT_CTF_TEXT_HEAD:
      g_string_append_len (text, (const char *) bytes, (gssize) len);
      break;
    case TT_CTF_PACKET_HEAD:
      if (!unpack_all (&packets, is_cut, error))
        return NULL;
      /* As the text of a file begins. */
      if (!g_str_has_prefix (text->str, TEXT_HEAD) && *text->str != FRAGMENT)
        g_string_prepend (text, TEXT_HEAD ".8 */");
      break;
    default:
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                   len == 0
                       ? "%s: the metadata is empty"
                       : "%s: not metadata of a CTF trace: it begins neither with '/* CTF 1.8', nor with a fragment of "
                         "CTF 2, nor with the magic number of a packet",
                   path);
      return NULL;
    }
  if (memchr (text->str, '\0', text->len) != NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: byte 0 within the text of the metadata", path);
      return NULL;
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
tt_ctf_metadata_read (const char *path, gboolean *is_cut, GError **error)
{
  g_autofree char *file = metadata_file (path);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  gboolean ends_short;
  char *text = NULL;

  if (read_whole (file, bytes, &ends_short, error))
    text = tt_ctf_metadata_text (file, bytes->data, bytes->len, is_cut, error);
  if (text != NULL)
    *is_cut |= ends_short;
  return text;
}

/* -- files -------------------------------------------------------------------------------------------------- */

typedef struct
{
  TtCtfHead head;
  gboolean has_contents; /* that can be read */
  gboolean is_broken;    /* a compressed file of which nothing can be unpacked */
} Look;

static Look
look_at (const char *path)
{
  guint8 head[16];
  g_autoptr (TtInput) input =
      tt_look_test (path, G_FILE_TEST_IS_REGULAR) ? tt_input_open_head (path, sizeof head, NULL) : NULL;

  if (input == NULL)
    return (Look){ .head = TT_CTF_NO_HEAD };
  tt_input_take_cut (input);
  gsize n_sound;
  gssize n = tt_input_read (input, head, sizeof head, NULL);
  gboolean is_damaged = n < 0 && tt_input_is_damaged (input, &n_sound);
  if (is_damaged)
    n = (gssize) n_sound;
  return (Look){ .head = tt_ctf_head (head, (gsize) MAX (n, 0)),
                 .has_contents = n > 0,
                 .is_broken = n == 0 && (is_damaged || tt_input_is_cut (input)) };
}

gboolean
tt_ctf_is_trace (const char *path)
{
  g_autofree char *file = metadata_file (path);
  TtCtfHead head = look_at (file).head;

  return head == TT_CTF_TEXT_HEAD || head == TT_CTF_PACKET_HEAD;
}

/* A stream that may not be read must not look like one that is not there. */
static gboolean
check_readable (const char *path, GError **error)
{
  int fd = tt_look_test (path, G_FILE_TEST_IS_REGULAR) ? open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -2;

  if (fd == -1)
    {
      int number = errno;

      tt_look_failed (path, number);
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot open '%s': %s", path, g_strerror (number));
    }
  if (fd >= 0)
    close (fd);
  return fd != -1;
}

/* "channel0_3": as tracers name streams. */
static gboolean
has_stream_name (const char *name)
{
  const char *number = g_strrstr_len (name, (gssize) bare_len (name), "_");
  gsize n = number == NULL ? 0 : (gsize) (name + bare_len (name) - number) - 1;

  return n > 0 && strspn (number + 1, "0123456789") == n;
}

static int
by_text (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

GPtrArray *
tt_ctf_trace_files (const char *path, const char *text, GPtrArray *damaged, GError **error)
{
  gboolean needs_magic = text == NULL || strstr (text, "magic") != NULL;
  g_autoptr (GError) local = NULL;
  g_autoptr (GDir) directory = tt_look_folder (path, &local);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  if (directory == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot read the directory '%s': %s", path, local->message);
      return NULL;
    }
  while ((name = tt_look_next (directory, path)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      if (name[0] == '.' || tt_ctf_is_metadata_name (name) || is_copy (path, name))
        continue;
      if (!check_readable (file, error))
        return NULL;
      const Look look = look_at (file);
      if (look.head == TT_CTF_STREAM_HEAD || (!needs_magic && look.has_contents))
        g_ptr_array_add (files, g_steal_pointer (&file));
      else if (damaged != NULL && (look.has_contents || look.is_broken) && has_stream_name (name))
        g_ptr_array_add (damaged, g_steal_pointer (&file));
    }
  g_ptr_array_sort (files, by_text);
  if (damaged != NULL)
    g_ptr_array_sort (damaged, by_text);
  g_ptr_array_insert (files, 0, metadata_file (path));
  return g_steal_pointer (&files);
}
