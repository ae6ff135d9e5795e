/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/weave/gcn-describe.h"

#include "src/base/error.h"

#include <string.h>

/* Registers that a wave has beside those of .amdhsa_next_free_sgpr: VCC, XNACK mask, flat scratch. */
#define EXTRA_SCALARS 6u

/* -- lines -------------------------------------------------------------------------------------------- */

typedef struct
{
  const TtGpuGcnDescription *of;
  gsize at, end; /* of the line; @end: behind its newline */
  char *word;    /* without blanks and comment */
} Line;

static void
line_clear (Line *self)
{
  g_clear_pointer (&self->word, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Line, line_clear)

static gboolean
next_line (Line *self)
{
  const char *text = self->of->text;

  g_clear_pointer (&self->word, g_free);
  self->at = self->end;
  if (self->at >= self->of->len)
    return FALSE;
  const char *newline = memchr (text + self->at, '\n', self->of->len - self->at);
  gsize len = newline == NULL ? self->of->len - self->at : (gsize) (newline - text) - self->at;
  self->end = self->at + len + (newline != NULL);
  self->word = g_strndup (text + self->at, len);
  char *comment = strpbrk (self->word, ";#");
  char *slashes = strstr (self->word, "//");
  if (comment != NULL)
    *comment = '\0';
  if (slashes != NULL)
    *slashes = '\0';
  g_strchomp (self->word);
  return TRUE;
}

/* "- .offset:  8": the indent of the dash or key, the key, and whether an item of a list begins. */
static gsize
read_key (const char *line, gboolean *is_item, char **key, const char **value)
{
  gsize indent = strspn (line, " ");
  const char *at = line + indent;

  *is_item = g_str_has_prefix (at, "- ");
  at += *is_item ? 1 : 0;
  at += strspn (at, " ");
  const char *colon = strchr (at, ':');
  *key = colon == NULL || *at != '.' ? NULL : g_strndup (at + 1, (gsize) (colon - at) - 1);
  *value = colon == NULL ? "" : colon + 1 + strspn (colon + 1, " ");
  return indent;
}

/* -- descriptor --------------------------------------------------------------------------------------- */

static const char *const rewritten[] = { "next_free_vgpr",
                                         "next_free_sgpr",
                                         "accum_offset",
                                         "kernarg_size",
                                         "user_sgpr_count",
                                         "user_sgpr_kernarg_segment_ptr",
                                         "system_sgpr_workgroup_id_x",
                                         "system_sgpr_workgroup_id_y",
                                         "system_sgpr_workgroup_id_z",
                                         "system_vgpr_workitem_id" };

static void
add_directive (GString *text, const char *name, guint64 value)
{
  g_string_append_printf (text, "\t\t.amdhsa_%s %" G_GUINT64_FORMAT "\n", name, value);
}

static void
append_directives (const TtGpuGcnWoven *kernel, GString *text)
{
  const TtGpuGcnFrame *frame = &kernel->frame;

  add_directive (text, "next_free_vgpr", kernel->counts.vectors);
  add_directive (text, "next_free_sgpr", kernel->counts.scalars);
  add_directive (text, "accum_offset", kernel->counts.accum_offset);
  add_directive (text, "kernarg_size", frame->param_offset + 8);
  if (frame->n_user > 0)
    add_directive (text, "user_sgpr_count", frame->n_user + (frame->has_kernarg ? 0 : 2));
  for (guint i = 5; i < 9; i++)
    add_directive (text, rewritten[i], 1);
  add_directive (text, "system_vgpr_workitem_id", 2);
}

static gboolean
is_rewritten (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (rewritten); i++)
    {
      g_autofree char *name = g_strconcat (".amdhsa_", rewritten[i], NULL);

      if (g_str_has_prefix (word, name) && (word[strlen (name)] == ' ' || word[strlen (name)] == '\t'))
        return TRUE;
    }
  return FALSE;
}

