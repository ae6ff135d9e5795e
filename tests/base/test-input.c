/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/input.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "src/base/error.h"

#include "tests/require.h"

/* Enough for a thread that unpacks ahead. */
#define CONTENT_BYTES 3000003

typedef struct
{
  char *folder, *path;
  guint8 *content;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("test-input-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "file", NULL);
  fixture->content = g_malloc (CONTENT_BYTES);
  for (guint i = 0; i < CONTENT_BYTES; i++)
    fixture->content[i] = (guint8) g_test_rand_int_range ('a', 'z');
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_unlink (fixture->path);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->path);
  g_free (fixture->folder);
  g_free (fixture->content);
}

static void
write_file (const char *path, const void *bytes, gsize len)
{
  g_assert_true (g_file_set_contents (path, bytes, (gssize) len, NULL));
}

/* All that is left, in pieces of odd sizes. */
static GByteArray *
read_all (TtInput *input, gsize piece, GError **error)
{
  GByteArray *bytes = g_byte_array_new ();
  g_autofree guint8 *buffer = g_malloc (piece);
  gssize n;

  while ((n = tt_input_read (input, buffer, piece, error)) > 0)
    {
      g_byte_array_append (bytes, buffer, (guint) n);
      g_assert_cmpuint (tt_input_offset (input), ==, bytes->len);
    }
  return bytes;
}

/* @path gives @expected in pieces of any size, with the right facts. */
static void
check_contents (const char *path, const guint8 *expected, gsize len, gboolean is_compressed)
{
  static const gsize pieces[] = { 1 << 20, 65536, 24, 999983 };
  g_autofree char *disk = NULL;
  gsize disk_len = 0;

  g_assert_true (g_file_get_contents (path, &disk, &disk_len, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TtInput) input = tt_input_open (path, &error);

      require_no_error (error);
      if (input == NULL)
        return;
      g_autoptr (GByteArray) bytes = read_all (input, pieces[i], &error);
      require_no_error (error);
      g_assert_cmpmem (bytes->data, bytes->len, expected, len);
      g_assert_cmpint (tt_input_is_compressed (input), ==, is_compressed);
      g_assert_cmpuint (tt_input_disk_bytes (input), ==, disk_len);
      g_assert_cmpuint (tt_input_progress (input), ==, disk_len);
      g_assert_cmpuint (tt_input_progress (input), ==, 0);
      g_assert_cmpstr (tt_input_path (input), ==, path);
    }
}

static void
write_gz (const char *path, const char *mode, const guint8 *bytes, gsize len)
{
  gzFile file = gzopen (path, mode);

  g_assert_nonnull (file);
  if (len > 0)
    g_assert_cmpint (gzwrite (file, bytes, (unsigned) len), ==, (int) len);
  g_assert_cmpint (gzclose (file), ==, Z_OK);
}

/* Bytes in memory are read like the file of the same bytes. */
static void
test_memory (Fixture *fixture, gconstpointer data)
{
  static const gsize sizes[] = { 0, 1, 4, 262145 };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (sizes); i++)
    {
      gsize len = sizes[i / 2];
      gboolean is_compressed = i % 2 != 0;
      g_autofree char *disk = NULL;
      gsize disk_len = 0;
      g_autoptr (GError) error = NULL;

      if (is_compressed)
        write_gz (fixture->path, "wb", fixture->content, len);
      else
        write_file (fixture->path, fixture->content, len);
      g_assert_true (g_file_get_contents (fixture->path, &disk, &disk_len, NULL));
      g_autoptr (GBytes) contents = g_bytes_new (disk, disk_len);
      g_autoptr (TtInput) input = tt_input_open_bytes ("a/name", contents, &error);
      require_no_error (error);
      g_autoptr (GByteArray) bytes = read_all (input, 65536, &error);
      require_no_error (error);
      g_assert_cmpmem (bytes->data, bytes->len, fixture->content, len);
      g_assert_cmpint (tt_input_is_compressed (input), ==, is_compressed);
      g_assert_cmpuint (tt_input_disk_bytes (input), ==, disk_len);
      g_assert_cmpstr (tt_input_path (input), ==, "a/name");

      g_autoptr (TtInput) file = tt_input_open (fixture->path, &error);
      g_autofree char *hash = tt_input_hash (input, &error), *wanted = tt_input_hash (file, &error);
      require_no_error (error);
      g_assert_cmpstr (hash, ==, wanted);
    }
}

