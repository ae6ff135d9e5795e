/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/weave/gcn-text.h"

#include "formats/neutrino/gcn-waits.h"
#include "formats/neutrino/save-line.h"
#include "src/base/error.h"

#include <string.h>

#define MOST_OFFSET 4095u
#define MOST_REGISTERS 256u

const char *const tt_gpu_gcn_operands[TT_GPU_GCN_N_OPERANDS] = { "ADDR", "OUT", "IN1", "IN2", "IN3", "IN4" };

/* In front of the probe's names, of which one may be like ours. */
#define OF_PROBE "p_"

/* Pairs of registers around the probe. */
static const char *const own_vectors[] = { "x", "n", "thread", "wave", "ADDR", "OUT", "IN1", "IN2", "IN3", "IN4" };
static const char *const own_scalars[] = { "scc", "exec", "all", "maps", "cc", "ok" };

/* What a kernel computes where it begins shares its registers with the probe: b, g and t of gcn-weave.c. */
#define N_BEGIN_SCALARS 16u

typedef struct
{
  char *name;
  gboolean is_vector;
  guint offset;
} Symbol;

static void
symbol_free (gpointer data)
{
  g_free (((Symbol *) data)->name);
  g_free (data);
}

static gboolean
fail (const TtGpuGcnText *self, const char *section, const char *fault, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: '%s': %s", self->file, section, fault);
  return FALSE;
}

/* -- symbols ------------------------------------------------------------------------------------------ */

static gboolean
is_in_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '$';
}

static gboolean
is_word (const char *text)
{
  const char *c = text;

  while (is_in_word (*c))
    c++;
  return c > text && *c == '\0';
}

/* What follows ".set ": "nv_x, NT_VGPR+2". */
static gboolean
read_symbol (TtGpuGcnText *self, const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", 2);
  guint64 offset = 0;

  if (g_strv_length (parts) != 2)
    return FALSE;
  const char *name = g_strstrip (parts[0]), *base = g_strstrip (parts[1]);
  gboolean is_vector = g_str_has_prefix (base, "NT_VGPR");
  if ((!is_vector && !g_str_has_prefix (base, "NT_SGPR")) || !is_word (name))
    return FALSE;
  base += strlen ("NT_VGPR");
  if (*base != '\0' && (*base != '+' || !g_ascii_string_to_unsigned (base + 1, 10, 0, MOST_REGISTERS, &offset, NULL)))
    return FALSE;
  Symbol *symbol = g_new0 (Symbol, 1);
  symbol->name = g_strdup (name);
  symbol->is_vector = is_vector;
  symbol->offset = (guint) offset;
  g_ptr_array_add (self->symbols, symbol);
  g_hash_table_add (self->names, symbol->name);
  guint *n = is_vector ? &self->n_vectors : &self->n_scalars;
  *n = MAX (*n, symbol->offset / 2 * 2 + 2);
  return TRUE;
}

static gboolean
read_symbols (TtGpuGcnText *self, const TtGpuSection *section, const char *code, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (code != NULL ? code : "", "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    {
      g_strstrip (*line);
      if (g_str_has_prefix (*line, ".reg") || strchr (*line, '%') != NULL)
        return fail (self, section->name, "this is for ptx: compile it for the kernel's machine (probe compile -t)",
                     error);
      if (!self->target->has_die_id && strstr (*line, "HW_REG_XCC_ID") != NULL)
        return fail (self, section->name, "this is for gfx942, the kernel for gfx90a", error);
      if (g_str_has_prefix (*line, ".set ") && !read_symbol (self, *line + strlen (".set ")))
        return fail (self, section->name, "a .set that is no word, or none of NT_VGPR or NT_SGPR", error);
    }
  return TRUE;
}

gboolean
tt_gpu_gcn_text_init (TtGpuGcnText *self,
                      const TtGpuProbe *probe,
                      const char *file,
                      const char *prefix,
                      const TtNlTarget *target,
                      GError **error)
{
  *self = (TtGpuGcnText){ .probe = probe, .file = file, .prefix = prefix, .target = target };
  self->symbols = g_ptr_array_new_with_free_func (symbol_free);
  self->names = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < probe->sections->len; i++)
    {
      const TtGpuSection *section = tt_gpu_probe_section (probe, i);

      if (!read_symbols (self, section, section->before, error) || !read_symbols (self, section, section->after, error))
        return FALSE;
    }
  return TRUE;
}

