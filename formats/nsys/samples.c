/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/nsys/samples.h"

#include "formats/nsys/lanes.h"
#include "formats/nsys/names.h"

/* Of a deeper stack the innermost. */
#define MOST_FRAMES 1024u

enum
{
  ID,
  BEGIN,
  THREAD,
  CPU,
};

typedef struct
{
  TtNsys *nsys;
  TtRows *frames; /* of all samples, by sample and depth; NULL: there are none */
  gint64 at;      /* the sample whose frame is the next */
  gboolean has_frame;
  GPtrArray *stack; /* of char *, innermost first */
} Samples;

static gboolean
next_frame (Samples *self, GError **error)
{
  GError *local = NULL;

  self->has_frame = self->frames != NULL && tt_nsys_next (self->nsys, self->frames, &local);
  if (self->has_frame)
    self->at = tt_rows_int_or (self->frames, 0, G_MAXINT64);
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}

/* Both tables are read in the order of their numbers. */
static gboolean
read_stack (Samples *self, gint64 id, GError **error)
{
  g_ptr_array_set_size (self->stack, 0);
  while (self->has_frame && self->at <= id)
    {
      GError *local = NULL;

      if (self->at == id && self->stack->len < MOST_FRAMES)
        {
          const char *symbol = tt_nsys_string (self->nsys, tt_rows_int_or (self->frames, 1, -1), &local);
          g_ptr_array_add (self->stack, g_utf8_make_valid (symbol == NULL || *symbol == '\0' ? "?" : symbol, -1));
        }
      if (local != NULL)
        {
          g_propagate_error (error, local);
          return FALSE;
        }
      if (!next_frame (self, error))
        return FALSE;
    }
  return TRUE;
}

static void
add_sample (Samples *self, TtRows *rows, TtTraceRecord *record)
{
  TtNsysName name;

  tt_nsys_name_text (self->nsys, "sample", self->stack->len > 0 ? self->stack->pdata[0] : "(no stack)", &name);
  record->name = name.name;
  tt_nsys_on_thread (self->nsys, rows, THREAD, record);
  tt_nsys_args_begin (self->nsys);
  tt_nsys_args_column (self->nsys, "cpu", rows, CPU);
  tt_nsys_args_texts_reversed (self->nsys, "stack", self->stack);
  record->args = tt_nsys_args_end (self->nsys);
  tt_arrange_instant (self->nsys->arrange, record);
}

gboolean
tt_nsys_read_samples (TtNsys *self, GError **error)
{
  static const char samples[] = "COMPOSITE_EVENTS", frames[] = "SAMPLING_CALLCHAINS";
  static const char *const columns[] = { "id", "start", "globalTid", "cpu", NULL };
  static const char *const frame_columns[] = { "id", "symbol", NULL };
  gboolean has_ids = tt_tables_has_column (self->tables, samples, "id");
  gboolean has_depths =
      tt_tables_has_column (self->tables, frames, "id") && tt_tables_has_column (self->tables, frames, "stackDepth");
  GError *local = NULL;
  g_autoptr (GPtrArray) stack = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (TtRows) rows =
      tt_tables_rows (self->tables, samples, columns, has_ids ? "ORDER BY \"id\"" : NULL, &local);
  g_autoptr (TtRows) all_frames =
      rows == NULL || !has_ids || !has_depths
          ? NULL
          : tt_tables_rows (self->tables, frames, frame_columns, "ORDER BY \"id\", \"stackDepth\"", &local);
  Samples reader = { .nsys = self, .frames = all_frames, .stack = stack };

  if (local == NULL)
    next_frame (&reader, &local);
  while (rows != NULL && local == NULL && tt_nsys_next (self, rows, &local))
    {
      TtTraceRecord record = { .step = TT_NO_STEP, .offset = self->n_rows };

      if (read_stack (&reader, tt_rows_int_or (rows, ID, G_MININT64), &local) &&
          tt_nsys_time (self, rows, BEGIN, THREAD, &record.ts_ns))
        add_sample (&reader, rows, &record);
    }
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}
