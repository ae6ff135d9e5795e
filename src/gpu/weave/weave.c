/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/weave/weave.h"

#include "src/base/error.h"
#include "src/gpu/weave/edits.h"
#include "src/gpu/weave/floats.h"
#include "src/gpu/weave/heading.h"
#include "src/gpu/weave/operands.h"
#include "src/gpu/weave/place.h"
#include "src/gpu/weave/text.h"

#include <string.h>

typedef struct
{
  const TtGpuWeaving *weaving;
  char *prefix;
  TtGpuText text;
  TtGpuEdits edits;
  const TtPtxFunction *function;
  GString *declarations; /* of the function */
  GString *notes;
  guint *n_found; /* instructions of each section */
  GError **error;
} Weaver;

/* -- names ------------------------------------------------------------------------------------------ */

/* A prefix that no name of the module has. */
static char *
find_prefix (const TtPtxModule *module)
{
  for (guint i = 0;; i++)
    {
      g_autofree char *prefix = i == 0 ? g_strdup ("tt_") : g_strdup_printf ("tt%u_", i);
      GHashTableIter iter;
      gpointer word;
      gboolean is_free = TRUE;

      g_hash_table_iter_init (&iter, module->words);
      while (is_free && g_hash_table_iter_next (&iter, &word, NULL))
        is_free = !g_str_has_prefix ((char *) word + (*(char *) word == '%'), prefix);
      if (is_free)
        return g_steal_pointer (&prefix);
    }
}

/* In the text of @format every ~ is the prefix. */
static void append (const Weaver *self, GString *to, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void
append (const Weaver *self, GString *to, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '~')
      g_string_append (to, self->prefix);
    else
      g_string_append_c (to, *c);
}

/* -- the beginning of a kernel -------------------------------------------------------------------------- */

static void
declare (const Weaver *self, GString *to)
{
  guint n = MAX (self->weaving->probe->maps->len, 1);

  append (self, to, "\n.reg .b64 %%~c<%u>, %%~e<%u>, %%~u<%u>, %%~x, %%~n, %%~thread, %%~warp;\n", n, n, n);
  append (self, to, ".reg .b64 %%~ADDR, %%~OUT, %%~IN1, %%~IN2, %%~IN3, %%~IN4;\n");
  append (self, to, ".reg .b32 %%~ADDR_32, %%~w;\n.reg .b16 %%~h;\n.reg .pred %%~ok, %%~g, %%~other;\n");
  append (self, to, ".reg .b64 %%~p_NR<%" G_GUINT64_FORMAT ">;\n", MIN (self->weaving->probe->n_registers, 65536) + 1);
}

/* Numbers of this thread and its warp in the grid. */
static void
number_threads (const Weaver *self, GString *to)
{
  append (self, to,
          "{\n.reg .b32 %%~r<8>;\n.reg .b64 %%~d<6>;\n"
          "mov.u32 %%~r0, %%tid.z; mov.u32 %%~r1, %%ntid.y; mov.u32 %%~r2, %%tid.y; mad.lo.u32 %%~r0, %%~r0, %%~r1, "
          "%%~r2;\n"
          "mov.u32 %%~r3, %%ntid.x; mov.u32 %%~r2, %%tid.x; mad.lo.u32 %%~r0, %%~r0, %%~r3, %%~r2;\n"
          "mov.u32 %%~r2, %%ntid.z; mul.lo.u32 %%~r1, %%~r1, %%~r2; mul.lo.u32 %%~r1, %%~r1, %%~r3;\n"
          "mov.u32 %%~r2, %%ctaid.z; cvt.u64.u32 %%~d0, %%~r2; mov.u32 %%~r2, %%nctaid.y; cvt.u64.u32 %%~d1, %%~r2;\n"
          "mov.u32 %%~r2, %%ctaid.y; cvt.u64.u32 %%~d2, %%~r2; mad.lo.u64 %%~d0, %%~d0, %%~d1, %%~d2;\n"
          "mov.u32 %%~r2, %%nctaid.x; cvt.u64.u32 %%~d1, %%~r2; mov.u32 %%~r2, %%ctaid.x; cvt.u64.u32 %%~d2, %%~r2;\n"
          "mad.lo.u64 %%~d0, %%~d0, %%~d1, %%~d2;\n"
          "cvt.u64.u32 %%~d1, %%~r1; cvt.u64.u32 %%~d2, %%~r0; mad.lo.u64 %%~thread, %%~d0, %%~d1, %%~d2;\n"
          "add.u32 %%~r1, %%~r1, 31; shr.u32 %%~r1, %%~r1, 5; and.b32 %%~r3, %%~r0, 31; shr.u32 %%~r0, %%~r0, 5;\n"
          "cvt.u64.u32 %%~d1, %%~r1; cvt.u64.u32 %%~d2, %%~r0; mad.lo.u64 %%~warp, %%~d0, %%~d1, %%~d2;\n"
          "setp.ne.u32 %%~other, %%~r3, 0;\n}\n");
}

