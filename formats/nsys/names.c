/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/nsys/names.h"

#include <string.h>

#include "formats/kineto/kineto.h"
#include "formats/kineto/roles.h"
#include "src/base/slots.h"

static const char *const groups[TT_NSYS_N_GROUPS] = {
  [TT_NSYS_KERNEL] = "kernel",   [TT_NSYS_RUNTIME] = "cuda_runtime", [TT_NSYS_DRIVER] = "cuda_driver",
  [TT_NSYS_OSRT] = "osrt",       [TT_NSYS_MPI] = "mpi",              [TT_NSYS_UCX] = "ucx",
  [TT_NSYS_CUBLAS] = "cublas",   [TT_NSYS_CUDNN] = "cudnn",          [TT_NSYS_OPENMP] = "OpenMP",
  [TT_NSYS_OPENACC] = "OpenACC", [TT_NSYS_OVERHEAD] = "overhead",    [TT_NSYS_NVTX] = "nvtx",
};

struct _TtNsysNames
{
  TtTexts *texts;                   /* NULL: there is no table */
  TtSlots *known[TT_NSYS_N_GROUPS]; /* number of a text -> its place in entries + 1 */
  GArray *entries;                  /* of TtNsysName */
};

TtNsysNames *
tt_nsys_names_new (void)
{
  TtNsysNames *self = g_new0 (TtNsysNames, 1);

  for (guint i = 0; i < TT_NSYS_N_GROUPS; i++)
    self->known[i] = tt_slots_new ();
  self->entries = g_array_new (FALSE, FALSE, sizeof (TtNsysName));
  return self;
}

void
tt_nsys_names_free (TtNsysNames *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < TT_NSYS_N_GROUPS; i++)
    tt_slots_free (self->known[i]);
  tt_texts_free (self->texts);
  g_array_unref (self->entries);
  g_free (self);
}

gboolean
tt_nsys_names_open (TtNsys *self, GError **error)
{
  GError *local = NULL;

  self->names->texts = tt_tables_texts (self->tables, "StringIds", "id", "value", &local);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

const char *
tt_nsys_string (TtNsys *self, gint64 id, GError **error)
{
  return self->names->texts == NULL ? NULL : tt_texts_get (self->names->texts, id, error);
}

/* Without "_v7000". */
static char *
cut_version (const char *text)
{
  gsize len = strlen (text), at = len;

  while (at > 0 && g_ascii_isdigit (text[at - 1]))
    at--;
  if (len - at >= 4 && at > 2 && text[at - 1] == 'v' && text[at - 2] == '_')
    len = at - 2;
  return g_strndup (text, len);
}

static void
describe (TtNsys *self, const char *group, const char *text, guint32 communicator, TtNsysName *name)
{
  const TtRawName raw = { .raw = text, .group = group, .communicator = communicator };
  TtName resolved;

  *name = (TtNsysName){ .name = tt_sink_name (self->sink, &raw), .is_launch = tt_kineto_is_launch (text) };
  name->role = (guint8) tt_kineto_role (group, text, &name->blocks);
  name->is_unnamed = tt_names_get (self->sink->names, name->name, &resolved) && resolved.rule == 0;
}

void
tt_nsys_name_text (TtNsys *self, const char *group, const char *text, TtNsysName *name)
{
  describe (self, group, text, 0, name);
}

/* Names are text that people read. */
static char *
text_of (TtNsys *self, TtNsysGroup group, gint64 id, GError **error)
{
  const char *text = tt_nsys_string (self, id, error);

  if (text == NULL || *text == '\0')
    {
      tt_sink_repair (self->sink, TT_REPAIR_NO_NAME, self->n_rows);
      return g_strdup_printf ("string %" G_GINT64_FORMAT, id);
    }
  g_autofree char *valid = g_utf8_validate (text, -1, NULL) ? g_strdup (text) : g_utf8_make_valid (text, -1);
  if (!g_str_equal (valid, text))
    tt_sink_repair (self->sink, TT_REPAIR_BAD_UTF8, self->n_rows);
  return group == TT_NSYS_RUNTIME || group == TT_NSYS_DRIVER ? cut_version (valid) : g_steal_pointer (&valid);
}

gboolean
tt_nsys_name (TtNsys *self,
              TtNsysGroup group,
              guint32 communicator,
              TtRows *rows,
              int column,
              TtNsysName *name,
              GError **error)
{
  TtNsysNames *names = self->names;
  TtSlotCursor cursor = { 0 };
  GError *local = NULL;
  gint64 id = tt_rows_int_or (rows, column, -1);
  guint64 key = tt_slots_mix ((guint64) id ^ (communicator == 0 ? 0 : tt_slots_mix (communicator)));
  guint64 at = tt_slots_find (names->known[group], key, &cursor);

  if (G_LIKELY (at != 0))
    {
      *name = g_array_index (names->entries, TtNsysName, at - 1);
      return TRUE;
    }
  g_autofree char *text = text_of (self, group, id, &local);
  if (local != NULL || !tt_slots_check (names->known[group], &local))
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  describe (self, groups[group], text, communicator, name);
  g_array_append_val (names->entries, *name);
  tt_slots_add (names->known[group], key, names->entries->len);
  return TRUE;
}
