/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/words.h"

#include "src/base/error.h"
#include "src/base/suggest.h"

#include <math.h>
#include <string.h>

gboolean
tt_word_choose (const char *what, const char *text, const char *const *words, guint *choice, GError **error)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (g_str_equal (words[i], text))
      {
        *choice = i;
        return TRUE;
      }

  const char *near = tt_suggest (text, words);
  g_autofree char *all = g_strjoinv (", ", (char **) words);
  if (near != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "unknown %s '%s'; did you mean '%s'?", what, text, near);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "unknown %s '%s'; there are %s", what, text, all);
  return FALSE;
}

gboolean
tt_percent_parse (const char *option, const char *text, double *percent, GError **error)
{
  char *end = NULL;
  double value = g_ascii_strtod (text, &end);

  if (end != text)
    end += strspn (end, " ");
  if (end != text && (*end == '\0' || g_str_equal (end, "%")) && isfinite (value) && value >= 0)
    {
      *percent = value;
      return TRUE;
    }
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--%s %s': that is no percentage, such as 5%%", option, text);
  return FALSE;
}