static void
find_memory (const Weaver *self, GString *to)
{
  const TtGpuProbe *probe = self->weaving->probe;

  append (self, to, "ld.param.u64 %%~x, [~maps]; cvta.to.global.u64 %%~x, %%~x;\n");
  for (guint i = 0; i < probe->maps->len; i++)
    append (
        self, to,
        "ld.global.u64 %%~c%u, [%%~x+%u]; ld.global.u64 %%~e%u, [%%~x+%u]; mad.lo.u64 %%~c%u, %%~e%u, %%~%s, %%~c%u;\n"
        "add.u64 %%~e%u, %%~e%u, %%~c%u; mov.u64 %%~u%u, 0;\n",
        i, TT_GPU_TABLE_ENTRY * i, i, TT_GPU_TABLE_ENTRY * i + 8, i, i,
        tt_gpu_probe_map (probe, i)->is_warp ? "warp" : "thread", i, i, i, i, i);
}

/* -- code of sections ------------------------------------------------------------------------------------- */

/* In a scope of its own, with a jump around it for those who do not take part. */
static gboolean
append_scope (Weaver *self, const TtGpuSection *section, const char *code, guint bytes, const char *guard, GString *to)
{
  guint label = self->text.n_labels++;
  GString *declarations = section->is_kernel ? self->declarations : NULL;

  g_string_append (to, "\n{\n");
  if (guard != NULL)
    append (self, to, "%s bra ~L%u;\n", guard, label);
  if (section->is_warp)
    append (self, to, "@%%~other bra ~L%u;\n", label);
  if (!tt_gpu_text_expand (&self->text, section, code, bytes, declarations, to, self->error))
    return FALSE;
  if (guard != NULL || section->is_warp)
    append (self, to, "~L%u:\n", label);
  g_string_append (to, "}\n");
  return TRUE;
}

/* The guard of those who do not take part. */
static char *
inverted_guard (const Weaver *self, const TtPtxInstruction *instruction)
{
  if (instruction->guard == TT_PTX_NO_REGISTER)
    return NULL;
  return g_strdup_printf ("@%s%%%sg", instruction->guard_is_inverted ? "" : "!", self->prefix);
}

static void
copy_guard (const Weaver *self, const TtPtxInstruction *instruction, GString *to)
{
  const TtPtxRegister *reg;

  if (instruction->guard == TT_PTX_NO_REGISTER)
    return;
  reg = tt_ptx_register_at (self->function, instruction->guard);
  if (reg->number == G_MAXUINT)
    append (self, to, "\nmov.pred %%~g, %s;\n", reg->stem);
  else
    append (self, to, "\nmov.pred %%~g, %s%u;\n", reg->stem, reg->number);
}

/* -- instructions ------------------------------------------------------------------------------------------- */

