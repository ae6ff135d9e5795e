/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench-json: what the bare JSON scanner costs, beside the least that reading the same bytes can cost. A line a pass:
 * what it does, MB/s and seconds of CPU time, what it found.
 */
#include "config.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "formats/json/scanner.h"

#define BLOCK (1 << 18)
#define MEGABYTE 1e6

typedef enum
{
  PASS_READ,
  PASS_SKIP,
  PASS_RECORDS,
  PASS_MEMBERS,
  PASS_WALK,
} Pass;

typedef struct
{
  guint64 bytes, n_records, n_members, sum;
} Found;

static const char *const pass_names[] = { "read", "skip", "records", "members", "walk" };

static gboolean
read_bytes (const char *path, Found *found)
{
  static guint64 block[BLOCK / sizeof (guint64)];
  int fd = open (path, O_RDONLY);
  gssize n;

  if (fd < 0)
    return FALSE;
  while ((n = read (fd, block, sizeof block)) > 0)
    {
      for (gsize i = 0; i < (gsize) n / sizeof (guint64); i++)
        found->sum += block[i];
      found->bytes += (guint64) n;
    }
  close (fd);
  return n == 0;
}

static gboolean
use_records (TtJson *json, Pass pass, Found *found, GError **error)
{
  TtJsonValue record, key, value;
  g_autoptr (GError) fault = NULL;

  while (tt_json_next_record (json, &record, &fault))
    {
      const char *cursor = NULL;

      found->n_records++;
      if (pass == PASS_MEMBERS)
        while (tt_json_next_member (json, &key, &value))
          {
            found->n_members++;
            found->sum += value.raw.len;
          }
      else if (pass == PASS_WALK)
        while (tt_json_member (record.raw, &cursor, &key, &value))
          {
            found->n_members++;
            found->sum += value.raw.len;
          }
    }
  if (fault != NULL)
    g_propagate_error (error, g_steal_pointer (&fault));
  return *error == NULL;
}

/* The file is an array of records, or an object with them in its traceEvents. */
static gboolean
scan (const char *path, Pass pass, Found *found, GError **error)
{
  TtRepairs repairs = { 0 };
  g_autoptr (TtInput) input = tt_input_open (path, error);
  g_autoptr (TtJson) json = input == NULL ? NULL : tt_json_new (input, &repairs);
  TtJsonValue key;

  if (json == NULL)
    return FALSE;
  if (pass == PASS_SKIP)
    {
      if (!tt_json_skip (json, error))
        return FALSE;
    }
  else if (tt_json_peek (json, error) == TT_JSON_ARRAY)
    {
      if (!tt_json_begin_array (json, error) || !use_records (json, pass, found, error))
        return FALSE;
    }
  else
    {
      if (!tt_json_begin_object (json, error))
        return FALSE;
      while (tt_json_next_key (json, &key, error))
        if (TT_SLICE_IS (key.raw, "traceEvents") &&
            (!tt_json_begin_array (json, error) || !use_records (json, pass, found, error)))
          return FALSE;
    }
  found->bytes = tt_json_offset (json);
  return *error == NULL;
}

int
main (int argc, char **argv)
{
  const char *path = argc > 1 ? argv[argc - 1] : NULL;

  if (argc < 2 || argc > 3)
    {
      fprintf (stderr, "usage: bench-json [read|skip|records|members|walk] FILE\n");
      return 2;
    }
  for (guint i = 0; i < G_N_ELEMENTS (pass_names); i++)
    {
      Found found = { 0 };
      g_autoptr (GError) error = NULL;
      clock_t start = clock ();

      if (argc == 3 && !g_str_equal (argv[1], pass_names[i]))
        continue;
      if (i == PASS_READ ? !read_bytes (path, &found) : !scan (path, i, &found, &error))
        {
          fprintf (stderr, "bench-json: %s\n", error != NULL ? error->message : "cannot read the file");
          return 1;
        }
      double seconds = (double) (clock () - start) / CLOCKS_PER_SEC;
      printf ("%s\t%.0f MB/s\t%.3f s\t%" PRIu64 " records\t%" PRIu64 " members\tsum %" PRIx64 "\n", pass_names[i],
              (double) found.bytes / MEGABYTE / seconds, seconds, found.n_records, found.n_members, found.sum);
    }
  return 0;
}