static void
check_error (const char *path, const char *phrase)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtInput) input = tt_input_open (path, &error);

  if (input != NULL)
    g_byte_array_unref (read_all (input, 65536, &error));
  require_error (error, TT_ERROR, TT_ERROR_INPUT);
  if (error == NULL)
    return;
  if (strstr (error->message, phrase) == NULL || strstr (error->message, path) == NULL)
    g_test_fail_printf ("'%s' is not in: %s", phrase, error->message);
}

static void
test_plain (Fixture *fixture, gconstpointer data)
{
  static const gsize sizes[] = { 0, 1, 3, 4, 5, 262144, 262145, CONTENT_BYTES };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      write_file (fixture->path, fixture->content, sizes[i]);
      check_contents (fixture->path, fixture->content, sizes[i], FALSE);
    }
}

static void
test_gzip (Fixture *fixture, gconstpointer data)
{
  write_gz (fixture->path, "wb", fixture->content, CONTENT_BYTES);
  check_contents (fixture->path, fixture->content, CONTENT_BYTES, TRUE);
  write_gz (fixture->path, "wb", NULL, 0);
  check_contents (fixture->path, fixture->content, 0, TRUE);
}

static void
test_gzip_members (Fixture *fixture, gconstpointer data)
{
  static const char zeros[1000];
  gsize third = CONTENT_BYTES / 3;

  write_gz (fixture->path, "wb", fixture->content, third);
  write_gz (fixture->path, "ab", fixture->content + third, 5);
  write_gz (fixture->path, "ab", NULL, 0);
  write_gz (fixture->path, "ab", fixture->content + third + 5, CONTENT_BYTES - third - 5);
  check_contents (fixture->path, fixture->content, CONTENT_BYTES, TRUE);

  FILE *file = g_fopen (fixture->path, "ab");
  fwrite (zeros, 1, sizeof zeros, file);
  fclose (file);
  check_contents (fixture->path, fixture->content, CONTENT_BYTES, TRUE);

  file = g_fopen (fixture->path, "ab");
  fwrite ("junk", 1, 4, file);
  fclose (file);
  check_error (fixture->path, "other bytes follow");
}

static void
test_gzip_damage (Fixture *fixture, gconstpointer data)
{
  static const gsize cuts[] = { 3, 9, 10, 500, 300000 };
  g_autofree char *bytes = NULL;
  gsize len = 0;

  write_gz (fixture->path, "wb", fixture->content, CONTENT_BYTES);
  g_assert_true (g_file_get_contents (fixture->path, &bytes, &len, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cuts); i++)
    {
      g_autofree char *phrase =
          g_strdup_printf ("at byte %" G_GSIZE_FORMAT ": the compressed data is cut short", cuts[i]);

      write_file (fixture->path, bytes, cuts[i]);
      check_error (fixture->path, phrase);
    }
  write_file (fixture->path, bytes, len - 1);
  check_error (fixture->path, "cut short");

  bytes[len - 6] ^= 1;
  write_file (fixture->path, bytes, len);
  check_error (fixture->path, "at byte");
}

#ifdef HAVE_ZSTD
static gsize
zstd_append (guint8 *to, gsize room, const guint8 *bytes, gsize len)
{
  gsize n = ZSTD_compress (to, room, bytes, len, 1);

  g_assert_false (ZSTD_isError (n));
  return n;
}
#endif