void
tt_gpu_gcn_text_clear (TtGpuGcnText *self)
{
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_clear_pointer (&self->symbols, g_ptr_array_unref);
}

void
tt_gpu_gcn_text_count (const TtGpuGcnText *self, guint *n_vectors, guint *n_scalars)
{
  *n_vectors = 2 * G_N_ELEMENTS (own_vectors) + 6 * self->probe->maps->len + self->n_vectors;
  *n_scalars = 2 * G_N_ELEMENTS (own_scalars) + MAX (self->n_scalars, N_BEGIN_SCALARS);
}

static void
set (const TtGpuGcnText *self, const char *name, guint number, GString *to)
{
  g_string_append_printf (to, ".set %s%s, %u\n", self->prefix, name, number);
}

void
tt_gpu_gcn_text_number (const TtGpuGcnText *self, guint vector, guint scalar, GString *to)
{
  static const char letters[] = "ceu";

  for (guint i = 0; i < G_N_ELEMENTS (own_vectors); i++, vector += 2)
    set (self, own_vectors[i], vector, to);
  for (guint i = 0; i < self->probe->maps->len; i++)
    for (const char *letter = letters; *letter != '\0'; letter++, vector += 2)
      {
        g_autofree char *name = g_strdup_printf ("%c%u", *letter, i);
        set (self, name, vector, to);
      }
  for (guint i = 0; i < G_N_ELEMENTS (own_scalars); i++, scalar += 2)
    set (self, own_scalars[i], scalar, to);
  set (self, "b", scalar, to);
  set (self, "g", scalar + 4, to);
  set (self, "t", scalar + 10, to);
  for (guint i = 0; i < self->symbols->len; i++)
    {
      const Symbol *symbol = self->symbols->pdata[i];
      g_autofree char *name = g_strconcat (OF_PROBE, symbol->name, NULL);
      set (self, name, (symbol->is_vector ? vector : scalar) + symbol->offset, to);
    }
}

/* -- lines -------------------------------------------------------------------------------------------- */

void
tt_gpu_gcn_append (const TtGpuGcnText *self, GString *to, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '{')
      g_string_append_printf (to, "[%s", self->prefix);
    else if (*c == '}')
      g_string_append_c (to, ']');
    else if (*c == '<')
      {
        int n = (int) strcspn (c + 1, ">");
        g_string_append_printf (to, "[%s%.*s:%s%.*s+1]", self->prefix, n, c + 1, self->prefix, n, c + 1);
        c += n + 1;
      }
    else
      g_string_append_c (to, *c);
}

