/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/error.h"
#include "src/cli/levels/level.h"
#include "src/cli/words.h"

/* To add a level: write src/cli/levels/NAME.c, declare it in level.h, list it here and in src/cli/local.mk. */
static const TtGraphLevel *const levels[] = {
  &tt_graph_level_op,
  &tt_graph_level_event,
  &tt_graph_level_job,
  &tt_graph_level_task,
};

char **
tt_graph_level_list (void)
{
  char **words = g_new0 (char *, G_N_ELEMENTS (levels) + 1);

  for (guint i = 0; i < G_N_ELEMENTS (levels); i++)
    words[i] = g_strdup (levels[i]->name);
  return words;
}

const TtGraphLevel *
tt_graph_level_choose (const char *word, GError **error)
{
  g_auto (GStrv) list = tt_graph_level_list ();
  const char *const *words = (const char *const *) list;
  guint choice = 0;

  return word == NULL || tt_word_choose ("level", word, words, &choice, error) ? levels[choice] : NULL;
}

/* -- options ------------------------------------------------------------------------------------- */

static const struct
{
  TtGraphOption option;
  const char *text;
} options[] = {
  { TT_GRAPH_FILTER, "--filter" },
  { TT_GRAPH_TIME_WINDOW, "--time-window" },
  { TT_GRAPH_KIND, "--kind" },
  { TT_GRAPH_MERGE_RANKS, "--merge-ranks" },
  { TT_GRAPH_SAVE, "--save" },
  { TT_GRAPH_TRAIL, "--format trail" },
  { TT_GRAPH_RECV, "--recv" },
  { TT_GRAPH_WITH_END, "--with-end" },
  { TT_GRAPH_UPDATE_BARRIER, "--update-barrier" },
};

gboolean
tt_graph_level_check (const TtGraphLevel *self, const TtGraphRequest *request, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      if ((request->given & self->refuses & options[i].option) == 0)
        continue;
      if ((TT_GRAPH_OF_STEPS & options[i].option) != 0 && self->name != NULL)
        g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' goes with '--level job'", options[i].text);
      else
        g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' does not go with '%s'", self->option, options[i].text);
      return FALSE;
    }
  return self->check == NULL || self->check (request, error);
}
