/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOutput: buffered text output to a file, a .gz file or standard output.
 *
 * A file is written beside its name and renamed into place by tt_output_close(); freed without close
 * it leaves nothing. Appends cannot fail; close tells the first error. Numbers are formatted without
 * the locale. The append functions are the hot path of every exporter.
 *
 * What goes to a terminal is cleaned (src/base/clean-text.h); files and pipes get the bytes as they are.
 */
#pragma once

#include <glib.h>
#include <string.h>

typedef struct _TtOutput TtOutput;

struct _TtOutput
{
  char *buffer; /* private, for the inline functions */
  gsize used, size;
};

/* "-" or NULL: standard output; a name that ends in .gz is compressed. */
TtOutput *tt_output_open (const char *path, GError **error);
/* A file that is new: where @path stands at the close, it is called trace-2.json instead of trace.json, and so on. */
TtOutput *tt_output_open_new (const char *path, GError **error);
/* To memory, for tests: tt_output_steal_text(). */
TtOutput *tt_output_open_memory (void);
/* What others write into the file, at its end so far and after it: where it grows until the close. NULL: standard output,
 * memory, a device, or compressed. */
const char *tt_output_part (const TtOutput *self);
/* They wrote @n_bytes. */
void tt_output_add_bytes (TtOutput *self, guint64 n_bytes);
/* From the begin, as if nothing had been written: not standard output or a device, and not compressed. */
void tt_output_restart (TtOutput *self);
/* To @fd, which stays open. @name: in errors. */
TtOutput *tt_output_open_descriptor (int fd, const char *name);
/* What is appended is clean already and may have colours: a terminal, too, gets it as it is. */
void tt_output_is_clean (TtOutput *self);
gboolean tt_output_close (TtOutput *self, GError **error);
void tt_output_free (TtOutput *self);
/* The whole of @len bytes to @path; -1: up to the end of the string. */
gboolean tt_output_print (const char *path, const char *text, gssize len, GError **error);
/* Whether there is no standard output: what cannot be written holds its place. */
gboolean tt_stdout_is_closed (void);
guint64 tt_output_total (const TtOutput *self);
/* After the close, of a file: the name that it has. NULL: standard output, or memory. */
const char *tt_output_path (const TtOutput *self);
GString *tt_output_steal_text (TtOutput *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtOutput, tt_output_free)

/* Makes room for @len more bytes. */
void tt_output_drain (TtOutput *self, gsize len);

static inline char *
tt_output_reserve (TtOutput *self, gsize len)
{
  if (G_UNLIKELY (self->size - self->used < len))
    tt_output_drain (self, len);
  return self->buffer + self->used;
}

static inline void
tt_output_bytes (TtOutput *self, const char *bytes, gsize len)
{
  memcpy (tt_output_reserve (self, len), bytes, len);
  self->used += len;
}

#define tt_output_literal(self, text) tt_output_bytes ((self), "" text, sizeof (text) - 1)

static inline void
tt_output_text (TtOutput *self, const char *text)
{
  tt_output_bytes (self, text, strlen (text));
}

void tt_output_printf (TtOutput *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void tt_output_int (TtOutput *self, gint64 value);
/* Nanoseconds as microseconds with the shortest exact fraction: 1500 -> "1.5". */
void tt_output_us (TtOutput *self, gint64 ns);
/* A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void tt_output_json_string (TtOutput *self, const char *text);