static void
test_zstd (Fixture *fixture, gconstpointer data)
{
#ifdef HAVE_ZSTD
  gsize room = ZSTD_compressBound (CONTENT_BYTES) * 2, third = CONTENT_BYTES / 3, len;
  g_autofree guint8 *packed = g_malloc (room);

  len = zstd_append (packed, room, fixture->content, CONTENT_BYTES);
  write_file (fixture->path, packed, len);
  check_contents (fixture->path, fixture->content, CONTENT_BYTES, TRUE);
  for (gsize cut = 4; cut < len; cut += len / 7)
    {
      write_file (fixture->path, packed, cut);
      check_error (fixture->path, "cut short");
    }
  write_file (fixture->path, packed, len - 1);
  check_error (fixture->path, "cut short");

  len = zstd_append (packed, room, fixture->content, third);
  len += zstd_append (packed + len, room - len, fixture->content + third, CONTENT_BYTES - third);
  write_file (fixture->path, packed, len);
  check_contents (fixture->path, fixture->content, CONTENT_BYTES, TRUE);

  memcpy (packed + len, "junk", 4);
  write_file (fixture->path, packed, len + 4);
  check_error (fixture->path, "at byte");

  len = zstd_append (packed, room, NULL, 0);
  write_file (fixture->path, packed, len);
  check_contents (fixture->path, fixture->content, 0, TRUE);
#else
  write_file (fixture->path, "\x28\xb5\x2f\xfd....", 8);
  check_error (fixture->path, "no zstd");
#endif
}

static void
test_refusals (Fixture *fixture, gconstpointer data)
{
  g_autofree char *use = g_strdup_printf ("'%s' is a FIFO: use \"tracetool ... - < %s\"", fixture->path, fixture->path);
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int descriptor;

  check_error (fixture->path, "No such file");
  check_error (fixture->folder, "is a directory");
  check_error ("/dev/null", "is a device");

  g_assert_cmpint (mkfifo (fixture->path, 0600), ==, 0);
  check_error (fixture->path, use);
  g_unlink (fixture->path);

  descriptor = socket (AF_UNIX, SOCK_STREAM, 0);
  g_strlcpy (address.sun_path, fixture->path, sizeof address.sun_path);
  if (descriptor >= 0 && bind (descriptor, (struct sockaddr *) (void *) &address, sizeof address) == 0)
    check_error (fixture->path, "is a socket");
  if (descriptor >= 0)
    close (descriptor);
}

static void
test_changing_file (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  write_file (fixture->path, fixture->content, 500000);
  g_autoptr (TtInput) growing = tt_input_open (fixture->path, &error);
  require_no_error (error);
  FILE *file = g_fopen (fixture->path, "ab");
  fwrite (fixture->content, 1, 1000, file);
  fclose (file);
  g_autoptr (GByteArray) bytes = read_all (growing, 4096, &error);
  require_no_error (error);
  g_assert_cmpmem (bytes->data, bytes->len, fixture->content, 500000);

  g_autoptr (TtInput) shrinking = tt_input_open (fixture->path, &error);
  require_no_error (error);
  g_assert_cmpint (truncate (fixture->path, 100), ==, 0);
  g_byte_array_unref (read_all (shrinking, 4096, &error));
  require_error (error, TT_ERROR, TT_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, "at byte 100: the file has become shorter"));
}

static void
test_hash (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *whole = NULL;

  write_file (fixture->path, "", 0);
  g_autoptr (TtInput) empty = tt_input_open (fixture->path, &error);
  g_autofree char *of_empty = tt_input_hash (empty, &error);
  g_assert_cmpstr (of_empty, ==, "99aa06d3014798d86001c324468d497f");

  write_gz (fixture->path, "wb", fixture->content, CONTENT_BYTES);
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (TtInput) input = tt_input_open (fixture->path, &error);
      guint8 buffer[1000];

      for (guint j = 0; j < i * 100; j++)
        tt_input_read (input, buffer, sizeof buffer, &error);
      g_autofree char *hash = tt_input_hash (input, &error);
      require_no_error (error);
      g_assert_cmpuint (strlen (hash), ==, 32);
      if (whole == NULL)
        whole = g_strdup (hash);
      g_assert_cmpstr (hash, ==, whole);
    }
  g_assert_cmpstr (whole, !=, of_empty);

  g_autoptr (TtInput) input = tt_input_open (fixture->path, &error);
  tt_input_forgo_hash (input);
  g_autofree char *forgone = tt_input_hash (input, &error);
  require_no_error (error);
  g_assert_cmpstr (forgone, ==, "");
}