static void
describe_registers (const TtGpuGcnDescription *self, GHashTable *names, TtGpuEdits *edits)
{
  g_auto (Line) line = { .of = self };
  TtGpuGcnWoven *kernel = NULL; /* whose descriptor it is */

  while (next_line (&line))
    {
      const char *word = line.word + strspn (line.word, " \t");

      if (g_str_has_prefix (word, ".amdhsa_kernel"))
        {
          const char *name = word + strlen (".amdhsa_kernel");
          kernel = g_hash_table_lookup (names, name + strspn (name, " \t"));
          if (kernel != NULL && kernel->has_descriptor)
            kernel = NULL;
        }
      else if (kernel != NULL && g_str_has_prefix (word, ".end_amdhsa_kernel"))
        {
          g_autoptr (GString) text = g_string_new (NULL);
          append_directives (kernel, text);
          tt_gpu_edits_add (edits, (guint32) line.at, text);
          kernel->has_descriptor = TRUE;
          kernel = NULL;
        }
      else if (kernel != NULL && is_rewritten (word))
        tt_gpu_edits_replace (edits, (guint32) line.at, (guint32) line.end, "");
    }
}

/* -- metadata ------------------------------------------------------------------------------------------- */

/* Of a kernel's item in amdhsa.kernels. */
typedef struct
{
  char *name;
  guint32 args_at, args_end; /* the line of .args */
  guint32 param_at;          /* where the new parameter goes: in front of hidden ones, or behind all */
  gsize indent;              /* of the dashes of arguments */
  guint32 begin;             /* behind the dash and blanks of the item */
  guint64 sgpr_count;
  guint32 numbers[3][2]; /* lines of kernarg_segment_size, vgpr_count, sgpr_count; 0: none */
  gboolean has_args, is_empty, has_hidden, in_args;
} Item;

static const char *const numbers[] = { "kernarg_segment_size", "vgpr_count", "sgpr_count" };

static void
item_clear (Item *self)
{
  g_clear_pointer (&self->name, g_free);
  *self = (Item){ 0 };
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Item, item_clear)

static void
append_param (const TtGpuGcnDescription *self, const TtGpuGcnWoven *kernel, gsize indent, GString *text)
{
  int n = (int) indent;

  g_string_append_printf (text,
                          "%*s- .address_space:  global\n%*s  .name:           %s\n%*s  .offset:         "
                          "%" G_GUINT64_FORMAT "\n%*s  .size:           8\n%*s  .value_kind:     global_buffer\n",
                          n, "", n, "", self->param, n, "", kernel->frame.param_offset, n, "", n, "");
}

/* A line whose key begins an item keeps its dash. */
static void
rewrite (const TtGpuGcnDescription *self, TtGpuEdits *edits, const guint32 *place, const char *key, guint64 value)
{
  const char *line = self->text + place[0];
  gsize indent = strspn (line, " -");
  g_autofree char *text = g_strdup_printf ("%.*s.%s: %" G_GUINT64_FORMAT "\n", (int) indent, line, key, value);

  tt_gpu_edits_replace (edits, place[0], place[1], text);
}

static void
edit_item (const TtGpuGcnDescription *self, const TtGpuGcnWoven *kernel, const Item *item, TtGpuEdits *edits)
{
  guint64 old = kernel->frame.old_scalars, extra = item->sgpr_count > old ? item->sgpr_count - old : 0;
  const guint64 values[] = { kernel->frame.param_offset + 8, kernel->counts.vectors,
                             kernel->counts.scalars + (extra > 0 ? MIN (extra, EXTRA_SCALARS) : EXTRA_SCALARS) };
  g_autoptr (GString) param = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (item->numbers[i][1] > 0)
      rewrite (self, edits, item->numbers[i], numbers[i], values[i]);
  if (item->has_args && !item->is_empty)
    {
      append_param (self, kernel, item->indent, param);
      tt_gpu_edits_add (edits, item->param_at, param);
      return;
    }
  append_param (self, kernel, 6, param);
  if (!item->has_args)
    {
      g_string_prepend (param, ".args:\n");
      g_string_append (param, "    ");
      tt_gpu_edits_add (edits, item->begin, param);
      return;
    }
  const char *line = self->text + item->args_at;
  g_autofree char *text = g_strdup_printf ("%.*s.args:\n%s", (int) strspn (line, " -"), line, param->str);
  tt_gpu_edits_replace (edits, item->args_at, item->args_end, text);
}

static void
note_argument (Item *item, const Line *line, gboolean begins, const char *key, const char *value)
{
  if (begins && !item->has_hidden)
    item->param_at = (guint32) line->at;
  if (g_strcmp0 (key, "value_kind") == 0)
    item->has_hidden |= g_str_has_prefix (value, "hidden_");
}

