/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/save-line.h"

#include <string.h>

void
tt_nl_save_line_clear (TtNlSaveLine *self)
{
  g_clear_pointer (&self->guard, g_free);
  g_clear_pointer (&self->map, g_free);
  g_clear_pointer (&self->items, g_strfreev);
}

static void
skip_blanks (const char **at)
{
  *at += strspn (*at, " \t");
}

/* What stands between @opening, if that is here, and @closing. */
static char *
read_brackets (const char **at, char opening, char closing)
{
  const char *end;
  char *inner;

  skip_blanks (at);
  if (**at != opening || (end = strchr (*at, closing)) == NULL)
    return NULL;
  inner = g_strstrip (g_strndup (*at + 1, (gsize) (end - *at - 1)));
  *at = end + 1;
  return inner;
}

gboolean
tt_nl_save_line_read (TtNlSaveLine *self, const char *line, gsize len)
{
  g_autofree char *copy = g_strndup (line, len);
  const char *at = copy;
  g_autofree char *list = NULL;

  memset (self, 0, sizeof *self);
  skip_blanks (&at);
  if (*at == '@')
    {
      gsize guard = strcspn (at, " \t");
      self->guard = g_strndup (at, guard);
      at += guard;
      skip_blanks (&at);
    }
  if (g_str_has_prefix (at, "SAVE"))
    {
      at += strlen ("SAVE");
      self->width = g_str_has_prefix (at, ".u32") ? 32 : g_str_has_prefix (at, ".u64") ? 64 : 0;
      at += self->width != 0 ? strlen (".u32") : 0;
      if (self->width != 0 || (self->map = read_brackets (&at, '[', ']')) != NULL)
        list = read_brackets (&at, '{', '}');
    }
  if (list == NULL)
    {
      tt_nl_save_line_clear (self);
      return FALSE;
    }
  self->items = g_strsplit (list, ",", -1);
  for (char **item = self->items; *item != NULL; item++)
    g_strstrip (*item);
  return TRUE;
}