static gboolean
is_found (const Weaver *self, const TtGpuSection *section, const TtPtxInstruction *instruction)
{
  g_autofree char *text =
      g_strndup (self->weaving->module->text + instruction->body, instruction->end - instruction->body);

  for (char **part = section->parts; *part != NULL; part++)
    if (**part != '\0' && strstr (text, *part) != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
copy_operands (Weaver *self, const TtGpuOperands *operands, const char *code, gboolean of_output, GString *to)
{
  static const char *const words[] = { "ADDR", "IN1", "IN2", "IN3", "IN4" };

  if (of_output)
    return !tt_gpu_text_has (code, "OUT") || (tt_gpu_ptx_check_floats (operands, code, "OUT", self->error) &&
                                              tt_gpu_operands_copy (operands, "OUT", to, self->error));
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (tt_gpu_text_has (code, words[i]) && (!tt_gpu_ptx_check_floats (operands, code, words[i], self->error) ||
                                             !tt_gpu_operands_copy (operands, words[i], to, self->error)))
      return FALSE;
  return TRUE;
}

static gboolean
weave_section (Weaver *self, const TtGpuSection *section, guint i, const TtGpuPlace *place)
{
  const TtPtxInstruction *instruction = tt_ptx_function_at (self->function, i);
  TtGpuOperands operands = { self->function, instruction, self->prefix, self->weaving->module_name };
  g_autoptr (GString) before = g_string_new (NULL), after = g_string_new (NULL);
  g_autofree char *guard = inverted_guard (self, instruction);
  gboolean wants_bytes = tt_gpu_text_has (section->before, "BYTES") || tt_gpu_text_has (section->after, "BYTES");
  guint bytes = 0;

  if (wants_bytes && !tt_gpu_operands_bytes (&operands, &bytes, self->error))
    return FALSE;
  copy_guard (self, instruction, before);
  if (section->before != NULL && (!copy_operands (self, &operands, section->before, FALSE, before) ||
                                  !copy_operands (self, &operands, section->before, TRUE, before) ||
                                  !append_scope (self, section, section->before, bytes, guard, before)))
    return FALSE;
  if (section->after != NULL && (!copy_operands (self, &operands, section->after, FALSE, before) ||
                                 !copy_operands (self, &operands, section->after, TRUE, after) ||
                                 !append_scope (self, section, section->after, bytes, guard, after)))
    return FALSE;
  if (before->len > 0)
    g_string_prepend_c (before, '\n');
  if (after->len > 0)
    g_string_prepend_c (after, '\n');
  tt_gpu_edits_add (&self->edits, place->before, before);
  tt_gpu_edits_add (&self->edits, place->after, after);
  return TRUE;
}

static gboolean
weave_instructions (Weaver *self)
{
  const TtGpuProbe *probe = self->weaving->probe;

  for (guint i = 0; i < self->function->instructions->len; i++)
    {
      TtGpuPlace place = tt_gpu_place_find (self->function, i);

      for (guint j = 0; j < probe->sections->len; j++)
        {
          const TtGpuSection *section = tt_gpu_probe_section (probe, j);

          if (section->is_kernel || !is_found (self, section, tt_ptx_function_at (self->function, i)))
            continue;
          self->n_found[j]++;
          if (!weave_section (self, section, i, &place))
            return FALSE;
        }
    }
  return TRUE;
}

/* -- the end of a kernel ---------------------------------------------------------------------------------------- */

static void
store_counts (const Weaver *self, GString *to)
{
  const TtGpuProbe *probe = self->weaving->probe;

  append (self, to, "ld.param.u64 %%~x, [~maps]; cvta.to.global.u64 %%~x, %%~x;\n");
  for (guint i = 0; i < probe->maps->len; i++)
    {
      gboolean is_warp = tt_gpu_probe_map (probe, i)->is_warp;
      append (self, to,
              "ld.global.u64 %%~n, [%%~x+%u]; mad.lo.u64 %%~n, %%~%s, 8, %%~n; %sst.global.u64 [%%~n], %%~u%u;\n",
              TT_GPU_TABLE_ENTRY * i + 16, is_warp ? "warp" : "thread", is_warp ? "@!%~other " : "", i);
    }
}

static gboolean
append_end (Weaver *self, const TtPtxInstruction *instruction, GString *to)
{
  const TtGpuProbe *probe = self->weaving->probe;
  g_autofree char *guard = instruction == NULL ? NULL : inverted_guard (self, instruction);
  guint label = self->text.n_labels++;

  if (guard != NULL)
    {
      copy_guard (self, instruction, to);
      append (self, to, "{\n%s bra ~L%u;\n", guard, label);
    }
  for (guint i = 0; i < probe->sections->len; i++)
    {
      const TtGpuSection *section = tt_gpu_probe_section (probe, i);
      if (section->is_kernel && section->after != NULL && !append_scope (self, section, section->after, 0, NULL, to))
        return FALSE;
    }
  store_counts (self, to);
  if (guard != NULL)
    append (self, to, "~L%u:\n}\n", label);
  return TRUE;
}

static gboolean
ends_kernel (const TtPtxInstruction *instruction)
{
  return tt_ptx_opcode_is (instruction->opcode, "ret") || tt_ptx_opcode_is (instruction->opcode, "exit");
}

static gboolean
weave_ends (Weaver *self)
{
  const GArray *list = self->function->instructions;
  gboolean falls_off = TRUE;

  for (guint i = 0; i < list->len; i++)
    {
      const TtPtxInstruction *instruction = tt_ptx_function_at (self->function, i);
      g_autoptr (GString) text = g_string_new ("\n");

      falls_off = instruction->guard != TT_PTX_NO_REGISTER ||
                  !(ends_kernel (instruction) || tt_ptx_opcode_is (instruction->opcode, "bra") ||
                    tt_ptx_opcode_is (instruction->opcode, "trap"));
      if (!ends_kernel (instruction))
        continue;
      if (!append_end (self, instruction, text))
        return FALSE;
      tt_gpu_edits_add (&self->edits, instruction->start, text);
    }
  g_autoptr (GString) text = g_string_new ("\n");
  if (falls_off && !append_end (self, NULL, text))
    return FALSE;
  if (falls_off)
    tt_gpu_edits_add (&self->edits, self->function->body_end, text);
  return TRUE;
}

/* -- kernels ------------------------------------------------------------------------------------------------------ */

static gboolean
weave_begin (Weaver *self, GString *begin)
{
  const TtGpuProbe *probe = self->weaving->probe;

  number_threads (self, begin);
  find_memory (self, begin);
  for (guint i = 0; i < probe->sections->len; i++)
    {
      const TtGpuSection *section = tt_gpu_probe_section (probe, i);
      if (section->is_kernel && section->before != NULL &&
          !append_scope (self, section, section->before, 0, NULL, begin))
        return FALSE;
    }
  return TRUE;
}

static void
add_param (Weaver *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean has_list = self->function->params_end > self->function->params_start;

  if (!has_list)
    append (self, text, "(.param .u64 ~maps)");
  else
    append (self, text, "%s.param .u64 ~maps", self->function->params->len > 0 ? ",\n\t" : "");
  tt_gpu_edits_add (&self->edits, has_list ? self->function->params_end - 1 : self->function->params_end, text);
}

static gboolean
weave_kernel (Weaver *self, const TtPtxFunction *function)
{
  g_autoptr (GString) declarations = g_string_new (NULL), begin = g_string_new (NULL);
  gboolean ok;

  self->function = function;
  self->declarations = declarations;
  declare (self, declarations);
  add_param (self);
  /* The text of the beginning comes last: all declare registers there. */
  ok = weave_begin (self, begin) && weave_instructions (self);
  self->declarations = NULL;
  ok = ok && weave_ends (self);
  g_string_append (declarations, begin->str);
  /* In front of an instruction that stands right behind the brace. */
  tt_gpu_edits_add_first (&self->edits, function->body_start, declarations);
  return ok;
}

/* Variables of a probe are registers of a kernel, which its functions do not see. */
static void
note_functions (Weaver *self)
{
  const TtPtxModule *module = self->weaving->module;

  for (guint i = 0; i < module->functions->len; i++)
    {
      const TtPtxFunction *function = module->functions->pdata[i];
      guint n = 0;

      self->function = function;
      for (guint j = 0; !function->is_entry && j < function->instructions->len; j++)
        for (guint k = 0; k < self->weaving->probe->sections->len; k++)
          {
            const TtGpuSection *section = tt_gpu_probe_section (self->weaving->probe, k);
            n += !section->is_kernel && is_found (self, section, tt_ptx_function_at (function, j));
          }
      if (n > 0)
        g_string_append_printf (self->notes,
                                "%s: line %u: %u instructions of function '%s' are not probed: only kernels are\n",
                                self->weaving->module_name, function->line, n, function->name);
    }
  for (guint k = 0; k < self->weaving->probe->sections->len; k++)
    if (!tt_gpu_probe_section (self->weaving->probe, k)->is_kernel && self->n_found[k] == 0)
      g_string_append_printf (self->notes, "%s: '%s' finds no instruction\n", self->weaving->probe_name,
                              tt_gpu_probe_section (self->weaving->probe, k)->name);
}

static char *
apply_edits (Weaver *self)
{
  const TtPtxModule *module = self->weaving->module;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *param = g_strconcat (self->prefix, "maps", NULL);

  tt_gpu_heading_append (param, self->weaving->probe->toml, text);
  tt_gpu_edits_apply (&self->edits, module->text, module->len, text);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
weave_kernels (Weaver *self)
{
  const TtPtxModule *module = self->weaving->module;
  guint n = 0;

  for (guint i = 0; i < module->functions->len; i++)
    {
      const TtPtxFunction *function = module->functions->pdata[i];

      if (!function->is_entry || !function->has_body ||
          (self->weaving->kernel != NULL && !g_str_equal (self->weaving->kernel, function->name)))
        continue;
      n++;
      if (!weave_kernel (self, function))
        return FALSE;
    }
  if (n > 0)
    return TRUE;
  g_set_error (self->error, TT_ERROR, TT_ERROR_FORMAT, "%s: there is no kernel%s%s%s", self->weaving->module_name,
               self->weaving->kernel == NULL ? "" : " '", self->weaving->kernel == NULL ? "" : self->weaving->kernel,
               self->weaving->kernel == NULL ? "" : "'");
  return FALSE;
}

char *
tt_gpu_weave (const TtGpuWeaving *weaving, GString *notes, GError **error)
{
  g_autofree char *prefix = find_prefix (weaving->module);
  g_autofree guint *n_found = g_new0 (guint, MAX (weaving->probe->sections->len, 1));
  Weaver self = { .weaving = weaving, .prefix = prefix, .notes = notes, .n_found = n_found, .error = error };
  char *text = NULL;

  if (tt_gpu_is_woven (weaving->module->text))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: a probe is woven into it already", weaving->module_name);
      return NULL;
    }
  tt_gpu_edits_init (&self.edits);
  tt_gpu_text_init (&self.text, weaving->probe, weaving->probe_name, prefix);
  if (weave_kernels (&self))
    {
      note_functions (&self);
      text = apply_edits (&self);
    }
  tt_gpu_text_clear (&self.text);
  tt_gpu_edits_clear (&self.edits);
  return text;
}
