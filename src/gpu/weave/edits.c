/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/weave/edits.h"

typedef struct
{
  guint32 at, end;
  guint order;
  char *text;
} Edit;

static void
edit_clear (gpointer data)
{
  g_free (((Edit *) data)->text);
}

void
tt_gpu_edits_init (TtGpuEdits *self)
{
  self->list = g_array_new (FALSE, FALSE, sizeof (Edit));
  g_array_set_clear_func (self->list, edit_clear);
}

void
tt_gpu_edits_clear (TtGpuEdits *self)
{
  g_clear_pointer (&self->list, g_array_unref);
}

static void
add (TtGpuEdits *self, guint32 at, guint32 end, guint order, const char *text)
{
  Edit edit = { .at = at, .end = end, .order = order, .text = g_strdup (text) };

  g_array_append_val (self->list, edit);
}

void
tt_gpu_edits_add (TtGpuEdits *self, guint32 at, const GString *text)
{
  if (text->len > 0)
    add (self, at, at, self->list->len + 1, text->str);
}

void
tt_gpu_edits_add_first (TtGpuEdits *self, guint32 at, const GString *text)
{
  add (self, at, at, 0, text->str);
}

void
tt_gpu_edits_replace (TtGpuEdits *self, guint32 at, guint32 end, const char *text)
{
  add (self, at, end, self->list->len + 1, text);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const Edit *one = a, *other = b;

  if (one->at != other->at)
    return one->at < other->at ? -1 : 1;
  return one->order < other->order ? -1 : one->order > other->order;
}

void
tt_gpu_edits_apply (TtGpuEdits *self, const char *text, gsize len, GString *to)
{
  gsize at = 0;

  g_array_sort (self->list, compare);
  for (guint i = 0; i < self->list->len; i++)
    {
      const Edit *edit = &g_array_index (self->list, Edit, i);

      g_string_append_len (to, text + at, (gssize) (MAX (edit->at, at) - at));
      g_string_append (to, edit->text);
      at = MAX (edit->end, at);
    }
  g_string_append_len (to, text + at, (gssize) (len - at));
}
