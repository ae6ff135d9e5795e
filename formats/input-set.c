/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/input-set.h"

TtInputSet *
tt_input_set_new (void)
{
  TtInputSet *self = g_new0 (TtInputSet, 1);

  self->last_rank = -1;
  self->paths = g_ptr_array_new_with_free_func (g_free);
  self->joined = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
tt_input_set_free (TtInputSet *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->paths);
  g_ptr_array_unref (self->joined);
  g_clear_error (&self->fault);
  g_free (self->root);
  g_free (self);
}

gboolean
tt_group_by_file (GPtrArray *paths, gboolean from_directory, GPtrArray *inputs, GPtrArray *notes, GError **error)
{
  (void) from_directory;
  (void) notes;
  (void) error;
  for (guint i = 0; i < paths->len; i++)
    {
      TtInputSet *set = tt_input_set_new ();
      g_ptr_array_add (set->paths, g_strdup (paths->pdata[i]));
      g_ptr_array_add (inputs, set);
    }
  return TRUE;
}
