/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/weave/gcn-weave.h"

#include "src/base/error.h"
#include "src/gpu/gcn/launch.h"
#include "src/gpu/weave/floats.h"
#include "src/gpu/weave/gcn-begin.h"
#include "src/gpu/weave/gcn-describe.h"
#include "src/gpu/weave/gcn-flow.h"
#include "src/gpu/weave/gcn-operands.h"
#include "src/gpu/weave/heading.h"
#include "src/gpu/weave/text.h"

#include <string.h>

typedef struct
{
  const TtGpuGcnWeaving *weaving;
  char *prefix, *param;
  TtGpuGcnText text;
  TtGpuEdits edits;
  const TtGcnKernel *kernel;
  gboolean *reached, *by_any; /* instructions, by the kernel and by all */
  guint end;                  /* of those of the kernel */
  TtGpuGcnUse functions;      /* of what no kernel comes to: any may call it */
  GHashTable *woven;          /* lines: those that are repeated get their code once */
  GPtrArray *kernels;         /* of TtGpuGcnWoven */
  guint *n_found;             /* instructions of each section */
  GString *notes;
  GError **error;
} Weaver;

/* A prefix that nothing of the module has. */
static char *
find_prefix (const TtGpuGcnWeaving *weaving)
{
  for (guint i = 0;; i++)
    {
      g_autofree char *prefix = i == 0 ? g_strdup ("tt_") : g_strdup_printf ("tt%u_", i);

      if (g_strstr_len (weaving->text, (gssize) weaving->len, prefix) == NULL)
        return g_steal_pointer (&prefix);
    }
}

static gboolean
is_wanted (const Weaver *self, const TtGcnKernel *kernel)
{
  return self->weaving->kernel == NULL || g_str_equal (self->weaving->kernel, kernel->name);
}

/* -- places ------------------------------------------------------------------------------------------- */

/* Where an instruction begins: at its line, or behind labels that stand there. */
static guint32
find_begin (const Weaver *self, const TtGcnInstruction *instruction)
{
  const char *text = self->weaving->text;
  gsize name = strlen (instruction->name);

  for (guint32 at = instruction->begin; at + name <= MIN (instruction->end, self->weaving->len); at++)
    if (strncmp (text + at, instruction->name, name) == 0 && strchr (" \t:;/\r\n", text[at + name]) != NULL &&
        text[at + name] != ':' && (at == instruction->begin || strchr (" \t:", text[at - 1]) != NULL))
      return (gsize) (at - instruction->begin) == strspn (text + instruction->begin, " \t") ? instruction->begin : at;
  return instruction->begin;
}

/* @after: it goes behind the instruction, whose line may be the last one. */
static void
add_text (Weaver *self, guint32 at, GString *text, gboolean after)
{
  if (text->len == 0)
    return;
  at = MIN (at, (guint32) self->weaving->len);
  if (after && self->weaving->text[at - 1] != '\n')
    g_string_prepend_c (text, '\n');
  if (!after && at > 0 && self->weaving->text[at - 1] != '\n')
    g_string_prepend_c (text, '\n');
  tt_gpu_edits_add (&self->edits, at, text);
}

static gboolean
is_found (const Weaver *self, const TtGpuSection *section, const TtGcnInstruction *instruction)
{
  guint32 begin = find_begin (self, instruction);
  g_autofree char *text = g_strndup (self->weaving->text + begin, MIN (instruction->end, self->weaving->len) - begin);

  text[strcspn (text, ";\n")] = '\0';
  for (char **part = section->parts; *part != NULL; part++)
    if (**part != '\0' && strstr (text, *part) != NULL)
      return TRUE;
  return FALSE;
}

/* -- instructions --------------------------------------------------------------------------------------- */

/* What wait states the kernel may owe to the code that follows: for what matrix instructions write, for all else. */
static const char *
first_wait (const TtGcnInstruction *instruction)
{
  static const char *const slow[] = { "v_mfma", "v_smfmac", "v_dot" };

  for (guint i = 0; i < G_N_ELEMENTS (slow); i++)
    if (g_str_has_prefix (instruction->name, slow[i]))
      return "s_nop 15\ns_nop 3\n";
  return "s_nop 4\n";
}

/* Code between the kernel's instructions: SCC and EXEC are as they were behind it. */
static void
wrap (const Weaver *self, const TtGpuSection *section, const TtGcnInstruction *instruction, GString *code)
{
  g_autoptr (GString) head = g_string_new (first_wait (instruction));

  if (code->len == 0)
    return;
  tt_gpu_gcn_append (&self->text, head,
                     "s_cselect_b32 s{scc}, 1, 0\ns_mov_b64 s<exec>, exec\ns_and_b64 exec, exec, s<all>\n%s",
                     section->is_warp ? "s_and_b64 exec, exec, 1\n" : "");
  g_string_prepend (code, head->str);
  tt_gpu_gcn_append (&self->text, code, "s_mov_b64 exec, s<exec>\ns_cmp_lg_u32 s{scc}, 0\n");
  tt_gpu_gcn_text_wait (&self->text, code);
}

