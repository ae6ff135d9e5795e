/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/arg-value.h"

#include <string.h>

/* Behind the string that begins at @at; NULL: it does not end. */
static const char *
skip_string (const char *at)
{
  for (at++; *at != '"'; at++)
    if (*at == '\0' || (*at == '\\' && *++at == '\0'))
      return NULL;
  return at + 1;
}

static const char *
skip_blanks (const char *at)
{
  while (*at == ' ' || *at == '\n' || *at == '\t')
    at++;
  return at;
}

const char *
tt_arg_value (const char *json, const char *name)
{
  gsize len = strlen (name);
  int depth = 0;

  for (const char *at = json; at != NULL && *at != '\0';)
    {
      if (*at != '"')
        {
          depth += *at == '{' || *at == '[' ? 1 : *at == '}' || *at == ']' ? -1 : 0;
          at++;
          continue;
        }
      const char *end = skip_string (at);
      if (end == NULL)
        return NULL;
      gboolean is_it = depth == 1 && (gsize) (end - at) == len + 2 && memcmp (at + 1, name, len) == 0;
      at = skip_blanks (end);
      if (is_it && *at == ':')
        return skip_blanks (at + 1);
    }
  return NULL;
}

gsize
tt_arg_value_length (const char *value)
{
  const char *end = value;

  if (*value == '"')
    end = skip_string (value);
  else
    while (g_ascii_isalnum (*end) || *end == '-' || *end == '+' || *end == '.')
      end++;
  return end == NULL ? 0 : (gsize) (end - value);
}
