/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/gcn/expression.h"
#include "formats/gcn/metadata.h"
#include "formats/gcn/operand.h"
#include "src/base/error.h"

#include <string.h>

#define MOST_REPEATS 4096
#define MOST_LINES (1u << 23) /* those that are repeated count each time */
#define MOST_DATA (1u << 26)
#define MOST_WAITING (1u << 20)
#define MOST_ROUNDS 64u

typedef struct
{
  TtGcnModule *module;
  const char *name; /* of the file */
  GError **error;
  TtGcnMetadata metadata;
  gboolean in_metadata;
  TtGcnKernel *kernel; /* whose descriptor is read */
  TtGcnData *data;     /* of the last label, where constants may follow */
  char **lines;
  guint n_read, depth;
  guint32 *places; /* of lines in the text */
  gsize n_bytes;
  GArray *waiting; /* of Waiting */
} Reader;

/* A symbol, or a number of a descriptor, of symbols that stand further down. */
typedef struct
{
  TtGcnKernel *kernel; /* NULL: a symbol */
  const char *name, *text;
} Waiting;

static gboolean
fail (const Reader *self, guint line, const char *what, const char *why)
{
  g_set_error (self->error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %u: '%.200s': %s", self->name, line + 1, what, why);
  return FALSE;
}

/* Without its comment, and blanks at its end. */
static void
cut_comment (char *line)
{
  gboolean in_string = FALSE;

  for (char *c = line; *c != '\0'; c++)
    {
      in_string = in_string != (*c == '"');
      if (!in_string && (*c == ';' || (*c == '/' && c[1] == '/')))
        *c = '\0';
      if (*c == '\0')
        break;
    }
  g_strchomp (line);
}

/* -- directives ----------------------------------------------------------------------------------- */

/* FALSE: a symbol of @text is not known yet. */
static gboolean
give_value (const Reader *self, TtGcnKernel *kernel, const char *name, const char *text)
{
  gint64 value = 0;

  if (!tt_gcn_expression (self->module, text, &value))
    return FALSE;
  g_hash_table_replace (kernel == NULL ? self->module->symbols : kernel->descriptor,
                        g_string_chunk_insert_const (self->module->words, name), g_memdup2 (&value, sizeof value));
  return TRUE;
}

static void
give_or_wait (Reader *self, TtGcnKernel *kernel, const char *name, const char *text)
{
  if (give_value (self, kernel, name, text) || self->waiting->len >= MOST_WAITING)
    return;
  const Waiting waiting = { kernel, g_string_chunk_insert_const (self->module->words, name),
                            g_string_chunk_insert_const (self->module->words, text) };
  g_array_append_val (self->waiting, waiting);
}

/* One may wait for another; what waits for nothing that comes stays unknown. */
static void
end_waiting (Reader *self)
{
  guint left = self->waiting->len, n;

  for (guint round = 0; round < MOST_ROUNDS && left > 0; round++)
    {
      n = 0;
      for (guint i = 0; i < left; i++)
        {
          Waiting *waiting = &g_array_index (self->waiting, Waiting, i);
          gboolean is_set = waiting->kernel == NULL && g_hash_table_contains (self->module->symbols, waiting->name);
          if (!is_set && !give_value (self, waiting->kernel, waiting->name, waiting->text))
            g_array_index (self->waiting, Waiting, n++) = *waiting;
        }
      if (n == left)
        return;
      left = n;
    }
}

static void
set_symbol (Reader *self, const char *text)
{
  const char *comma = strchr (text, ',');

  if (comma == NULL)
    return;
  g_autofree char *name = g_strstrip (g_strndup (text, (gsize) (comma - text)));
  give_or_wait (self, NULL, name, comma + 1);
}

/* "amdgcn-amd-amdhsa--gfx90a:xnack-" */
static void
set_target (Reader *self, const char *text)
{
  const char *at = strstr (text, "gfx");

  if (at != NULL)
    {
      g_autofree char *name = g_strndup (at, strspn (at, "gfx0123456789abcdef"));
      self->module->target = g_string_chunk_insert_const (self->module->words, name);
    }
}

static void
add_data (Reader *self, const char *text, guint size)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  for (char **part = parts; *part != NULL && self->data != NULL && self->n_bytes < MOST_DATA; part++)
    {
      gint64 value = 0;

      tt_gcn_expression (self->module, *part, &value);
      value = (gint64) GUINT64_TO_LE ((guint64) value);
      g_byte_array_append (self->data->bytes, (const guint8 *) &value, size);
      self->n_bytes += size;
    }
}