static void
test_peek (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  guint8 head[64];
  guint64 size = 0;

  write_file (fixture->path, fixture->content, 1000);
  g_assert_cmpint (tt_input_peek (fixture->path, head, sizeof head, &size, &error), ==, sizeof head);
  g_assert_cmpmem (head, sizeof head, fixture->content, sizeof head);
  g_assert_cmpuint (size, ==, 1000);
  write_file (fixture->path, fixture->content, 10);
  g_assert_cmpint (tt_input_peek (fixture->path, head, sizeof head, &size, &error), ==, 10);
  write_gz (fixture->path, "wb", fixture->content, 1000);
  g_assert_cmpint (tt_input_peek (fixture->path, head, sizeof head, &size, &error), ==, sizeof head);
  g_assert_cmpmem (head, sizeof head, fixture->content, sizeof head);
  g_assert_cmpuint (size, ==, 0);
  g_assert_cmpint (tt_input_peek ("/nonexistent", head, sizeof head, &size, &error), ==, -1);
  g_assert_error (error, TT_ERROR, TT_ERROR_INPUT);
}

typedef struct
{
  int descriptor;
  const guint8 *bytes;
  gsize len;
} Feed;

static gpointer
feed_pipe (gpointer data)
{
  Feed *feed = data;

  for (gsize done = 0; done < feed->len;)
    {
      gssize n = write (feed->descriptor, feed->bytes + done, MIN (feed->len - done, 5000));
      if (n <= 0)
        break;
      done += (gsize) n;
    }
  close (feed->descriptor);
  return NULL;
}

static void
check_stdin (const guint8 *disk, gsize disk_len, const guint8 *expected, gsize len)
{
  g_autoptr (GError) error = NULL;
  int ends[2], kept = dup (STDIN_FILENO);
  guint8 head[100];
  guint64 size = 7;

  g_assert_cmpint (pipe (ends), ==, 0);
  dup2 (ends[0], STDIN_FILENO);
  close (ends[0]);
  Feed feed = { ends[1], disk, disk_len };
  GThread *thread = g_thread_new ("feed", feed_pipe, &feed);

  for (int i = 0; i < 2; i++)
    {
      g_assert_cmpint (tt_input_peek ("-", head, sizeof head, &size, &error), ==, (gssize) MIN (sizeof head, len));
      g_assert_cmpmem (head, MIN (sizeof head, len), expected, MIN (sizeof head, len));
      g_assert_cmpuint (size, ==, 0);
    }
  g_autoptr (TtInput) input = tt_input_open ("-", &error);
  require_no_error (error);
  g_autoptr (GByteArray) bytes = read_all (input, 4096, &error);
  require_no_error (error);
  g_assert_cmpmem (bytes->data, bytes->len, expected, len);
  g_assert_cmpuint (tt_input_disk_bytes (input), ==, disk_len);
  g_assert_cmpuint (tt_input_progress (input), ==, disk_len);

  g_thread_join (thread);
  dup2 (kept, STDIN_FILENO);
  close (kept);
}

static void
test_stdin (Fixture *fixture, gconstpointer data)
{
  g_autofree char *packed = NULL;
  gsize len = 0;

  check_stdin (fixture->content, CONTENT_BYTES, fixture->content, CONTENT_BYTES);
  check_stdin (fixture->content, 50, fixture->content, 50);
  check_stdin (fixture->content, 0, fixture->content, 0);
  write_gz (fixture->path, "wb", fixture->content, CONTENT_BYTES);
  g_assert_true (g_file_get_contents (fixture->path, &packed, &len, NULL));
  check_stdin ((const guint8 *) packed, len, fixture->content, CONTENT_BYTES);
}