static gboolean
copy_operands (const Weaver *self, const TtGpuGcnOperands *operands, const char *code, gboolean of_output, GString *to)
{
  for (guint i = 0; i < TT_GPU_GCN_N_OPERANDS && code != NULL; i++)
    {
      const char *word = tt_gpu_gcn_operands[i];

      if ((g_str_equal (word, "OUT") != FALSE) != (of_output != FALSE) || !tt_gpu_text_has (code, word))
        continue;
      if (of_output)
        g_string_append (to, "s_waitcnt vmcnt(0) lgkmcnt(0)\n");
      if (!tt_gpu_gcn_check_floats (operands, code, word, self->error) ||
          !tt_gpu_gcn_operands_copy (operands, word, to, self->error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
weave_section (Weaver *self, const TtGpuSection *section, guint i)
{
  const TtGcnInstruction *instruction = tt_gcn_module_at (self->weaving->module, i);
  TtGpuGcnOperands operands = { &self->text, instruction, self->weaving->module_name };
  g_autoptr (GString) before = g_string_new (NULL), after = g_string_new (NULL);
  gboolean wants_bytes = (section->before != NULL && tt_gpu_text_has (section->before, "BYTES")) ||
                         (section->after != NULL && tt_gpu_text_has (section->after, "BYTES"));
  guint bytes = 0, first, last;

  if (wants_bytes && !tt_gpu_gcn_operands_bytes (&operands, &bytes, self->error))
    return FALSE;
  if (!copy_operands (self, &operands, section->before, FALSE, before) ||
      !copy_operands (self, &operands, section->before, TRUE, before) ||
      (section->before != NULL &&
       !tt_gpu_gcn_text_expand (&self->text, section, section->before, bytes, before, self->error)))
    return FALSE;
  if (!copy_operands (self, &operands, section->after, FALSE, before) ||
      !copy_operands (self, &operands, section->after, TRUE, after) ||
      (section->after != NULL &&
       !tt_gpu_gcn_text_expand (&self->text, section, section->after, bytes, after, self->error)))
    return FALSE;
  wrap (self, section, instruction, before);
  wrap (self, section, instruction, after);
  tt_gpu_gcn_group (self->weaving->module, i, &first, &last);
  add_text (self, find_begin (self, tt_gcn_module_at (self->weaving->module, first)), before, FALSE);
  add_text (self, tt_gcn_module_at (self->weaving->module, last)->end, after, TRUE);
  return TRUE;
}

static gboolean
weave_instruction (Weaver *self, guint i)
{
  const TtGpuProbe *probe = self->weaving->probe;

  for (guint j = 0; j < probe->sections->len; j++)
    {
      const TtGpuSection *section = tt_gpu_probe_section (probe, j);

      if (section->is_kernel || !is_found (self, section, tt_gcn_module_at (self->weaving->module, i)))
        continue;
      self->n_found[j]++;
      if (!weave_section (self, section, i))
        return FALSE;
    }
  return TRUE;
}

/* -- the beginning and the end of a kernel ---------------------------------------------------------------- */

static gboolean
append_kernel_sections (Weaver *self, gboolean is_after, GString *to)
{
  const TtGpuProbe *probe = self->weaving->probe;

  for (guint i = 0; i < probe->sections->len; i++)
    {
      const TtGpuSection *section = tt_gpu_probe_section (probe, i);
      const char *code = is_after ? section->after : section->before;

      if (!section->is_kernel || code == NULL)
        continue;
      tt_gpu_gcn_append (&self->text, to,
                         section->is_warp ? "s_and_b64 exec, s<all>, 1\n" : "s_mov_b64 exec, s<all>\n");
      if (!tt_gpu_gcn_text_expand (&self->text, section, code, 0, to, self->error))
        return FALSE;
    }
  return TRUE;
}

/* All threads of the wave end here, those too that the kernel has masked. */
static gboolean
weave_end (Weaver *self, const TtGcnInstruction *instruction)
{
  g_autoptr (GString) text = g_string_new (first_wait (instruction));

  if (!append_kernel_sections (self, TRUE, text))
    return FALSE;
  tt_gpu_gcn_end (&self->text, text);
  tt_gpu_gcn_text_wait (&self->text, text);
  add_text (self, find_begin (self, instruction), text, FALSE);
  return TRUE;
}

static gboolean
weave_begin (Weaver *self, const TtGpuGcnFrame *frame)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const TtGcnInstruction *entry = tt_gcn_module_at (self->weaving->module, self->kernel->entry);
  guint32 at = find_begin (self, entry);

  tt_gpu_gcn_text_number (&self->text, frame->first_vector, frame->first_scalar, text);
  tt_gpu_gcn_begin (&self->text, frame, text);
  if (!append_kernel_sections (self, FALSE, text))
    return FALSE;
  tt_gpu_gcn_append (&self->text, text, "s_mov_b64 exec, s<all>\n");
  tt_gpu_gcn_text_wait (&self->text, text);
  if (at > 0 && self->weaving->text[at - 1] != '\n')
    g_string_prepend_c (text, '\n');
  tt_gpu_edits_add_first (&self->edits, at, text);
  return TRUE;
}

/* -- kernels ---------------------------------------------------------------------------------------------- */

static void
note_threads (const Weaver *self, const TtGpuGcnCounts *counts)
{
  guint most = tt_gcn_most_threads (counts->vectors);

  if (most < 1024)
    g_string_append_printf (self->notes,
                            "%s: kernel '%s' has %u vector registers now: its blocks have room for %u threads\n",
                            self->weaving->module_name, self->kernel->name, counts->vectors, most);
}

static gboolean
count_registers (Weaver *self, TtGpuGcnWoven *woven)
{
  g_autofree char *what = g_strdup_printf ("%s: kernel '%s'", self->weaving->module_name, self->kernel->name);
  guint n_vectors, n_scalars;

  tt_gpu_gcn_text_count (&self->text, &n_vectors, &n_scalars);
  if (!tt_gpu_gcn_frame_count (&woven->frame, n_vectors, n_scalars, what, &woven->counts, self->error))
    return FALSE;
  note_threads (self, &woven->counts);
  return TRUE;
}

static gboolean
weave_body (Weaver *self)
{
  const TtGcnModule *module = self->weaving->module;

  for (guint i = self->kernel->entry; i < self->end; i++)
    {
      const TtGcnInstruction *instruction = tt_gcn_module_at (module, i);

      if (!self->reached[i] || !g_hash_table_add (self->woven, GUINT_TO_POINTER (instruction->line)))
        continue;
      if (!weave_instruction (self, i))
        return FALSE;
      if (g_str_equal (instruction->name, "s_endpgm") && !weave_end (self, instruction))
        return FALSE;
    }
  return TRUE;
}

static gboolean
weave_kernel (Weaver *self, const TtGcnKernel *kernel)
{
  const TtGcnModule *module = self->weaving->module;
  TtGpuGcnUse use = self->functions;
  TtGpuGcnWoven *woven = g_new0 (TtGpuGcnWoven, 1);

  woven->name = kernel->name;
  g_ptr_array_add (self->kernels, woven);
  self->kernel = kernel;
  if (!tt_gpu_gcn_reach (module, kernel, self->weaving->module_name, self->reached, &self->end, self->error))
    return FALSE;
  for (guint i = kernel->entry; i < self->end; i++)
    {
      if (!self->reached[i])
        continue;
      if (g_hash_table_contains (self->woven, GUINT_TO_POINTER (tt_gcn_module_at (module, i)->line)))
        {
          g_set_error (self->error, TT_ERROR, TT_ERROR_FORMAT,
                       "%s: line %u: two kernels come here: weave one (--kernel)", self->weaving->module_name,
                       tt_gcn_module_at (module, i)->line);
          return FALSE;
        }
      tt_gpu_gcn_use_add (&use, tt_gcn_module_at (module, i));
    }
  if (!tt_gpu_gcn_frame_init (&woven->frame, kernel, &use, self->weaving->module_name, self->error) ||
      !weave_begin (self, &woven->frame) || !weave_body (self) || !count_registers (self, woven))
    return FALSE;
  memset (self->reached + kernel->entry, 0, (self->end - kernel->entry) * sizeof (gboolean));
  return TRUE;
}

static gboolean
weave_kernels (Weaver *self)
{
  const TtGcnModule *module = self->weaving->module;
  guint n = 0;

  for (guint i = 0; i < module->kernels->len; i++)
    if (!tt_gpu_gcn_reach (module, module->kernels->pdata[i], self->weaving->module_name, self->by_any, NULL,
                           is_wanted (self, module->kernels->pdata[i]) ? self->error : NULL) &&
        is_wanted (self, module->kernels->pdata[i]))
      return FALSE;
  for (guint i = 0; i < module->instructions->len; i++)
    if (!self->by_any[i])
      tt_gpu_gcn_use_add (&self->functions, tt_gcn_module_at (module, i));
  for (guint i = 0; i < module->kernels->len; i++)
    if (is_wanted (self, module->kernels->pdata[i]))
      {
        n++;
        if (!weave_kernel (self, module->kernels->pdata[i]))
          return FALSE;
      }
  if (n > 0)
    return TRUE;
  const char *name = self->weaving->kernel;
  g_set_error (self->error, TT_ERROR, TT_ERROR_FORMAT, "%s: there is no kernel%s%s%s", self->weaving->module_name,
               name == NULL ? "" : " '", name == NULL ? "" : name, name == NULL ? "" : "'");
  return FALSE;
}

/* -- all ---------------------------------------------------------------------------------------------------- */

static void
note_rest (const Weaver *self)
{
  const TtGpuProbe *probe = self->weaving->probe;
  const TtGcnModule *module = self->weaving->module;
  guint n = 0, line = 0;

  for (guint i = 0; i < module->instructions->len; i++)
    for (guint k = 0; k < probe->sections->len && !self->by_any[i]; k++)
      if (!tt_gpu_probe_section (probe, k)->is_kernel &&
          is_found (self, tt_gpu_probe_section (probe, k), tt_gcn_module_at (module, i)))
        {
          line = n++ == 0 ? tt_gcn_module_at (module, i)->line : line;
          break;
        }
  if (n > 0)
    g_string_append_printf (self->notes, "%s: line %u: %u instructions of functions are not probed: only kernels are\n",
                            self->weaving->module_name, line, n);
  for (guint k = 0; k < probe->sections->len; k++)
    if (!tt_gpu_probe_section (probe, k)->is_kernel && self->n_found[k] == 0)
      g_string_append_printf (self->notes, "%s: '%s' finds no instruction\n", self->weaving->probe_name,
                              tt_gpu_probe_section (probe, k)->name);
}

/* What was made must be what can be read, with branches that reach. */
static char *
finish (Weaver *self)
{
  const TtGpuGcnDescription description = { self->weaving->text, self->weaving->len, self->weaving->module_name,
                                            self->param, self->kernels };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *name = g_strdup_printf ("%s, woven", self->weaving->module_name);

  if (!tt_gpu_gcn_describe (&description, &self->edits, self->error))
    return NULL;
  tt_gpu_heading_append (self->param, self->weaving->probe->toml, text);
  tt_gpu_edits_apply (&self->edits, self->weaving->text, self->weaving->len, text);
  g_autoptr (TtGcnModule) woven = tt_gcn_module_new (name, text->str, text->len, self->error);
  if (woven == NULL || !tt_gpu_gcn_check_branches (woven, self->weaving->module_name, self->error))
    return NULL;
  note_rest (self);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* What probes are made of is the same on gfx950 as on gfx942, and what they wait for at matrix instructions enough. */
static const char *
target_of (const TtGcnModule *module)
{
  return g_strcmp0 (module->target, "gfx950") == 0 ? "gfx942" : module->target;
}

static gboolean
check_module (const TtGpuGcnWeaving *weaving, GError **error)
{
  const char *target = weaving->module->target;

  if (tt_gpu_is_woven (weaving->text))
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: a probe is woven into it already", weaving->module_name);
  else if (g_strcmp0 (target, "gfx90a") != 0 && g_strcmp0 (target, "gfx942") != 0 && g_strcmp0 (target, "gfx950") != 0)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: only gfx90a, gfx942 and gfx950 are woven (.amdgcn_target)",
                 weaving->module_name);
  else
    return TRUE;
  return FALSE;
}

char *
tt_gpu_gcn_weave (const TtGpuGcnWeaving *weaving, GString *notes, GError **error)
{
  guint n = weaving->module->instructions->len;
  g_autofree char *prefix = find_prefix (weaving), *param = g_strconcat (prefix, "maps", NULL);
  g_autofree gboolean *reached = g_new0 (gboolean, n + 1), *by_any = g_new0 (gboolean, n + 1);
  g_autofree guint *n_found = g_new0 (guint, MAX (weaving->probe->sections->len, 1));
  g_autoptr (GHashTable) woven = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) kernels = g_ptr_array_new_with_free_func (g_free);
  Weaver self = { .weaving = weaving,
                  .prefix = prefix,
                  .param = param,
                  .reached = reached,
                  .by_any = by_any,
                  .woven = woven,
                  .kernels = kernels,
                  .n_found = n_found,
                  .notes = notes,
                  .error = error };
  char *text = NULL;

  if (!check_module (weaving, error))
    return NULL;
  tt_gpu_edits_init (&self.edits);
  if (tt_gpu_gcn_text_init (&self.text, weaving->probe, weaving->probe_name, prefix,
                            tt_nl_target_find (target_of (weaving->module), NULL), error) &&
      weave_kernels (&self))
    text = finish (&self);
  tt_gpu_gcn_text_clear (&self.text);
  tt_gpu_edits_clear (&self.edits);
  return text;
}
