/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/layout-private.h"

void
tt_neutrino_layout_set_words (TtNeutrinoLayout *self, guint i, const char *reason)
{
  TtNeutrinoMap **map = (TtNeutrinoMap **) &self->maps->pdata[i];
  TtNeutrinoMap *words = tt_neutrino_map_of_words ((*map)->name, (*map)->is_warp, (*map)->record_bytes, (*map)->cap);

  g_ptr_array_add (self->notes, g_strdup_printf ("%s: map '%s' %s; its records are read as words w0, w1 ...",
                                                 self->path, (*map)->name, reason));
  tt_neutrino_map_free (*map);
  *map = words;
}
