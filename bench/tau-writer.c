/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "bench/tau-writer.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STREAM_BYTES (64 * 1024)
#define FILE_BYTES (1024 * 1024)

typedef struct
{
  guint32 row;
  guint32 stream;
  gint64 par;
  guint64 ti;
} Record;

typedef struct
{
  int node;
  int tag;
  guint id;
  char *group, *name, *params;
} Row;

typedef struct
{
  guint8 *bytes; /* per-rank files: encoded, to be appended */
  gsize len;
  gboolean is_begun;
  GArray *queue; /* merged: records that wait for the others */
  guint head;
} Stream;

struct _TauWriter
{
  TauWriterOptions options;
  GArray *rows;
  Stream *streams;
  guint n_streams;
  guint64 n_records;
  FILE *merged;
  guint8 *bytes;
  gsize len;
  guint *heap; /* streams by time of their first waiting record */
  guint n_heap;
};

static FILE *
open_file (const char *path, const char *mode)
{
  FILE *file = g_fopen (path, mode);

  if (file == NULL)
    {
      g_printerr ("gen-tau: %s: %s\n", path, g_strerror (errno));
      exit (1);
    }
  return file;
}

static void
write_bytes (FILE *file, const void *bytes, gsize len)
{
  if (len > 0 && fwrite (bytes, 1, len, file) != len)
    {
      g_printerr ("gen-tau: cannot write: %s\n", g_strerror (errno));
      exit (1);
    }
}

static void
close_file (FILE *file)
{
  if (fclose (file) != 0)
    {
      g_printerr ("gen-tau: cannot write: %s\n", g_strerror (errno));
      exit (1);
    }
}

TauWriter *
tau_writer_new (const TauWriterOptions *options)
{
  TauWriter *self = g_new0 (TauWriter, 1);

  self->options = *options;
  self->rows = g_array_new (FALSE, TRUE, sizeof (Row));
  self->n_streams = options->n_nodes * options->n_threads;
  self->streams = g_new0 (Stream, self->n_streams);
  for (guint i = 0; i < self->n_streams; i++)
    if (options->is_merged)
      self->streams[i].queue = g_array_new (FALSE, FALSE, sizeof (Record));
    else
      self->streams[i].bytes = g_malloc (STREAM_BYTES);
  if (options->is_merged)
    {
      g_autofree char *path = g_strconcat (options->out, ".trc", NULL);
      self->merged = open_file (path, "wb");
      self->bytes = g_malloc (FILE_BYTES);
      self->heap = g_new (guint, self->n_streams);
    }
  else if (g_mkdir_with_parents (options->out, 0777) != 0)
    {
      g_printerr ("gen-tau: %s: %s\n", options->out, g_strerror (errno));
      exit (1);
    }
  return self;
}

guint
tau_writer_row (TauWriter *self, int node, const char *group, int tag, const char *name, const char *params, guint id)
{
  Row row = { node, tag, id, g_strdup (group), g_strdup (name), g_strdup (params) };

  g_array_append_val (self->rows, row);
  return self->rows->len - 1;
}

guint
tau_writer_function_row (const TauWriter *self, guint index)
{
  return self->rows->len + index;
}

/* Per-rank ids differ from node to node, as in real traces, and stay out of the special ones. */
static guint32
row_id (const TauWriter *self, guint row, guint node)
{
  if (self->options.is_merged)
    return row + 1;
  if (row == 0)
    return 0;
  if (row < self->rows->len && g_array_index (self->rows, Row, row).id != 0)
    return g_array_index (self->rows, Row, row).id;
  guint32 id = row + node % 5;
  return id < 59000 ? id : id + 21000;
}

/* By the clock of @node: parts of -10 to 10 tenths. */
static guint64
time_by_clock (const TauWriter *self, guint node, guint64 ti)
{
  gint64 tenths = node == 0 ? 0 : (gint64) (node * 7919u % 21u) - 10;
  gint64 since_us = (gint64) (ti - self->options.start_us);

  return ti + (guint64) (tenths * (self->options.skew_us + since_us / 1000 * self->options.drift_ppm / 1000) / 10);
}