/* A reader that has enough goes, or asks for the hash, wherever the thread is. */
static void
test_ahead (Fixture *fixture, gconstpointer data)
{
  static const gsize wanted[] = { 0, 1, 1 << 20, (1 << 20) + 1, 1300000, 1572864, 2500000, CONTENT_BYTES };
  g_autofree guint8 *buffer = g_malloc (CONTENT_BYTES);
  g_autoptr (GError) error = NULL;

  write_gz (fixture->path, "wb1", fixture->content, CONTENT_BYTES);
  g_autoptr (TtInput) whole = tt_input_open (fixture->path, &error);
  g_autofree char *hash = tt_input_hash (whole, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    for (guint asks = 0; asks < 2; asks++)
      {
        g_autoptr (TtInput) input = tt_input_open (fixture->path, &error);
        gsize done = 0;

        for (gsize n; done < wanted[i]; done += n)
          {
            n = MIN (wanted[i] - done, 100000);
            g_assert_cmpint (tt_input_read (input, buffer + done, n, &error), ==, (gssize) n);
          }
        g_assert_cmpmem (buffer, done, fixture->content, done);
        if (asks == 0)
          continue;
        g_autofree char *same = tt_input_hash (input, &error);
        g_assert_no_error (error);
        g_assert_cmpstr (same, ==, hash);
      }
}

/* What was unpacked before the damage is read first, and the error says where it is. */
static void
test_ahead_damage (Fixture *fixture, gconstpointer data)
{
  g_autofree char *disk = NULL;
  gsize len = 0, from = 0;

  write_gz (fixture->path, "wb1", fixture->content, CONTENT_BYTES);
  g_assert_true (g_file_get_contents (fixture->path, &disk, &len, NULL));
  memset (disk + len * 4 / 5, 0xff, 64);
  write_file (fixture->path, disk, len);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TtInput) input = tt_input_open (fixture->path, &error);
      g_autoptr (GByteArray) bytes = read_all (input, 4096, &error);

      g_assert_error (error, TT_ERROR, TT_ERROR_INPUT);
      g_assert_nonnull (strstr (error->message, "at byte "));
      g_assert_cmpuint (bytes->len, >, CONTENT_BYTES / 2);
      g_assert_true (i == 0 || bytes->len == from);
      from = bytes->len;
      g_assert_cmpmem (bytes->data, CONTENT_BYTES / 2, fixture->content, CONTENT_BYTES / 2);
    }
}

/* Compressed files that end early, taken as they are. */
static void
test_ahead_cut (Fixture *fixture, gconstpointer data)
{
  g_autofree char *disk = NULL;
  g_autoptr (GError) error = NULL;
  gsize len = 0;

  write_gz (fixture->path, "wb1", fixture->content, CONTENT_BYTES);
  g_assert_true (g_file_get_contents (fixture->path, &disk, &len, NULL));
  write_file (fixture->path, disk, len * 9 / 10);
  g_autoptr (TtInput) input = tt_input_open (fixture->path, &error);
  tt_input_take_cut (input);
  g_autoptr (GByteArray) bytes = read_all (input, 65536, &error);
  g_assert_no_error (error);
  g_assert_true (tt_input_is_cut (input));
  g_assert_cmpuint (bytes->len, >, CONTENT_BYTES * 8 / 10);
  g_assert_cmpmem (bytes->data, bytes->len, fixture->content, bytes->len);
  g_assert_cmpuint (tt_input_progress (input), ==, len * 9 / 10);
}

/* -- frames, by several threads ----------------------------------------------------------------------------- */

/* As bgzip writes them, of at most 65,280 bytes; @lie is added to the size that it tells. */
static void
append_member (GByteArray *file, const guint8 *bytes, gsize len, int lie)
{
  z_stream stream = { 0 };
  guint8 packed[70000], head[] = { 0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 6, 0, 'B', 'C', 2, 0, 0, 0 };
  guint32 tail[] = { GUINT32_TO_LE ((guint32) crc32 (0, bytes, (uInt) len)), GUINT32_TO_LE ((guint32) len) };

  g_assert_cmpint (deflateInit2 (&stream, 1, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), ==, Z_OK);
  stream.next_in = (Bytef *) bytes;
  stream.avail_in = (uInt) len;
  stream.next_out = packed;
  stream.avail_out = sizeof packed;
  g_assert_cmpint (deflate (&stream, Z_FINISH), ==, Z_STREAM_END);
  deflateEnd (&stream);

  guint told = (guint) ((int) (sizeof head + stream.total_out + sizeof tail) - 1 + lie);
  head[16] = (guint8) told;
  head[17] = (guint8) (told >> 8);
  g_byte_array_append (file, head, sizeof head);
  g_byte_array_append (file, packed, (guint) stream.total_out);
  g_byte_array_append (file, (const guint8 *) tail, sizeof tail);
}

