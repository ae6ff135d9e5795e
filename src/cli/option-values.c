/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/option-values.h"

const TtOptionValues *
tt_option_values_find (const TtOptionValues *list, const char *option)
{
  for (; list != NULL && list->option != NULL; list++)
    if (g_str_equal (list->option, option))
      return list;
  return NULL;
}

char **
tt_option_values_list (const TtOptionValues *self, const TtValuesQuestion *question)
{
  char **words = self->list != NULL ? self->list (question) : g_strdupv ((char **) self->words);

  return words != NULL ? words : g_new0 (char *, 1);
}

gboolean
tt_values_question_has (const TtValuesQuestion *self, const char *word)
{
  return g_strv_contains (self->words, word);
}