static gsize
encode (const TauWriter *self, const Record *record, guint8 *to)
{
  TauLayout layout = self->options.layout;
  guint node = record->stream / self->options.n_threads;
  gboolean is_big = layout == TAU_24BE || layout == TAU_32BE;
  guint32 id = row_id (self, record->row, node);
  guint16 nid = (guint16) node, tid = (guint16) (record->stream % self->options.n_threads);
  guint64 par = (guint64) record->par, ti = time_by_clock (self, node, record->ti), id64 = id;
  guint32 padding = 0;
  guint8 *at = to;

  if (is_big)
    {
      id = GUINT32_TO_BE (id);
      id64 = GUINT64_TO_BE (id64);
      nid = GUINT16_TO_BE (nid);
      tid = GUINT16_TO_BE (tid);
      par = GUINT64_TO_BE (par);
      ti = GUINT64_TO_BE (ti);
    }
#define APPEND(x) (memcpy (at, &(x), sizeof (x)), at += sizeof (x))
  if (layout == TAU_24LE || layout == TAU_24BE)
    APPEND (id);
  else
    APPEND (id64);
  APPEND (nid);
  APPEND (tid);
  if (layout == TAU_32LE || layout == TAU_32BE)
    APPEND (padding);
  APPEND (par);
  APPEND (ti);
#undef APPEND
  return (gsize) (at - to);
}

static void
append_stream (TauWriter *self, guint index)
{
  Stream *stream = &self->streams[index];
  guint node = index / self->options.n_threads, thread = index % self->options.n_threads;

  if (!(thread == 0 && self->options.skip_thread0))
    {
      g_autofree char *path = g_strdup_printf ("%s/tautrace.%u.0.%u.trc", self->options.out, node, thread);
      FILE *file = open_file (path, stream->is_begun ? "ab" : "wb");
      write_bytes (file, stream->bytes, stream->len);
      close_file (file);
    }
  stream->is_begun = TRUE;
  stream->len = 0;
}

void
tau_writer_put (TauWriter *self, guint index, guint row, gint64 par, guint64 ti)
{
  Stream *stream = &self->streams[index];
  Record record = { row, index, par, ti };

  self->n_records++;
  if (self->options.is_merged)
    g_array_append_val (stream->queue, record);
  else
    {
      if (stream->len + 32 > STREAM_BYTES)
        append_stream (self, index);
      stream->len += encode (self, &record, stream->bytes + stream->len);
    }
}

guint64
tau_writer_n_records (const TauWriter *self)
{
  return self->n_records;
}

/* -- merging ---------------------------------------------------------------------------------- */

static const Record *
head_of (const TauWriter *self, guint stream)
{
  return &g_array_index (self->streams[stream].queue, Record, self->streams[stream].head);
}

static gboolean
is_before (const TauWriter *self, guint a, guint b)
{
  guint64 ta = head_of (self, a)->ti, tb = head_of (self, b)->ti;

  return ta != tb ? ta < tb : a < b;
}

static void
sift_down (TauWriter *self, guint at)
{
  guint moved = self->heap[at];

  for (;;)
    {
      guint child = 2 * at + 1;
      if (child >= self->n_heap)
        break;
      if (child + 1 < self->n_heap && is_before (self, self->heap[child + 1], self->heap[child]))
        child++;
      if (!is_before (self, self->heap[child], moved))
        break;
      self->heap[at] = self->heap[child];
      at = child;
    }
  self->heap[at] = moved;
}

static void
flush_merged (TauWriter *self)
{
  write_bytes (self->merged, self->bytes, self->len);
  self->len = 0;
}

void
tau_writer_advance (TauWriter *self, guint64 ti)
{
  if (!self->options.is_merged)
    return;
  self->n_heap = 0;
  for (guint i = 0; i < self->n_streams; i++)
    if (self->streams[i].head < self->streams[i].queue->len)
      self->heap[self->n_heap++] = i;
  for (guint i = self->n_heap; i-- > 0;)
    sift_down (self, i);
  while (self->n_heap > 0 && head_of (self, self->heap[0])->ti < ti)
    {
      Stream *stream = &self->streams[self->heap[0]];
      if (self->len + 32 > FILE_BYTES)
        flush_merged (self);
      self->len += encode (self, head_of (self, self->heap[0]), self->bytes + self->len);
      if (++stream->head == stream->queue->len)
        self->heap[0] = self->heap[--self->n_heap];
      if (self->n_heap > 0)
        sift_down (self, 0);
    }
  for (guint i = 0; i < self->n_streams; i++)
    {
      Stream *stream = &self->streams[i];
      if (stream->head > 0)
        g_array_remove_range (stream->queue, 0, stream->head);
      stream->head = 0;
    }
}

