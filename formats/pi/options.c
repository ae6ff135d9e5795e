/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/options.h"

#include "src/base/error.h"
#include "src/base/suggest.h"

#include <string.h>

const char *const tt_pi_generation_words[] = { "g0", "doc", "g1", "g2", "g3", "native", NULL };
static const TtPiGeneration generation_values[] = {
  TT_PI_GENERATION_G0, TT_PI_GENERATION_DOC, TT_PI_GENERATION_G1,
  TT_PI_GENERATION_G2, TT_PI_GENERATION_G3,  TT_PI_GENERATION_NATIVE,
};

/* Lists by their dates, then by releases. */
const char *const tt_pi_ids_words[] = { "2021-summer", "2021-12", "2022-05", "2024",   "2021.1", "2021.2",
                                        "2021.3",      "2021.4",  "2022.0",  "2022.1", "2022.2", "2023.0",
                                        "2023.1",      "2023.2",  "2024.0",  "2024.1", "2024.2", NULL };
#define N_DATES 4

static TtPiIds
numbering_value (guint word)
{
  static const TtPiIds dates[N_DATES] = { TT_PI_IDS_2021_SUMMER, TT_PI_IDS_2021_12, TT_PI_IDS_2022_05, TT_PI_IDS_2024 };

  for (guint i = 0; i < tt_pi_n_versions; i++)
    if (strcmp (tt_pi_versions[i].release, tt_pi_ids_words[word]) == 0)
      return (TtPiIds) tt_pi_versions[i].ids;
  g_assert (word < N_DATES);
  return dates[word];
}

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
      self->ids = (int) numbering_value ((guint) found);
    }
  return TRUE;
}
