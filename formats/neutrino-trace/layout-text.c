#include "config.h"

#include "formats/neutrino-trace/layout-private.h"

#include "src/error.h"

#include <string.h>

#define MOST_WORDS 6

/* -- what both ways share ------------------------------------------------------------------------------------ */

gboolean
layout_fail (const TtNeutrinoLayout *self, guint line, GError **error, const char *fault, ...)
{
  va_list args;

  va_start (args, fault);
  g_autofree char *text = g_strdup_vprintf (fault, args);
  va_end (args);
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: %s", self->path, line, text);
  return FALSE;
}

gboolean
layout_parse_level (const char *text, gboolean *is_warp)
{
  *is_warp = g_str_equal (text, "warp");
  return *is_warp || g_str_equal (text, "thread");
}

gboolean
layout_parse_count (const char *text, guint64 most, guint64 *count)
{
  return g_ascii_string_to_unsigned (text, 10, 1, most, count, NULL);
}

TtNeutrinoMap *
layout_find_map (const TtNeutrinoLayout *self, const char *name)
{
  for (guint i = 0; i < self->maps->len; i++)
    if (g_str_equal (((const TtNeutrinoMap *) self->maps->pdata[i])->name, name))
      return self->maps->pdata[i];
  return NULL;
}

TtNeutrinoMap *
layout_add_map (TtNeutrinoLayout *self, const char *name, guint line, GError **error)
{
  if (layout_find_map (self, name) != NULL)
    return layout_fail (self, line, error, "map '%s' is there twice", name), NULL;
  if (self->maps->len == TT_NEUTRINO_MOST_MAPS)
    return layout_fail (self, line, error, "more than %u maps", TT_NEUTRINO_MOST_MAPS), NULL;
  TtNeutrinoMap *map = tt_neutrino_map_new (name);
  g_ptr_array_add (self->maps, map);
  return map;
}

gboolean
layout_finish_map (TtNeutrinoLayout *self, TtNeutrinoMap *map, gboolean u64_first, guint line, GError **error)
{
  guint bytes = tt_neutrino_map_arrange (map, u64_first);

  if (map->record_bytes == 0)
    map->record_bytes = bytes;
  if (bytes != map->record_bytes)
    return layout_fail (self, line, error, "map '%s': fields take %u bytes, size is %u", map->name, bytes,
                        map->record_bytes);
  return bytes > 0 || layout_fail (self, line, error, "map '%s' has neither size nor fields", map->name);
}

/* -- the text of --layout ---------------------------------------------------------------------------------- */

/* map NAME thread|warp BYTES CAP|dynamic */
static TtNeutrinoMap *
read_map (TtNeutrinoLayout *self, char *const *words, guint n, guint line, GError **error)
{
  TtNeutrinoMap *map = layout_add_map (self, n > 1 ? words[1] : "", line, error);
  guint64 bytes = 0, cap = 0;

  if (map == NULL)
    return NULL;
  if (n != 5 || !layout_parse_level (words[2], &map->is_warp) ||
      !layout_parse_count (words[3], 8 * TT_NEUTRINO_MOST_FIELDS, &bytes) || bytes % 4 != 0 ||
      !(g_str_equal (words[4], "dynamic") || layout_parse_count (words[4], G_MAXUINT32, &cap)))
    return layout_fail (self, line, error, "not 'map NAME thread|warp BYTES CAP|dynamic'"), NULL;
  map->record_bytes = (guint) bytes;
  map->cap = cap;
  map->is_dynamic = cap == 0;
  return map;
}

/* field NAME u64|u32 OFFSET */
static gboolean
read_field (const TtNeutrinoLayout *self,
            TtNeutrinoMap *map,
            char *const *words,
            guint n,
            guint *at,
            guint line,
            GError **error)
{
  guint64 offset = 0;
  gboolean is_u64 = n > 2 && g_str_equal (words[2], "u64");

  if (map == NULL)
    return layout_fail (self, line, error, "a field before the first map");
  if (n != 4 || (!is_u64 && !g_str_equal (words[2], "u32")) ||
      !g_ascii_string_to_unsigned (words[3], 10, 0, G_MAXUINT32, &offset, NULL))
    return layout_fail (self, line, error, "not 'field NAME u64|u32 OFFSET'");
  if (offset != *at)
    return layout_fail (self, line, error, "field '%s' is at %u, not where the one before ends: %u", words[1],
                        (guint) offset, *at);
  *at += is_u64 ? 8 : 4;
  return tt_neutrino_map_add (map, words[1], is_u64) ||
         layout_fail (self, line, error, "more than %u fields", TT_NEUTRINO_MOST_FIELDS);
}

static guint
split (char *text, char *words[MOST_WORDS])
{
  guint n = 0;
  char *word;

  while (n < MOST_WORDS && (word = strsep (&text, " \t\r")) != NULL)
    if (*word != '\0')
      words[n++] = word;
  return n;
}

gboolean
layout_read_text (TtNeutrinoLayout *self, const char *text, gsize len, GError **error)
{
  TtNeutrinoMap *map = NULL;
  guint at = 0, line = 0;

  for (const char *from = text, *end = text + len; from < end;)
    {
      const char *newline = memchr (from, '\n', (gsize) (end - from));
      g_autofree char *copy = g_strndup (from, (gsize) ((newline == NULL ? end : newline) - from));
      char *words[MOST_WORDS];
      guint n;

      line++;
      from = newline == NULL ? end : newline + 1;
      if (!g_utf8_validate (copy, -1, NULL))
        return layout_fail (self, line, error, "not UTF-8");
      copy[strcspn (copy, "#")] = '\0';
      n = split (copy, words);
      if (n == 0)
        continue;
      if (g_str_equal (words[0], "map"))
        {
          if (map != NULL && !layout_finish_map (self, map, FALSE, line - 1, error))
            return FALSE;
          at = 0;
          map = read_map (self, words, n, line, error);
          if (map == NULL)
            return FALSE;
        }
      else if (!g_str_equal (words[0], "field"))
        return layout_fail (self, line, error, "neither 'map' nor 'field' but '%.40s'", words[0]);
      else if (!read_field (self, map, words, n, &at, line, error))
        return FALSE;
    }
  return map == NULL ? layout_fail (self, line, error, "no map") : layout_finish_map (self, map, FALSE, line, error);
}