/* -- definitions ------------------------------------------------------------------------------ */

typedef struct
{
  const Row *row; /* NULL: the functions, all of them */
  guint index;
} SortedRow;

#define FUNCTION_PREFIX "func_"

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const SortedRow *ra = a, *rb = b;
  int order =
      strcmp (ra->row != NULL ? ra->row->name : FUNCTION_PREFIX, rb->row != NULL ? rb->row->name : FUNCTION_PREFIX);

  return order != 0 ? order : (ra->index > rb->index) - (ra->index < rb->index);
}

static void
write_functions (const TauWriter *self, FILE *edf, guint node)
{
  for (guint i = 0; i < self->options.n_functions; i++)
    fprintf (edf,
             "%u TAU_USER 0 \"" FUNCTION_PREFIX "%08u(int, double *) [{src/part_%02u.c} {%u,1}-{%u,1}] \" EntryExit\n",
             row_id (self, tau_writer_function_row (self, i), node), i, i % 64, 10 + i % 1000, 20 + i % 1000);
}

static void
write_edf (const TauWriter *self, const char *path, guint node)
{
  g_autofree SortedRow *sorted = g_new0 (SortedRow, self->rows->len + 1);
  guint n = 0;

  for (guint i = 0; i < self->rows->len; i++)
    {
      const Row *row = &g_array_index (self->rows, Row, i);
      if (self->options.is_merged || row->node < 0 || (guint) row->node == node)
        sorted[n++] = (SortedRow){ row, i };
    }
  guint n_rows = n + self->options.n_functions;
  if (self->options.n_functions > 0)
    sorted[n++] = (SortedRow){ NULL, self->rows->len };
  if (self->options.is_merged)
    qsort (sorted, n, sizeof (SortedRow), compare_rows);

  FILE *edf = open_file (path, "wb");
  setvbuf (edf, NULL, _IOFBF, FILE_BYTES);
  /* TAU declares one row more than there is; tau_merge counts right. */
  fprintf (edf, "%u dynamic_trace_events\n", self->options.is_merged ? n_rows : n_rows + 1);
  fprintf (edf, "# FunctionId Group Tag \"Name Type\" Parameters\n");
  for (guint i = 0; i < n; i++)
    if (sorted[i].row == NULL)
      write_functions (self, edf, node);
    else
      fprintf (edf, "%u %s %d \"%s\" %s\n", row_id (self, sorted[i].index, node), sorted[i].row->group,
               sorted[i].row->tag, sorted[i].row->name, sorted[i].row->params);
  if (ferror (edf))
    {
      g_printerr ("gen-tau: %s: cannot write\n", path);
      exit (1);
    }
  close_file (edf);
}

void
tau_writer_close (TauWriter *self)
{
  if (self->options.is_merged)
    {
      tau_writer_advance (self, G_MAXUINT64);
      flush_merged (self);
      close_file (self->merged);
      g_autofree char *path = g_strconcat (self->options.out, ".edf", NULL);
      write_edf (self, path, 0);
    }
  else
    for (guint node = 0; node < self->options.n_nodes; node++)
      {
        for (guint t = 0; t < self->options.n_threads; t++)
          append_stream (self, node * self->options.n_threads + t);
        g_autofree char *path = g_strdup_printf ("%s/events.%u.edf", self->options.out, node);
        write_edf (self, path, node);
      }
  for (guint i = 0; i < self->n_streams; i++)
    {
      g_free (self->streams[i].bytes);
      if (self->streams[i].queue != NULL)
        g_array_unref (self->streams[i].queue);
    }
  for (guint i = 0; i < self->rows->len; i++)
    {
      Row *row = &g_array_index (self->rows, Row, i);
      g_free (row->group);
      g_free (row->name);
      g_free (row->params);
    }
  g_array_unref (self->rows);
  g_free (self->streams);
  g_free (self->bytes);
  g_free (self->heap);
  g_free (self);
}
