/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/weave/text.h"

#include "formats/neutrino/save-line.h"
#include "src/base/error.h"

#include <string.h>

static gboolean
is_in_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '$' || c == '%';
}

/* Bytes of the word at @text; 0: there is none. */
static gsize
word_at (const char *text)
{
  gsize n = 0;

  if (g_ascii_isdigit (*text))
    return 0;
  while (is_in_word (text[n]))
    n++;
  return n;
}

gboolean
tt_gpu_text_has (const char *code, const char *word)
{
  for (const char *c = code; c != NULL && *c != '\0';)
    {
      gsize n = word_at (c);

      if (n == strlen (word) && strncmp (c, word, n) == 0)
        return TRUE;
      if (n == 0)
        while (g_ascii_isdigit (*c) && is_in_word (c[1]))
          c++;
      c += MAX (n, 1);
    }
  return FALSE;
}

/* -- names ------------------------------------------------------------------------------------------ */

/* What follows ".reg": a type, names, a semicolon. */
static void
note_declaration (TtGpuText *self, const char *text)
{
  const char *end = strchr (text, ';');

  while (end != NULL && text < end)
    {
      gsize n = word_at (text);

      if (n > 0 && *text == '%')
        g_hash_table_add (self->names, text[n] == '<' ? g_strndup (text, n + 1) : g_strndup (text, n));
      text += MAX (n, 1);
    }
}

static void
note_declarations (TtGpuText *self, const char *code)
{
  while (code != NULL && (code = strstr (code, ".reg")) != NULL)
    {
      code += strlen (".reg");
      note_declaration (self, code);
    }
}

void
tt_gpu_text_init (TtGpuText *self, const TtGpuProbe *probe, const char *file, const char *prefix)
{
  *self = (TtGpuText){ .probe = probe, .file = file, .prefix = prefix };
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_hash_table_add (self->names, g_strdup ("%NR<"));
  for (guint i = 0; i < probe->sections->len; i++)
    {
      note_declarations (self, tt_gpu_probe_section (probe, i)->before);
      note_declarations (self, tt_gpu_probe_section (probe, i)->after);
    }
}

void
tt_gpu_text_clear (TtGpuText *self)
{
  g_clear_pointer (&self->names, g_hash_table_unref);
}

static gboolean
is_declared (const TtGpuText *self, const char *word, gsize n, char next)
{
  g_autofree char *name = g_strndup (word, n), *family = NULL;
  gsize stem = n;

  if (g_hash_table_contains (self->names, name))
    return TRUE;
  while (next != '<' && stem > 0 && g_ascii_isdigit (word[stem - 1]))
    stem--;
  family = g_strdup_printf ("%.*s<", (int) stem, word);
  return (stem < n || next == '<') && g_hash_table_contains (self->names, family);
}

static gboolean
append_helper (const TtGpuText *self, const TtGpuSection *section, const char *word, gsize n, guint bytes, GString *to)
{
  static const char *const words[] = { "ADDR", "OUT", "IN1", "IN2", "IN3", "IN4" };

  if (n == 5 && strncmp (word, "BYTES", n) == 0)
    {
      g_string_append_printf (to, "%u", bytes);
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (n == strlen (words[i]) && strncmp (word, words[i], n) == 0)
      {
        g_string_append_printf (to, "%%%s%s%s", self->prefix, words[i], i == 0 && section->is_narrow ? "_32" : "");
        return TRUE;
      }
  return FALSE;
}

static void
append_renamed (const TtGpuText *self,
                const TtGpuSection *section,
                const char *text,
                gsize len,
                guint bytes,
                GString *to)
{
  for (gsize at = 0; at < len;)
    {
      gsize n = MIN (word_at (text + at), len - at);

      if (n == 0)
        do
          g_string_append_c (to, text[at++]);
        while (at < len && g_ascii_isdigit (text[at - 1]) && is_in_word (text[at]));
      else
        {
          if (text[at] == '%' && is_declared (self, text + at, n, text[at + n]))
            g_string_append_printf (to, "%%%sp_%.*s", self->prefix, (int) n - 1, text + at + 1);
          else if (!append_helper (self, section, text + at, n, bytes, to))
            g_string_append_len (to, text + at, (gssize) n);
          at += n;
        }
    }
}

/* -- saves ------------------------------------------------------------------------------------------- */

/* Stores of 8 bytes only where all records begin at multiples of 8. */
static void
append_store (const TtGpuText *self,
              guint map,
              guint offset,
              guint width,
              const char *item,
              gboolean is_wide,
              GString *to)
{
  const char *p = self->prefix;
  gboolean is_aligned = tt_gpu_probe_map (self->probe, map)->record_bytes % 8 == 0 && offset % 8 == 0;

  if (width == 32)
    g_string_append_printf (to, "%s %%%sw, %s; @%%%sok st.global.u32 [%%%sc%u+%u], %%%sw;\n",
                            is_wide ? "cvt.u32.u64" : "mov.u32", p, item, p, p, map, offset, p);
  else if (is_aligned)
    g_string_append_printf (to, "mov.u64 %%%sx, %s; @%%%sok st.global.u64 [%%%sc%u+%u], %%%sx;\n", p, item, p, p, map,
                            offset, p);
  else
    g_string_append_printf (
        to,
        "mov.u64 %%%sx, %s; cvt.u32.u64 %%%sw, %%%sx; @%%%sok st.global.u32 [%%%sc%u+%u], %%%sw;\n"
        "shr.u64 %%%sx, %%%sx, 32; cvt.u32.u64 %%%sw, %%%sx; @%%%sok st.global.u32 [%%%sc%u+%u], %%%sw;\n",
        p, item, p, p, p, p, map, offset, p, p, p, p, p, p, p, map, offset + 4, p);
}

static gboolean
fail_save (const TtGpuText *self, const TtGpuSection *section, GError **error, const char *fault)
{
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: '%s': %s", self->file, section->name, fault);
  return FALSE;
}

static int
map_of_save (const TtGpuText *self, const TtGpuSection *section, const TtNlSaveLine *save)
{
  for (guint i = 0; save->map != NULL && i < self->probe->maps->len; i++)
    if (g_str_equal (tt_gpu_probe_map (self->probe, i)->name, save->map))
      return (int) i;
  return save->map != NULL ? -1 : section->map;
}

static gboolean
append_items (TtGpuText *self,
              const TtGpuSection *section,
              guint map,
              const TtNlSaveLine *save,
              guint moved,
              guint *bytes,
              GString *to,
              GError **error)
{
  const TtGpuMap *info = tt_gpu_probe_map (self->probe, map);
  guint n = g_strv_length (save->items);

  *bytes = save->map == NULL ? n * save->width / 8 : (guint) info->record_bytes;
  if (save->map != NULL && n != info->n_fields)
    return fail_save (self, section, error, "a SAVE has another number of values than its map has fields");
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GString) item = g_string_new (NULL);

      append_renamed (self, section, save->items[i], strlen (save->items[i]), moved, item);
      if (save->map != NULL)
        append_store (self, map, info->offsets[i], info->widths[i], item->str, TRUE, to);
      else
        append_store (self, map, i * save->width / 8, save->width, item->str, FALSE, to);
    }
  return TRUE;
}