/* The @nth is different, unless it is G_MAXUINT: a zstd frame that must not be, a gzip member that tells a wrong size. */
static GByteArray *
make_frames (const Fixture *fixture, gboolean is_gzip, guint nth)
{
  GByteArray *file = g_byte_array_new ();
  gsize done = 0;

  for (guint i = 0; done < CONTENT_BYTES; i++)
    {
      gsize most = is_gzip ? 65280 : g_test_rand_int_range (0, 4) == 0 ? 700000 : 100000;
      gsize wanted = g_test_rand_int_range (0, 8) == 0 ? 0 : (gsize) g_test_rand_int_range (1, (gint32) most + 1);
      gsize n = MIN (CONTENT_BYTES - done, wanted);

      if (is_gzip)
        append_member (file, fixture->content + done, n, i == nth ? 7 : 0);
#ifdef HAVE_ZSTD
      else
        {
          gsize room = ZSTD_compressBound (n);
          guint at = file->len;

          if (i % 5 == 2)
            g_byte_array_append (file, (const guint8 *) "\x50\x2a\x4d\x18\3\0\0\0abc", 11);
          at = file->len;
          g_byte_array_set_size (file, at + (guint) room);
          g_byte_array_set_size (file, at + (guint) zstd_append (file->data + at, room, fixture->content + done, n));
          if (i == nth)
            file->data[at + 4] |= 8;
        }
#endif
      done += n;
    }
  return file;
}

/* What @path holds, read by so many threads, and *message: its error. Free both. */
static GByteArray *
read_by (const char *path, const char *n_threads, gboolean takes_cut, char **message)
{
  g_autoptr (GError) error = NULL;

  g_setenv ("TRACETOOL_READERS", n_threads, TRUE);
  g_autoptr (TtInput) input = tt_input_open (path, &error);
  if (takes_cut)
    tt_input_take_cut (input);
  GByteArray *bytes = read_all (input, 65536, &error);
  g_autofree char *hash = error == NULL ? tt_input_hash (input, &error) : NULL;
  *message = error == NULL ? g_strdup_printf ("%s %d", hash, tt_input_is_cut (input)) : g_strdup (error->message);
  g_unsetenv ("TRACETOOL_READERS");
  return bytes;
}

static void
check_as_by_one (const Fixture *fixture, const GByteArray *file, gboolean takes_cut)
{
  static const char *const numbers[] = { "2", "4" };
  g_autofree char *wanted = NULL;

  write_file (fixture->path, file->data, file->len);
  g_autoptr (GByteArray) one = read_by (fixture->path, "0", takes_cut, &wanted);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autofree char *message = NULL;
      g_autoptr (GByteArray) several = read_by (fixture->path, numbers[i], takes_cut, &message);

      g_assert_cmpstr (message, ==, wanted);
      g_assert_cmpuint (several->len, >=, one->len);
      g_assert_cmpmem (several->data, one->len, one->data, one->len);
      g_assert_cmpmem (several->data, several->len, fixture->content, several->len);
    }
}

/* Several threads give what one gives: of whole files, cut ones, those with other bytes or zeros after them, and where a
 * frame is not what it says. */
static void
test_frames (Fixture *fixture, gconstpointer data)
{
  const gboolean is_gzip = GPOINTER_TO_INT (data);

  for (guint i = 0; i < 4; i++)
    {
      static const guint different[] = { G_MAXUINT, 3, 30, 33 };
      g_autoptr (GByteArray) file = make_frames (fixture, is_gzip, different[i]);
      guint len = file->len;

      check_as_by_one (fixture, file, FALSE);
      if (i == 0)
        {
          check_contents (fixture->path, fixture->content, CONTENT_BYTES, TRUE);
          g_byte_array_append (file, (const guint8 *) "\0\0\0\0\0", 5);
          check_as_by_one (fixture, file, FALSE);
          g_byte_array_append (file, (const guint8 *) "junk", 4);
          check_as_by_one (fixture, file, FALSE);
        }
      g_byte_array_set_size (file, len * 9 / 10);
      check_as_by_one (fixture, file, i % 2 == 0);
    }
}