static void
read_data (Reader *self, const char *word, const char *rest)
{
  static const struct
  {
    const char *name;
    guint size;
  } sizes[] = { { ".byte", 1 }, { ".short", 2 }, { ".long", 4 }, { ".quad", 8 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    if (g_str_equal (word, sizes[i].name))
      add_data (self, rest, sizes[i].size);
  if (g_str_equal (word, ".zero") && self->data != NULL)
    {
      guint64 n = MIN (g_ascii_strtoull (rest, NULL, 10), MOST_DATA - self->n_bytes);
      guint before = self->data->bytes->len;

      if (n == 0)
        return;
      g_byte_array_set_size (self->data->bytes, before + (guint) n);
      memset (self->data->bytes->data + before, 0, n);
      self->n_bytes += n;
    }
}

static void
read_directive (Reader *self, const char *word, const char *rest)
{
  if (g_str_equal (word, ".amdgcn_target"))
    set_target (self, rest);
  else if (g_str_equal (word, ".set"))
    set_symbol (self, rest);
  else if (g_str_equal (word, ".amdhsa_kernel"))
    {
      self->kernel = tt_gcn_kernel_find (self->module, rest);
      self->kernel->has_descriptor = TRUE;
    }
  else if (g_str_equal (word, ".end_amdhsa_kernel"))
    self->kernel = NULL;
  else if (g_str_equal (word, ".amdgpu_metadata"))
    self->in_metadata = TRUE;
  else if (self->kernel != NULL && g_str_has_prefix (word, ".amdhsa_"))
    give_or_wait (self, self->kernel, word + strlen (".amdhsa_"), rest);
  else
    read_data (self, word, rest);
}

/* -- lines ------------------------------------------------------------------------------------------ */

static gboolean
add_instruction (Reader *self, guint line, const char *word, const char *rest)
{
  TtGcnInstruction instruction = { .line = line + 1, .begin = self->places[line], .end = self->places[line + 1] };

  if (self->module->instructions->len == TT_GCN_MAX_INSTRUCTIONS)
    return fail (self, line, word, "more than 1048576 instructions");
  instruction.name = g_string_chunk_insert_const (self->module->words, word);
  g_autofree char *odd = tt_gcn_operands_read (self->module, rest, &instruction);
  if (odd != NULL)
    return fail (self, line, odd, "this is no operand");
  g_array_append_val (self->module->instructions, instruction);
  self->data = NULL;
  return TRUE;
}

static gboolean
add_label (Reader *self, guint line, const char *name)
{
  GHashTable *labels = self->module->labels;

  if (g_hash_table_contains (labels, name))
    return fail (self, line, name, "this label is there already");
  name = g_string_chunk_insert_const (self->module->words, name);
  g_hash_table_insert (labels, (gpointer) name, GUINT_TO_POINTER (self->module->instructions->len + 1));
  self->data = g_new0 (TtGcnData, 1);
  self->data->name = name;
  self->data->bytes = g_byte_array_new ();
  g_hash_table_insert (self->module->data, (gpointer) name, self->data);
  return TRUE;
}

static gboolean
read_line (Reader *self, guint line)
{
  char *text = self->lines[line] + strspn (self->lines[line], " \t");
  gsize len = strcspn (text, " \t:");

  while (*text != '\0' && text[len] == ':')
    {
      g_autofree char *name = g_strndup (text, len);

      if (!add_label (self, line, name))
        return FALSE;
      text += len + 1;
      text += strspn (text, " \t");
      len = strcspn (text, " \t:");
    }
  if (*text == '\0')
    return TRUE;
  g_autofree char *word = g_strndup (text, len);
  const char *rest = text + len + strspn (text + len, " \t");
  if (*word == '.')
    {
      read_directive (self, word, rest);
      return TRUE;
    }
  return add_instruction (self, line, word, rest);
}

/* Behind ".rept": where its ".endr" is; @end: there is none. */
static guint
find_end (const Reader *self, guint first, guint end)
{
  guint depth = 1;

  for (; first < end; first++)
    {
      const char *text = self->lines[first] + strspn (self->lines[first], " \t");

      depth += g_str_has_prefix (text, ".rept");
      depth -= g_str_has_prefix (text, ".endr");
      if (depth == 0)
        break;
    }
  return first;
}

static gboolean
read_lines (Reader *self, guint first, guint end)
{
  for (guint i = first; i < end; i++)
    {
      const char *text = self->lines[i] + strspn (self->lines[i], " \t");

      if (++self->n_read > MOST_LINES)
        return fail (self, i, text, "more than 8388608 lines");
      if (self->in_metadata)
        {
          self->in_metadata = !g_str_has_prefix (text, ".end_amdgpu_metadata");
          if (self->in_metadata)
            tt_gcn_metadata_line (&self->metadata, self->lines[i]);
          else
            tt_gcn_metadata_end (&self->metadata);
          continue;
        }
      if (!g_str_has_prefix (text, ".rept"))
        {
          if (!read_line (self, i))
            return FALSE;
          continue;
        }
      guint last = find_end (self, i + 1, end);
      gint64 times;
      if (last == end || !tt_gcn_expression (self->module, text + 5, &times) || times < 0 || times > MOST_REPEATS ||
          self->depth > 0)
        return fail (self, i, text, "it has no end, is within another, or goes on too often");
      self->depth++;
      for (gint64 n = 0; n < times; n++)
        if (!read_lines (self, i + 1, last))
          return FALSE;
      self->depth--;
      i = last;
    }
  return TRUE;
}

/* -- all ---------------------------------------------------------------------------------------------- */

gboolean
tt_gcn_is_module (const char *text, gsize len)
{
  return len > 0 && (g_strstr_len (text, (gssize) len, ".amdgcn_target") != NULL ||
                     g_strstr_len (text, (gssize) len, ".amdhsa_kernel") != NULL);
}

static void
data_free (gpointer data)
{
  g_byte_array_unref (((TtGcnData *) data)->bytes);
  g_free (data);
}

static gboolean
find_entries (TtGcnModule *self, const char *name, GError **error)
{
  for (guint i = 0; i < self->kernels->len; i++)
    {
      TtGcnKernel *kernel = self->kernels->pdata[i];
      guint entry = GPOINTER_TO_UINT (g_hash_table_lookup (self->labels, kernel->name));

      if (entry == 0)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: kernel '%s' has no code", name, kernel->name);
          return FALSE;
        }
      kernel->entry = entry - 1;
    }
  return TRUE;
}

TtGcnModule *
tt_gcn_module_new (const char *name, const char *text, gsize len, GError **error)
{
  g_autoptr (TtGcnModule) self = g_new0 (TtGcnModule, 1);
  g_autofree char *copy = g_strndup (text, len);
  g_auto (GStrv) lines = g_strsplit (copy, "\n", -1);
  guint n = g_strv_length (lines);
  g_autofree guint32 *places = g_new0 (guint32, n + 1);
  Reader reader = {
    .module = self, .name = name, .error = error, .lines = lines, .places = places, .metadata.module = self
  };

  self->instructions = g_array_new (FALSE, TRUE, sizeof (TtGcnInstruction));
  self->kernels = g_ptr_array_new_with_free_func (tt_gcn_kernel_free);
  self->data = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, data_free);
  self->labels = g_hash_table_new (g_str_hash, g_str_equal);
  self->symbols = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  self->words = g_string_chunk_new (4096);
  for (guint i = 0; i < n; i++)
    {
      places[i + 1] = places[i] + (guint32) strlen (lines[i]) + 1;
      cut_comment (lines[i]);
    }
  g_autoptr (GArray) waiting = g_array_new (FALSE, FALSE, sizeof (Waiting));
  reader.waiting = waiting;
  gboolean ok = read_lines (&reader, 0, n);
  end_waiting (&reader);
  tt_gcn_metadata_end (&reader.metadata);
  return ok && find_entries (self, name, error) ? g_steal_pointer (&self) : NULL;
}

