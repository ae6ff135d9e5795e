/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/formats.h"
#include "tests/fuzz/known-files.h"
#include "tests/fuzz/memory-file.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Any bytes as files of a small job with one or two hosts. The first byte says which file of host0 comes first, and
 * whether there is another host; behind each "\n@@" comes another file, whose first byte says which, and of which host.
 * A host has small files of its own where the input has none: to read those of two takes twice as long.
 *
 * Links: tests/fuzz/json-mutator.c
 * Links: tests/fuzz/known-files.c
 * Links: tests/fuzz/no-comparisons.c
 * Options: -entropic=0
 */

#define N_HOSTS 2
#define MAX_PARTS 5

/* Corpus files depend on their order: new ones come last. */
static const char *const names[] = {
  "dag.gml",
  "comm.json",
  "comm_detail.json",
  "io.json",
  "trace.json.gz",
  "nccl_rank_graph.json",
  "temp.json",
  "final_graph.json",
  "metadata.json",
  "comm_timeline.json",
  "server_timeline.json",
};

static const char graph[] = "graph [ node [ id 0 label \"a\" ] node [ id 1 label \"gradients/b\" ]\n"
                            "node [ id 2 label \"x/HorovodAllreduce.0_0\" ] node [ id 3 label \"u\" ]\n"
                            "edge [ source 0 target 1 ] edge [ source 1 target 2 ] edge [ source 2 target 3 ] ]";

static const char profile[] =
    "{\"traceEvents\":[{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"/device:GPU:0\"}},"
    "{\"ph\":\"M\",\"pid\":1,\"tid\":2,\"name\":\"thread_name\",\"args\":{\"name\":\"TensorFlow Ops\"}},"
    "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":10,\"dur\":2,\"name\":\"o\",\"args\":{\"group_id\":0,\"long_name\":\"a:"
    "O\"}},"
    "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":15,\"dur\":2,\"name\":\"o\",\"args\":{\"long_name\":\"gradients/b:O\"}},"
    "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":90,\"dur\":2,\"name\":\"o\",\"args\":{\"group_id\":4,\"long_name\":\"u:"
    "O\"}}]}";

static const char timeline[] =
    "[{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"Sync\"}},"
    "{\"ph\":\"M\",\"pid\":2,\"name\":\"process_name\",\"args\":{\"name\":\"x/HorovodAllreduce.0_0\"}},"
    "{\"ph\":\"B\",\"pid\":1,\"ts\":20,\"name\":\"0\"},{\"ph\":\"E\",\"pid\":1,\"ts\":25},"
    "{\"ph\":\"B\",\"pid\":2,\"ts\":26,\"name\":\"QUEUE\"},{\"ph\":\"E\",\"pid\":2,\"ts\":28}]";

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

static char folder[256];
static gboolean is_pair = TRUE; /* host1 is there */

/* Timelines of BytePS are the whole job's. */
static char *
path_of (guint host, const char *name)
{
  return strstr (name, "_timeline") != NULL ? g_strdup_printf ("%s/%s", folder, name)
                                            : g_strdup_printf ("%s/host%u/0/%s", folder, host, name);
}

static void
write_file (guint host, const char *name, const void *contents, gsize len)
{
  g_autofree char *path = path_of (host, name);

  fuzz_named_file (path, contents, len);
  fuzz_known_files_forget (path);
}

static void
remove_file (guint host, const char *name)
{
  g_autofree char *path = path_of (host, name);

  g_unlink (path);
  fuzz_known_files_forget (path);
}

/* The second host lies beside the job where an input has one only. */
static void
set_pair (gboolean is_wanted)
{
  g_autofree char *inside = g_strdup_printf ("%s/host1", folder), *outside = g_strdup_printf ("%s-host1", folder);

  if (is_wanted == is_pair)
    return;
  int status = is_wanted ? g_rename (outside, inside) : g_rename (inside, outside);
  g_assert (status == 0);
  is_pair = is_wanted;
  fuzz_known_files_forget (NULL);
}

static void
remove_folder (void)
{
  set_pair (TRUE);
  for (guint host = 0; host < N_HOSTS; host++)
    {
      g_autofree char *inner = g_strdup_printf ("%s/host%u/0", folder, host);
      g_autofree char *outer = g_path_get_dirname (inner);
      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        remove_file (host, names[i]);
      g_rmdir (inner);
      g_rmdir (outer);
    }
  g_rmdir (folder);
}

