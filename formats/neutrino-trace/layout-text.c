/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/layout-private.h"

#include "src/base/error.h"

#include <string.h>

static gboolean G_GNUC_PRINTF (4, 5)
    fail_line (const TtNeutrinoLayout *self, guint line, GError **error, const char *fault, ...)
{
  va_list args;

  va_start (args, fault);
  g_autofree char *text = g_strdup_vprintf (fault, args);
  va_end (args);
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: %s", self->path, line, text);
  return FALSE;
}

static gboolean
parse_level (const char *text, gboolean *is_warp)
{
  *is_warp = g_str_equal (text, "warp");
  return *is_warp || g_str_equal (text, "thread");
}

static gboolean
parse_count (const char *text, guint64 most, guint64 *count)
{
  return g_ascii_string_to_unsigned (text, 10, 1, most, count, NULL);
}

static TtNeutrinoMap *
find_map (const TtNeutrinoLayout *self, const char *name)
{
  for (guint i = 0; i < self->maps->len; i++)
    if (g_str_equal (((const TtNeutrinoMap *) self->maps->pdata[i])->name, name))
      return self->maps->pdata[i];
  return NULL;
}

static TtNeutrinoMap *
add_map (TtNeutrinoLayout *self, const char *name, guint line, GError **error)
{
  if (find_map (self, name) != NULL)
    return fail_line (self, line, error, "map '%s' is there twice", name), NULL;
  if (self->maps->len == TT_NEUTRINO_MAX_MAPS)
    return fail_line (self, line, error, "more than %u maps", TT_NEUTRINO_MAX_MAPS), NULL;
  TtNeutrinoMap *map = tt_neutrino_map_new (name);
  g_ptr_array_add (self->maps, map);
  return map;
}

static gboolean
finish_map (TtNeutrinoLayout *self, TtNeutrinoMap *map, guint line, GError **error)
{
  guint bytes = tt_neutrino_map_arrange (map);

  return bytes == map->record_bytes ||
         fail_line (self, line, error, "map '%s': fields take %u bytes, size is %u", map->name, bytes,
                    map->record_bytes);
}

/* -- the text of --layout ---------------------------------------------------------------------------------- */

enum
{
  WORD_AREA,
  WORD_LEVEL,
  WORD_CAP,
  WORD_RECORD,
  WORD_OFFSET,
  WORD_TYPE,
  WORD_FIELD,
  WORD_CONDITION, /* "(conditional)", or not there */
  MAX_WORDS,
};

typedef struct
{
  TtNeutrinoLayout *layout;
  TtNeutrinoMap *map; /* of the line before */
  guint at;           /* where its last field ends */
  gboolean varies;    /* the places of its fields are not the same in all records */
  guint line;
} Reader;

/* Fields that are not always at one place are read as words. */
static gboolean
finish_area (Reader *self, GError **error)
{
  if (self->map == NULL || !self->varies)
    return self->map == NULL || finish_map (self->layout, self->map, self->line, error);
  tt_neutrino_layout_set_words (self->layout, self->layout->maps->len - 1, "saves other fields on other conditions");
  return TRUE;
}

static gboolean
begin_area (Reader *self, char *const *words, GError **error)
{
  guint64 bytes = 0, cap = 0;
  gboolean is_warp = FALSE;

  if (!finish_area (self, error))
    return FALSE;
  self->map = add_map (self->layout, words[WORD_AREA], self->line, error);
  if (self->map == NULL)
    return FALSE;
  if (!parse_level (words[WORD_LEVEL], &is_warp))
    return fail_line (self->layout, self->line, error, "level is neither thread nor warp");
  if (!g_str_equal (words[WORD_CAP], "dynamic") && !parse_count (words[WORD_CAP], G_MAXUINT32, &cap))
    return fail_line (self->layout, self->line, error, "cap is neither a count nor dynamic");
  if (!parse_count (words[WORD_RECORD], 8 * TT_NEUTRINO_MAX_FIELDS, &bytes) || bytes % 4 != 0)
    return fail_line (self->layout, self->line, error, "record is not a multiple of 4 from 4 to %u",
                      8 * TT_NEUTRINO_MAX_FIELDS);
  self->map->is_warp = is_warp;
  self->map->cap = cap;
  self->map->is_dynamic = cap == 0;
  self->map->record_bytes = (guint) bytes;
  self->at = 0;
  self->varies = FALSE;
  return TRUE;
}