static gboolean
expand_save (TtGpuText *self,
             const TtGpuSection *section,
             const TtNlSaveLine *save,
             guint moved,
             GString *to,
             GError **error)
{
  const char *p = self->prefix;
  int map = map_of_save (self, section, save);
  g_autoptr (GString) stores = g_string_new (NULL), guard = g_string_new (NULL);
  guint bytes, label = self->n_labels++;

  if (map < 0)
    return fail_save (self, section, error, "a SAVE goes to a map that there is not");
  if (tt_gpu_probe_map (self->probe, map)->is_warp != section->is_warp)
    return fail_save (self, section, error, "a SAVE of threads goes to a map of warps, or the other way round");
  if (!append_items (self, section, (guint) map, save, moved, &bytes, stores, error))
    return FALSE;
  if (save->guard != NULL)
    {
      append_renamed (self, section, save->guard, strlen (save->guard), 0, guard);
      gboolean is_inverted = guard->str[1] == '!';
      g_string_append_printf (to, "@%s%s bra %sS%u;\n", is_inverted ? "" : "!", guard->str + (is_inverted ? 2 : 1), p,
                              label);
    }
  g_string_append_printf (
      to, "add.u64 %%%su%d, %%%su%d, %u; add.u64 %%%sn, %%%sc%d, %u; setp.le.u64 %%%sok, %%%sn, %%%se%d;\n", p, map, p,
      map, bytes, p, p, map, bytes, p, p, p, map);
  g_string_append (to, stores->str);
  g_string_append_printf (to, "@%%%sok mov.u64 %%%sc%d, %%%sn;\n", p, p, map, p);
  if (save->guard != NULL)
    g_string_append_printf (to, "%sS%u:\n", p, label);
  return TRUE;
}

/* -- lines ---------------------------------------------------------------------------------------------- */

gboolean
tt_gpu_text_expand (TtGpuText *self,
                    const TtGpuSection *section,
                    const char *code,
                    guint bytes,
                    GString *declarations,
                    GString *to,
                    GError **error)
{
  g_auto (GStrv) lines = g_strsplit (code, "\n", -1);
  guint depth = 0;

  for (char **line = lines; *line != NULL; line++)
    {
      g_auto (TtNlSaveLine) save = { 0 };

      g_strstrip (*line);
      gboolean is_declaration = declarations != NULL && depth == 0 && g_str_has_prefix (*line, ".reg");
      if (tt_nl_save_line_read (&save, *line, strlen (*line)))
        {
          if (!expand_save (self, section, &save, bytes, to, error))
            return FALSE;
          continue;
        }
      if (tt_gpu_text_has (*line, "SAVE"))
        return fail_save (self, section, error, "a line with SAVE that is no SAVE");
      GString *target = is_declaration ? declarations : to;
      append_renamed (self, section, *line, strlen (*line), bytes, target);
      g_string_append_c (target, '\n');
      for (const char *c = *line; *c != '\0'; c++)
        depth += *c == '{' ? 1 : *c == '}' && depth > 0 ? (guint) -1 : 0;
    }
  return TRUE;
}
