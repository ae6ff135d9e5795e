/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/kineto/ahead.h"

#include "src/base/input.h"
#include "src/base/look.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define HEAD_BYTES ((gsize) 256 << 10)
#define TAIL_BYTES ((gsize) 1 << 20)

static const char *
skip_blanks (const char *p, const char *end)
{
  while (p < end && g_ascii_isspace (*p))
    p++;
  return p;
}

/* Reads the integer after the colon at @p; a fraction is ignored. */
static gboolean
read_number_after (const char *p, const char *end, gint64 *number)
{
  guint64 value = 0;

  p = skip_blanks (p, end);
  if (p == end || *p != ':')
    return FALSE;
  p = skip_blanks (p + 1, end);
  if (p < end && *p == '"')
    p++;
  const char *first = p;
  for (; p < end && g_ascii_isdigit (*p); p++)
    {
      value = value * 10 + (guint64) (*p - '0');
      if (value > G_MAXINT64)
        return FALSE;
    }
  *number = (gint64) value;
  return p > first && p < end;
}

/* The place after the last @key in the text; NULL: it is not there. */
static const char *
find_after (const char *text, gsize len, const char *key)
{
  const char *found = g_strrstr_len (text, (gssize) len, key);

  return found == NULL ? NULL : found + strlen (key);
}

/* The place after the object that starts at @p or soon after. */
static const char *
find_end_of_object (const char *p, const char *end)
{
  guint depth = 0;

  for (; p < end; p++)
    if (*p == '{')
      depth++;
    else if (*p == '}' && depth > 0 && --depth == 0)
      return p + 1;
    else if (depth == 0 && (*p == ',' || *p == '}'))
      break;
  return p;
}

static void
look_for_rank (const char *text, gsize len, KinetoAhead *ahead)
{
  const char *end, *p = find_after (text, len, "\"distributedInfo\"");
  gint64 rank;

  if (p == NULL)
    return;
  end = find_end_of_object (p, text + len);
  while ((p = g_strstr_len (p, end - p, "\"rank")) != NULL)
    {
      p += strlen ("\"rank");
      if (p < end && *p == '\\')
        p++;
      if (p < end && *p == '"' && read_number_after (p + 1, end, &rank))
        {
          ahead->rank = rank;
          return;
        }
    }
}

static void
look_for_times (const char *text, gsize len, KinetoAhead *ahead)
{
  static const char key[] = "\"ts\"";
  const char *p = text, *end = text + len;
  gint64 us;

  while ((p = g_strstr_len (p, end - p, key)) != NULL)
    {
      p += sizeof key - 1;
      if (!read_number_after (p, end, &us))
        continue;
      ahead->first_us = ahead->has_time ? MIN (ahead->first_us, us) : us;
      ahead->has_time = TRUE;
    }
}

void
tt_kineto_look_at (const char *text, gsize len, gboolean is_end, KinetoAhead *ahead)
{
  const char *p = find_after (text, len, "\"baseTimeNanoseconds\"");
  gint64 base_ns;

  if (p != NULL && read_number_after (p, text + len, &base_ns))
    {
      ahead->has_base = TRUE;
      ahead->base_ns = base_ns;
    }
  look_for_rank (text, len, ahead);
  if (!is_end)
    look_for_times (text, len, ahead);
}

/* The last bytes of a compressed file, all of which has to be read for that. */
static gsize
read_tail_of_contents (TtInput *input, char *tail)
{
  gsize len = 0;
  gssize n;

  while ((n = tt_input_read (input, tail + len, 2 * TAIL_BYTES - len, NULL)) > 0)
    {
      len += (gsize) n;
      if (len == 2 * TAIL_BYTES)
        {
          memmove (tail, tail + TAIL_BYTES, TAIL_BYTES);
          len = TAIL_BYTES;
        }
    }
  return len;
}

static gsize
read_tail_of_file (const char *path, guint64 size, char *tail)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  gsize len = (gsize) MIN (size, 2 * TAIL_BYTES);
  ssize_t n = fd < 0 ? -1 : pread (fd, tail, len, (off_t) (size - len));

  if (n < 0)
    tt_look_failed (path, errno);
  if (fd >= 0)
    close (fd);
  return n < 0 ? 0 : (gsize) n;
}

void
tt_kineto_look_ahead (const char *path, KinetoAhead *ahead)
{
  *ahead = (KinetoAhead){ .rank = -1 };
  if (strcmp (path, "-") == 0)
    return;
  g_autoptr (TtInput) input = tt_input_open (path, NULL);
  if (input == NULL)
    return;
  tt_input_take_cut (input);

  g_autofree char *text = g_malloc (2 * TAIL_BYTES);
  gssize n = tt_input_read (input, text, HEAD_BYTES, NULL);
  if (n <= 0)
    return;
  tt_kineto_look_at (text, (gsize) n, FALSE, ahead);
  gboolean is_absolute = ahead->has_time && ahead->first_us >= G_GINT64_CONSTANT (1000000000000000);
  if (ahead->rank >= 0 && (ahead->has_base || is_absolute))
    return;
  gsize len = tt_input_is_compressed (input) ? read_tail_of_contents (input, text)
                                             : read_tail_of_file (path, tt_input_disk_bytes (input), text);
  tt_kineto_look_at (text, len, TRUE, ahead);
}
