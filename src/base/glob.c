/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/glob.h"

/* Whether @c is in the class that begins at @class ("[a-z]"); *@end: after it. NULL *@end: no class. */
static gboolean
class_has (const char *class, guchar c, const char **end)
{
  gboolean is_in = FALSE;
  const char *p = class + 1;

  do
    {
      if (*p == '\0')
        {
          *end = NULL;
          return FALSE;
        }
      guchar low = (guchar) *p, high = low;
      if (p[1] == '-' && p[2] != ']' && p[2] != '\0')
        {
          high = (guchar) p[2];
          p += 2;
        }
      is_in |= c >= low && c <= high;
      p++;
    }
  while (*p != ']');
  *end = p + 1;
  return is_in;
}

gboolean
tt_glob_fits (const char *pattern, const char *text, gsize len, gboolean has_classes)
{
  const char *end = text + len, *star = NULL, *star_text = NULL, *after;

  while (text < end)
    {
      if (*pattern == '*')
        {
          star = ++pattern;
          star_text = text;
          continue;
        }
      if (has_classes && *pattern == '[')
        {
          gboolean is_in = class_has (pattern, (guchar) *text, &after);
          if (after == NULL)
            is_in = *text == '[', after = pattern + 1;
          if (is_in)
            {
              pattern = after;
              text++;
              continue;
            }
        }
      else if (*pattern == *text || *pattern == '?')
        {
          pattern++;
          text++;
          continue;
        }
      if (star == NULL)
        return FALSE;
      pattern = star;
      text = ++star_text;
    }
  while (*pattern == '*')
    pattern++;
  return *pattern == '\0';
}

guint
tt_glob_n_stars (const char *pattern)
{
  guint n = 0;

  for (; *pattern != '\0'; pattern++)
    n += *pattern == '*';
  return n;
}