/* A reader that has enough goes, or asks for the hash, wherever the threads are. */
static void
test_frames_early (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GByteArray) file = make_frames (fixture, TRUE, G_MAXUINT);
  g_autofree guint8 *buffer = g_malloc (CONTENT_BYTES);
  g_autofree char *hash = NULL;

  write_file (fixture->path, file->data, file->len);
  g_byte_array_unref (read_by (fixture->path, "0", FALSE, &hash));
  g_setenv ("TRACETOOL_READERS", "3", TRUE);
  for (gsize wanted = 1 << 20; wanted < CONTENT_BYTES; wanted += 300000)
    for (guint asks = 0; asks < 2; asks++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (TtInput) input = tt_input_open (fixture->path, &error);

        g_assert_cmpint (tt_input_read (input, buffer, 1 << 20, &error), ==, 1 << 20);
        g_assert_cmpint (tt_input_read (input, buffer, wanted - (1 << 20), &error), ==, (gssize) wanted - (1 << 20));
        g_assert_cmpmem (buffer, wanted - (1 << 20), fixture->content + (1 << 20), wanted - (1 << 20));
        if (asks == 0)
          continue;
        g_autofree char *same = tt_input_hash (input, &error);
        g_assert_no_error (error);
        g_assert_true (g_str_has_prefix (hash, same));
        g_assert_cmpint (tt_input_read (input, buffer, 1, &error), ==, 0);
      }
  g_unsetenv ("TRACETOOL_READERS");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add ("/input/plain-files", Fixture, NULL, set_up, test_plain, tear_down);
  g_test_add ("/input/memory", Fixture, NULL, set_up, test_memory, tear_down);
  g_test_add ("/input/gzip", Fixture, NULL, set_up, test_gzip, tear_down);
  g_test_add ("/input/gzip-of-several-members", Fixture, NULL, set_up, test_gzip_members, tear_down);
  g_test_add ("/input/damaged-gzip-is-an-error-with-position", Fixture, NULL, set_up, test_gzip_damage, tear_down);
  g_test_add ("/input/unpacked-ahead", Fixture, NULL, set_up, test_ahead, tear_down);
  g_test_add ("/input/unpacked-ahead-up-to-damage", Fixture, NULL, set_up, test_ahead_damage, tear_down);
  g_test_add ("/input/unpacked-ahead-up-to-a-cut", Fixture, NULL, set_up, test_ahead_cut, tear_down);
  g_test_add ("/input/gzip-members-by-several-threads", Fixture, GINT_TO_POINTER (TRUE), set_up, test_frames,
              tear_down);
#ifdef HAVE_ZSTD
  g_test_add ("/input/zstd-frames-by-several-threads", Fixture, GINT_TO_POINTER (FALSE), set_up, test_frames,
              tear_down);
#endif
  g_test_add ("/input/frames-of-which-some-are-read", Fixture, NULL, set_up, test_frames_early, tear_down);
  g_test_add ("/input/zstd", Fixture, NULL, set_up, test_zstd, tear_down);
  g_test_add ("/input/refuses-what-is-no-file", Fixture, NULL, set_up, test_refusals, tear_down);
  g_test_add ("/input/reads-to-the-size-at-opening", Fixture, NULL, set_up, test_changing_file, tear_down);
  g_test_add ("/input/hash-is-of-the-bytes-on-disk", Fixture, NULL, set_up, test_hash, tear_down);
  g_test_add ("/input/peek", Fixture, NULL, set_up, test_peek, tear_down);
  g_test_add ("/input/standard-input-after-a-peek", Fixture, NULL, set_up, test_stdin, tear_down);
  return g_test_run ();
}
