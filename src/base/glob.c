/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/glob.h"

#include <string.h>

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

TtGlob
tt_glob_read (const char *pattern)
{
  gsize len = strlen (pattern);
  gboolean is_open_before = pattern[0] == '*', is_open_after = len > 1 && pattern[len - 1] == '*';
  const char *text = pattern + is_open_before;
  gsize n = len - (gsize) is_open_before - (gsize) is_open_after;

  if (strcspn (text, "*?[") < n)
    return (TtGlob){ TT_GLOB_ANY_FORM, pattern, len };
  return (TtGlob){
    .form = is_open_before ? (is_open_after ? TT_GLOB_ANYWHERE : TT_GLOB_TAIL)
                           : (is_open_after ? TT_GLOB_HEAD : TT_GLOB_WHOLE),
    .pattern = text,
    .len = n,
  };
}

gboolean
tt_glob_read_fits (const TtGlob *self, const char *text, gsize len)
{
  if (self->form == TT_GLOB_ANY_FORM)
    return tt_glob_fits (self->pattern, text, len, TRUE);
  if (len < self->len)
    return FALSE;
  switch (self->form)
    {
    case TT_GLOB_WHOLE:
      return len == self->len && memcmp (text, self->pattern, len) == 0;
    case TT_GLOB_HEAD:
      return memcmp (text, self->pattern, self->len) == 0;
    case TT_GLOB_TAIL:
      return memcmp (text + len - self->len, self->pattern, self->len) == 0;
    case TT_GLOB_ANYWHERE:
      return memmem (text, len, self->pattern, self->len) != NULL;
    case TT_GLOB_ANY_FORM:
      break;
    }
  return FALSE;
}