static gboolean
read_field (Reader *self, char *const *words, guint n, GError **error)
{
  guint64 offset = 0;
  gboolean is_u64 = g_str_equal (words[WORD_TYPE], "u64"), varies = g_str_equal (words[WORD_OFFSET], "varies");

  if (!is_u64 && !g_str_equal (words[WORD_TYPE], "u32"))
    return fail_line (self->layout, self->line, error, "type is neither u32 nor u64");
  if (!varies && !g_ascii_string_to_unsigned (words[WORD_OFFSET], 10, 0, G_MAXUINT32, &offset, NULL))
    return fail_line (self->layout, self->line, error, "offset is neither a number nor varies");
  /* A conditional field at a place of its own is there, or is zero. */
  if (varies || (n > WORD_CONDITION && offset != self->at))
    self->varies = TRUE;
  if (self->varies)
    return TRUE;
  if (offset != self->at)
    return fail_line (self->layout, self->line, error, "field '%s' is at %u, not where the one before ends: %u",
                      words[WORD_FIELD], (guint) offset, self->at);
  self->at += is_u64 ? 8 : 4;
  return tt_neutrino_map_add (self->map, words[WORD_FIELD], is_u64) ||
         fail_line (self->layout, self->line, error, "more than %u fields", TT_NEUTRINO_MAX_FIELDS);
}

static guint
split_words (char *text, char *words[MAX_WORDS])
{
  guint n = 0;
  char *word;

  while (n < MAX_WORDS && (word = strsep (&text, " \t\r")) != NULL)
    if (*word != '\0')
      words[n++] = word;
  return n;
}

static gboolean
read_line (Reader *self, char *text, GError **error)
{
  char *words[MAX_WORDS];
  guint n = split_words (text, words);

  if (n == 0 || (n == WORD_CONDITION && g_str_equal (words[WORD_AREA], "area")))
    return TRUE;
  if (n < WORD_CONDITION)
    return fail_line (self->layout, self->line, error,
                      "fewer columns than area, level, cap, record, offset, type, field");
  return ((self->map != NULL && g_str_equal (self->map->name, words[WORD_AREA])) || begin_area (self, words, error)) &&
         read_field (self, words, n, error);
}

gboolean
tt_neutrino_layout_is_text (const char *text, gsize len)
{
  gsize at = 0;

  while (at < len && g_ascii_isspace (text[at]))
    at++;
  if (len - at < 5 || memcmp (text + at, "area ", 5) != 0)
    return FALSE;
  for (at += 5; at < len && text[at] == ' '; at++)
    ;
  return len - at > 6 && memcmp (text + at, "level ", 6) == 0;
}

gboolean
tt_neutrino_layout_read_text (TtNeutrinoLayout *layout, const char *text, gsize len, GError **error)
{
  Reader self = { .layout = layout };

  for (const char *from = text, *end = text + len; from < end;)
    {
      const char *newline = memchr (from, '\n', (gsize) (end - from));
      g_autofree char *copy = g_strndup (from, (gsize) ((newline == NULL ? end : newline) - from));

      self.line++;
      from = newline == NULL ? end : newline + 1;
      if (!g_utf8_validate (copy, -1, NULL))
        return fail_line (layout, self.line, error, "not UTF-8");
      if (!read_line (&self, copy, error))
        return FALSE;
    }
  if (self.map == NULL)
    return fail_line (layout, self.line, error, "no field");
  return finish_area (&self, error);
}
