/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/options.h"

#include "src/base/error.h"
#include "src/base/suggest.h"

const char *const tt_pi_generation_words[] = { "g0", "doc", "g1", "g2", "g3", "native", NULL };
static const TtPiGeneration generation_values[] = {
  TT_PI_GENERATION_G0, TT_PI_GENERATION_DOC, TT_PI_GENERATION_G1,
  TT_PI_GENERATION_G2, TT_PI_GENERATION_G3,  TT_PI_GENERATION_NATIVE,
};

const char *const tt_pi_ids_words[] = { "2021-summer", "2021-12", "2022-05", "2024", NULL };
static const TtPiIds numbering_values[] = { TT_PI_IDS_2021_SUMMER, TT_PI_IDS_2021_12, TT_PI_IDS_2022_05,
                                            TT_PI_IDS_2024 };

/* -1 with @error: not among @words. */
static int
find_word (const char *option, const char *text, const char *const *words, GError **error)
{
  for (int i = 0; words[i] != NULL; i++)
    if (g_ascii_strcasecmp (words[i], text) == 0)
      return i;

  const char *near = tt_suggest (text, words);
  g_autofree char *all = g_strjoinv (", ", (char **) words);
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s %s' is not one of %s%s%s%s", option, text, all,
               near == NULL ? "" : "; did you mean '", near == NULL ? "" : near, near == NULL ? "" : "'?");
  return -1;
}

gboolean
tt_pi_options_parse (TtPiOptions *self, const char *generation, const char *ids, GError **error)
{
  int found;

  if (generation != NULL)
    {
      if ((found = find_word ("--pi-generation", generation, tt_pi_generation_words, error)) < 0)
        return FALSE;
      self->generation = generation_values[found];
    }
  if (ids != NULL)
    {
      if ((found = find_word ("--pi-ids", ids, tt_pi_ids_words, error)) < 0)
        return FALSE;
      self->ids = (int) numbering_values[found];
    }
  return TRUE;
}
