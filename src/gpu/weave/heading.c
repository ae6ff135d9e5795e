/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/weave/heading.h"

#include <string.h>

#define HEAD "// woven by tracetool: "
#define MARK "//| "

gboolean
tt_gpu_is_woven (const char *text)
{
  return g_str_has_prefix (text, HEAD);
}

void
tt_gpu_heading_append (const char *param, const char *toml, GString *to)
{
  g_auto (GStrv) lines = g_strsplit (toml, "\n", -1);

  g_string_append_printf (to, HEAD "%s\n", param);
  for (char **line = lines; *line != NULL; line++)
    g_string_append_printf (to, MARK "%s\n", *line);
}

gboolean
tt_gpu_woven_read (const char *text, char **param, char **toml)
{
  const char *line = text;
  g_autoptr (GString) lines = g_string_new (NULL);

  if (!g_str_has_prefix (text, HEAD))
    return FALSE;
  line += strlen (HEAD);
  *param = g_strndup (line, strcspn (line, "\n"));
  for (line = strchr (line, '\n'); line != NULL && g_str_has_prefix (line + 1, MARK); line = strchr (line + 1, '\n'))
    {
      const char *begin = line + 1 + strlen (MARK);
      g_string_append_len (lines, begin, (gssize) strcspn (begin, "\n"));
      g_string_append_c (lines, '\n');
    }
  *toml = g_string_free (g_steal_pointer (&lines), FALSE);
  return TRUE;
}