void
tt_gcn_module_free (TtGcnModule *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->instructions);
  g_ptr_array_unref (self->kernels);
  g_hash_table_unref (self->data);
  g_hash_table_unref (self->labels);
  g_hash_table_unref (self->symbols);
  g_string_chunk_free (self->words);
  g_free (self);
}

const TtGcnKernel *
tt_gcn_module_kernel (const TtGcnModule *self, const char *name, GError **error)
{
  for (guint i = 0; i < self->kernels->len && name != NULL; i++)
    if (g_str_equal (((TtGcnKernel *) self->kernels->pdata[i])->name, name))
      return self->kernels->pdata[i];
  if (name == NULL && self->kernels->len == 1)
    return self->kernels->pdata[0];
  if (name != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "there is no kernel '%s'", name);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "there are %u kernels: say which with --kernel", self->kernels->len);
  return NULL;
}

gboolean
tt_gcn_argument_is_hidden (const TtGcnArgument *argument)
{
  return argument->kind != NULL && g_str_has_prefix (argument->kind, "hidden_");
}

guint64
tt_gcn_kernel_number (const TtGcnKernel *self, const char *word)
{
  const guint64 *found = g_hash_table_lookup (self->descriptor, word);

  return found == NULL ? 0 : *found;
}

const TtGcnData *
tt_gcn_module_data (const TtGcnModule *self, const char *name)
{
  return g_hash_table_lookup (self->data, name);
}
