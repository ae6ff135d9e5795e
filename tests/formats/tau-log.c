/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/tau-log.h"

#include "tests/formats/tau-print.h"

#include <glib/gstdio.h>
#include <stdlib.h>

/* -- a log of callbacks ------------------------------------------------------------------------------ */

static void
begin_text (TauLog *self)
{
  self->out = open_memstream (&self->text, &self->len);
  if (self->out == NULL)
    g_error ("cannot make a stream in memory");
  self->callbacks.UserData = self->out;
}

static void
end_text (TauLog *self)
{
  fclose (self->out);
  free (self->text);
}

TauLog *
tau_log_new (gboolean has_definitions)
{
  TauLog *self = g_new0 (TauLog, 1);

  self->callbacks = tau_print_callbacks (NULL);
  if (!has_definitions)
    {
      self->callbacks.DefClkPeriod = NULL;
      self->callbacks.DefThread = NULL;
      self->callbacks.DefStateGroup = NULL;
      self->callbacks.DefState = NULL;
      self->callbacks.DefUserEvent = NULL;
    }
  begin_text (self);
  return self;
}

void
tau_log_free (TauLog *self)
{
  end_text (self);
  g_free (self);
}

const char *
tau_log_text (TauLog *self)
{
  fflush (self->out);
  return self->text;
}

gsize
tau_log_len (TauLog *self)
{
  fflush (self->out);
  return self->len;
}

void
tau_log_empty (TauLog *self)
{
  end_text (self);
  begin_text (self);
}

int
tau_read_rest (Ttf_FileHandleT file, TauLog *log, int *n_records)
{
  int n, total = 0;

  while ((n = Ttf_ReadNumEvents (file, log->callbacks, 1000)) > 0)
    total += n;
  if (n_records != NULL)
    *n_records = total;
  return n;
}

/* -- files --------------------------------------------------------------------------------------------- */

void
tau_files_set_up (TauFiles *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("test-tau-library-XXXXXX", NULL);
  self->trc = g_build_filename (self->folder, "a.trc", NULL);
  self->edf = g_build_filename (self->folder, "a.edf", NULL);
}

void
tau_files_tear_down (TauFiles *self, gconstpointer data)
{
  g_unlink (self->trc);
  g_unlink (self->edf);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->trc);
  g_free (self->edf);
  g_free (self->folder);
}

void
tau_put_record (GByteArray *bytes, gint32 id, guint16 node, guint16 tid, gint64 par, guint64 ti)
{
  g_byte_array_append (bytes, (const guint8 *) &id, 4);
  g_byte_array_append (bytes, (const guint8 *) &node, 2);
  g_byte_array_append (bytes, (const guint8 *) &tid, 2);
  g_byte_array_append (bytes, (const guint8 *) &par, 8);
  g_byte_array_append (bytes, (const guint8 *) &ti, 8);
}

GByteArray *
tau_begin_trace (void)
{
  GByteArray *bytes = g_byte_array_new ();

  tau_put_record (bytes, 60000, 0, 0, 3, 1000);
  return bytes;
}

Ttf_FileHandleT
tau_open_trace (TauFiles *self, GByteArray *bytes, const char *edf)
{
  g_assert_true (g_file_set_contents (self->trc, (const char *) bytes->data, (gssize) bytes->len, NULL));
  g_assert_true (g_file_set_contents (self->edf, edf, -1, NULL));
  g_byte_array_unref (bytes);
  Ttf_FileHandleT file = Ttf_OpenFileForInput (self->trc, self->edf);
  g_assert_nonnull (file);
  return file;
}