static gboolean
reads_pairs (const char *line)
{
  static const char *const types[] = { "_b64", "_u64", "_i64", "_f64" };
  g_autofree char *name = g_strndup (line, strcspn (line, " \t"));

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (strstr (name, types[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* Of the hooked instruction: a pair, where the line reads 64 bits. */
static gboolean
append_operand (const TtGpuGcnText *self, const char *line, const char *word, gsize n, guint bytes, GString *to)
{
  gboolean is_wide = reads_pairs (line);

  if (n == 5 && strncmp (word, "BYTES", n) == 0)
    {
      g_string_append_printf (to, "%u", bytes);
      return TRUE;
    }
  for (guint i = 0; i < TT_GPU_GCN_N_OPERANDS; i++)
    if (n == strlen (tt_gpu_gcn_operands[i]) && strncmp (word, tt_gpu_gcn_operands[i], n) == 0)
      {
        tt_gpu_gcn_append (self, to, is_wide ? "v<%s>" : "v{%s}", tt_gpu_gcn_operands[i]);
        return TRUE;
      }
  return FALSE;
}

static void
append_line (const TtGpuGcnText *self, const char *line, guint bytes, GString *to)
{
  for (const char *at = line; *at != '\0';)
    {
      gsize n = 0;

      while (is_in_word (at[n]))
        n++;
      g_autofree char *word = g_strndup (at, MAX (n, 1));
      if (g_hash_table_contains (self->names, word))
        g_string_append_printf (to, "%s" OF_PROBE "%s", self->prefix, word);
      else if (n == 0 || !append_operand (self, line, at, n, bytes, to))
        g_string_append (to, word);
      at += MAX (n, 1);
    }
  g_string_append_c (to, '\n');
}

/* -- saves -------------------------------------------------------------------------------------------- */

static int
map_of_save (const TtGpuGcnText *self, const TtGpuSection *section, const TtNlSaveLine *save)
{
  for (guint i = 0; save->map != NULL && i < self->probe->maps->len; i++)
    if (g_str_equal (tt_gpu_probe_map (self->probe, i)->name, save->map))
      return (int) i;
  return save->map != NULL ? -1 : section->map;
}

static gboolean
append_stores (const TtGpuGcnText *self,
               const TtGpuSection *section,
               guint map,
               const TtNlSaveLine *save,
               GString *to,
               GError **error)
{
  const TtGpuMap *info = tt_gpu_probe_map (self->probe, map);

  for (guint i = 0; save->items[i] != NULL; i++)
    {
      guint width = save->map != NULL ? info->widths[i] : save->width;
      guint offset = save->map != NULL ? info->offsets[i] : i * save->width / 8;

      if (!g_hash_table_contains (self->names, save->items[i]))
        return fail (self, section->name, "a SAVE of what is no symbol", error);
      if (offset > MOST_OFFSET)
        return fail (self, section->name, "a SAVE of more than 4095 bytes", error);
      tt_gpu_gcn_append (self, to,
                         width == 64 ? "global_store_dwordx2 v<c%u>, v<" OF_PROBE "%s>, off offset:%u\n"
                                     : "global_store_dword v<c%u>, v{" OF_PROBE "%s}, off offset:%u\n",
                         map, save->items[i], offset);
    }
  return TRUE;
}

static gboolean
expand_save (const TtGpuGcnText *self,
             const TtGpuSection *section,
             const TtNlSaveLine *save,
             GString *to,
             GError **error)
{
  int found = map_of_save (self, section, save);
  guint map = (guint) found, n = g_strv_length (save->items);

  if (found < 0)
    return fail (self, section->name, "a SAVE goes to a map that there is not", error);
  const TtGpuMap *info = tt_gpu_probe_map (self->probe, map);
  if (info->is_warp != section->is_warp)
    return fail (self, section->name, "a SAVE of threads goes to a map of warps, or the other way round", error);
  if (save->guard != NULL || (save->map != NULL && n != info->n_fields))
    return fail (self, section->name, "a SAVE has a guard, or another number of values than its map has fields", error);
  tt_gpu_gcn_append (self, to,
                     "v_mov_b32_e32 v{x}, %u\n"
                     "v_add_co_u32_e64 v{u%u}, s<cc>, v{u%u}, v{x}\nv_addc_co_u32_e64 v{u%u+1}, s<cc>, 0, v{u%u+1}, "
                     "s<cc>\nv_add_co_u32_e64 v{n}, s<cc>, v{c%u}, v{x}\nv_addc_co_u32_e64 v{n+1}, s<cc>, 0, v{c%u+1}, "
                     "s<cc>\nv_cmp_le_u64_e64 s<cc>, v<n>, v<e%u>\ns_and_saveexec_b64 s<ok>, s<cc>\n",
                     save->map != NULL ? (guint) info->record_bytes : n * save->width / 8, map, map, map, map, map, map,
                     map);
  if (!append_stores (self, section, map, save, to, error))
    return FALSE;
  tt_gpu_gcn_append (self, to, "v_mov_b32_e32 v{c%u}, v{n}\nv_mov_b32_e32 v{c%u+1}, v{n+1}\ns_mov_b64 exec, s<ok>\n",
                     map, map);
  return TRUE;
}

/* -- all ------------------------------------------------------------------------------------------------ */

gboolean
tt_gpu_gcn_text_expand (const TtGpuGcnText *self,
                        const TtGpuSection *section,
                        const char *code,
                        guint bytes,
                        GString *to,
                        GError **error)
{
  g_auto (GStrv) lines = g_strsplit (code, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    {
      g_auto (TtNlSaveLine) save = { 0 };

      g_strstrip (*line);
      if (g_str_has_prefix (*line, ".set ") || **line == '\0')
        continue;
      if (!tt_nl_save_line_read (&save, *line, strlen (*line)))
        append_line (self, *line, bytes, to);
      else if (!expand_save (self, section, &save, to, error))
        return FALSE;
    }
  return TRUE;
}

void
tt_gpu_gcn_text_wait (const TtGpuGcnText *self, GString *text)
{
  tt_nl_gcn_add_waits (text, self->target, NULL, FALSE);
  if (text->len > 0 && text->str[text->len - 1] != '\n')
    g_string_append_c (text, '\n');
}