static void
note_key (Item *item, const Line *line, const char *key, const char *value)
{
  if (g_str_equal (key, "name"))
    {
      g_free (item->name);
      item->name = g_strdup (value);
      g_strdelimit (item->name, "'\"", ' ');
      g_strstrip (item->name);
    }
  if (g_str_equal (key, "args"))
    {
      item->has_args = TRUE;
      item->is_empty = g_str_has_prefix (value, "[");
      item->args_at = (guint32) line->at;
      item->args_end = item->param_at = (guint32) line->end;
    }
  if (g_str_equal (key, "sgpr_count"))
    item->sgpr_count = g_ascii_strtoull (value, NULL, 10);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (g_str_equal (key, numbers[i]))
      {
        item->numbers[i][0] = (guint32) line->at;
        item->numbers[i][1] = (guint32) line->end;
      }
}

/* A line of the list of kernels. */
static void
note_line (Item *item, const Line *line)
{
  g_autofree char *key = NULL;
  const char *value;
  gboolean begins;
  gsize indent = read_key (line->word, &begins, &key, &value);

  if (item->in_args && (begins ? indent > 3 : indent > 4))
    {
      item->indent = begins ? indent : item->indent;
      note_argument (item, line, begins, key, value);
      return;
    }
  /* Behind the last argument, if none was hidden. */
  if (item->in_args && !item->has_hidden)
    item->param_at = (guint32) line->at;
  item->in_args = FALSE;
  if (key == NULL || indent > (begins ? 3 : 4))
    return;
  note_key (item, line, key, value);
  item->in_args = g_str_equal (key, "args") && !item->is_empty;
}

/* @at: what follows it. */
static void
end_item (const TtGpuGcnDescription *self, GHashTable *names, Item *item, gsize at, TtGpuEdits *edits)
{
  TtGpuGcnWoven *kernel = item->name == NULL ? NULL : g_hash_table_lookup (names, item->name);

  if (item->in_args && !item->has_hidden)
    item->param_at = (guint32) at;
  if (kernel != NULL && !kernel->has_metadata)
    {
      edit_item (self, kernel, item, edits);
      kernel->has_metadata = TRUE;
    }
  item_clear (item);
}

static void
describe_arguments (const TtGpuGcnDescription *self, GHashTable *names, TtGpuEdits *edits)
{
  g_auto (Line) line = { .of = self };
  g_auto (Item) item = { 0 };
  gboolean in_metadata = FALSE, in_kernels = FALSE;

  while (next_line (&line))
    {
      gsize indent = strspn (line.word, " \t");
      const char *word = line.word + indent;

      if (g_str_has_prefix (word, ".amdgpu_metadata"))
        in_metadata = TRUE;
      else if (in_metadata && g_str_has_prefix (word, ".end_amdgpu_metadata"))
        in_metadata = in_kernels = FALSE;
      else if (in_metadata && indent == 0)
        in_kernels = g_str_has_prefix (word, "amdhsa.kernels:");
      if (in_kernels && indent > 0 && indent <= 3 && g_str_has_prefix (word, "- "))
        {
          end_item (self, names, &item, line.at, edits);
          item.begin = (guint32) (line.at + indent + 1 + strspn (word + 1, " "));
        }
      if (in_kernels && indent > 0)
        note_line (&item, &line);
      else
        end_item (self, names, &item, line.at, edits);
    }
  end_item (self, names, &item, line.at, edits);
}

gboolean
tt_gpu_gcn_describe (const TtGpuGcnDescription *self, TtGpuEdits *edits, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->kernels->len; i++)
    {
      TtGpuGcnWoven *kernel = self->kernels->pdata[i];
      g_hash_table_insert (names, (gpointer) kernel->name, kernel);
    }
  describe_registers (self, names, edits);
  describe_arguments (self, names, edits);
  for (guint i = 0; i < self->kernels->len; i++)
    {
      const TtGpuGcnWoven *kernel = self->kernels->pdata[i];

      if (kernel->has_descriptor && kernel->has_metadata)
        continue;
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: kernel '%s' cannot be woven: %s", self->file, kernel->name,
                   kernel->has_descriptor ? "it has no metadata (.amdgpu_metadata)"
                                          : "its descriptor (.amdhsa_kernel) does not end");
      return FALSE;
    }
  return TRUE;
}