/* What the job has where no input says otherwise. */
static void
reset_file (guint host, const char *name)
{
  if (strcmp (name, "trace.json.gz") == 0)
    write_file (host, name, profile, strlen (profile));
  else if (strcmp (name, "comm.json") == 0)
    write_file (host, name, timeline, strlen (timeline));
  else if (strcmp (name, "dag.gml") == 0 && host == 0)
    write_file (host, name, graph, strlen (graph));
  else
    remove_file (host, name);
}

static void
make_folder (void)
{
  g_autofree char *path = g_dir_make_tmp ("fuzz-job-XXXXXX", NULL);

  g_assert (path != NULL && strlen (path) < sizeof folder);
  strcpy (folder, path);
  for (guint host = 0; host < N_HOSTS; host++)
    {
      g_autofree char *inner = g_strdup_printf ("%s/host%u/0", folder, host);
      int status = g_mkdir_with_parents (inner, 0700);
      g_assert (status == 0);
      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        reset_file (host, names[i]);
    }
  atexit (remove_folder);
}

/* The file that must not be there for @name to be read; NULL: none. */
static const char *
hidden_by (const char *name)
{
  if (strcmp (name, "temp.json") == 0)
    return "trace.json.gz";
  if (strcmp (name, "final_graph.json") == 0 || strcmp (name, "metadata.json") == 0)
    return "dag.gml";
  return NULL;
}

typedef struct
{
  const char *name;
  guint host;
} Part;

/* Whether the input is about two hosts. */
static gboolean
has_pair (const guint8 *bytes, size_t len)
{
  const guint8 *end = bytes + len;
  gboolean has = FALSE;

  for (guint n = 0; n < MAX_PARTS && bytes < end && !has; n++)
    {
      has = *bytes / G_N_ELEMENTS (names) % N_HOSTS == 1;
      bytes = memmem (bytes, (size_t) (end - bytes), "\n@@", 3);
      bytes = bytes == NULL ? end : bytes + 3;
    }
  return has;
}

/* Writes the files that the input has. */
static guint
write_parts (const guint8 *bytes, size_t len, Part *parts)
{
  guint n = 0;

  set_pair (has_pair (bytes, len));
  for (const guint8 *end = bytes + len; n < MAX_PARTS; n++)
    {
      const guint8 *next = memmem (bytes, (size_t) (end - bytes), "\n@@", 3);
      const guint8 *stop = next == NULL || n + 1 == MAX_PARTS ? end : next;
      guint kind = bytes == stop ? 0 : *bytes++;
      Part *part = &parts[n];

      part->name = names[kind % G_N_ELEMENTS (names)];
      part->host = n == 0 ? 0 : kind / G_N_ELEMENTS (names) % N_HOSTS;
      const char *hidden = hidden_by (part->name);
      if (hidden != NULL)
        remove_file (part->host, hidden);
      write_file (part->host, part->name, bytes, (size_t) (stop - bytes));
      if (stop == end)
        return n + 1;
      bytes = stop + 3;
    }
  return n;
}

static void
reset_parts (const Part *parts, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const char *hidden = hidden_by (parts[i].name);
      reset_file (parts[i].host, parts[i].name);
      if (hidden != NULL)
        reset_file (parts[i].host, hidden);
    }
}

/* Whether @error says which of the files it is about. */
static gboolean
names_part (const GError *error, const Part *parts, guint n)
{
  for (guint i = 0; i < n; i++)
    if (strstr (error->message, parts[i].name) != NULL)
      return TRUE;
  return FALSE;
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  const TtImportOptions options = { .strict = len % 7 == 0, .rank = -1, .no_align = len % 5 == 0 };
  g_autoptr (GPtrArray) paths = g_ptr_array_new (), inputs = g_ptr_array_new ();
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  Part parts[MAX_PARTS];

  if (folder[0] == '\0')
    make_folder ();
  guint n_parts = write_parts (bytes, len, parts);

  g_ptr_array_add (paths, folder);
  gboolean is_job = tt_format_job.group (paths, TRUE, inputs, notes, NULL);
  g_assert (is_job && inputs->len == 1);
  g_autoptr (TtInputSet) set = inputs->pdata[0];
  g_autoptr (TtSink) sink = tt_null_sink_new (tt_names_new (NULL));
  g_autoptr (GError) error = NULL;
  if (!tt_format_job.import (set, &options, sink, &error) && (error == NULL || !names_part (error, parts, n_parts)))
    g_error ("%s: %s", parts[0].name, error == NULL ? "failed without an error" : error->message);
  reset_parts (parts, n_parts);
  return 0;
}
