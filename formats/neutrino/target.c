/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/target.h"

#include "src/base/error.h"
#include "src/base/suggest.h"

/* Of the 256 vector and 102 scalar registers of a GCN wave 16 are left to the kernel. */
static const TtNlTarget targets[] = {
  { .name = "ptx", .alias = "cuda", .n_vector = 16384, .emit = tt_nl_ptx_emit },
  { .name = "gfx90a", .n_vector = 240, .n_scalar = 86, .emit = tt_nl_gcn_emit },
  { .name = "gfx942",
    .alias = "hip",
    .has_die_id = TRUE,
    .n_vector = 240,
    .n_scalar = 86,
    .scalar_wait = 2,
    .emit = tt_nl_gcn_emit },
};

const char *const tt_nl_target_words[] = { "ptx", "cuda", "gfx90a", "gfx942", "hip", NULL };

const TtNlTarget *
tt_nl_target_find (const char *name, GError **error)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  const char *near;

  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    if (g_str_equal (targets[i].name, lower) || g_strcmp0 (targets[i].alias, lower) == 0)
      return &targets[i];
  near = tt_suggest (lower, tt_nl_target_words);
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "unknown target '%s' (known: ptx, gfx90a, gfx942)%s%s%s", name,
               near == NULL ? "" : "; did you mean '", near == NULL ? "" : near, near == NULL ? "" : "'?");
  return NULL;
}
