/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/compile.h"
#include "formats/neutrino/ir-print.h"

#include "tests/require.h"

#include <string.h>

#define HEAD "import neutrino.language as nl\nx: nl.u64 = 0\ny: nl.u32 = 0\n"
#define SEED HEAD "@nl.probe(pos='kernel')\ndef p():\n"
#define CURRENT "from neutrino import probe, Map\n" HEAD
#define MAP "@Map(level='thread', type='array', size=16)\nclass M:\n  a: nl.u64\n  b: nl.u32\n  c: nl.u32\n"
#define AT_END "@probe(pos='kernel')\ndef p():\n"

static TtNlProgram *
compile (const char *source)
{
  return tt_nl_program_new ("f", source, strlen (source));
}

static char *
messages_of (const TtNlProgram *program)
{
  GString *text = g_string_new (NULL);

  tt_nl_program_print_messages (program, text);
  return g_string_free (text, FALSE);
}

static char *
output_of (const char *source, const char *target)
{
  g_autoptr (TtNlProgram) program = compile (source);
  GString *text = g_string_new (NULL);

  if (!tt_nl_program_is_good (program) || !tt_nl_program_write (program, tt_nl_target_find (target, NULL), text))
    {
      g_autofree char *messages = messages_of (program);
      g_test_message ("%s\n%s", source, messages);
      g_test_fail ();
    }
  return g_string_free (text, FALSE);
}

typedef struct
{
  const char *source, *message; /* the beginning of the first message */
} Case;

/* -- sections and initial values -------------------------------------------------------------------------- */

static const Case arranged[] = {
  /* Written before it is read: no initial value. */
  { HEAD "@nl.probe(pos='kernel')\ndef p():\n  x = nl.clock()\n"
         "@nl.probe(pos='kernel', after=True, size=8)\ndef q():\n  nl.save(x, dtype=nl.u64)\n",
    "[q]\nposition = \"kernel\"\ndatamodel = \"thread:8\"\nbefore = \"\"\".reg .b64 %x;\n.reg .b32 %y;\n"
    "mov.u64 %x, %clock64;\"\"\"\nafter = \"\"\"SAVE.u64 {%x};\"\"\"\n" },
  /* An instruction may never run. */
  { HEAD "@nl.probe(pos='ld')\ndef p():\n  x = 1\n"
         "@nl.probe(pos='kernel', after=True, size=8)\ndef q():\n  nl.save(x, dtype=nl.u64)\n",
    "[p]\nposition = \"ld\"\nbefore = \"\"\"mov.u64 %x, 1;\"\"\"\n\n[q]\nposition = \"kernel\"\n"
    "datamodel = \"thread:8\"\nbefore = \"\"\".reg .b64 %x;\n.reg .b32 %y;\nmov.u64 %x, 0;\"\"\"\n" },
  /* No kernel section: one of its own. */
  { HEAD "@nl.probe(pos='ld')\ndef init():\n  x += 1\n",
    "[init_]\nposition = \"kernel\"\nbefore = \"\"\".reg .b64 %x;\n.reg .b32 %y;\nmov.u64 %x, 0;\"\"\"\n\n[init]\n" },
  /* What only a warp's leader writes is unset in its other threads. */
  { HEAD "@nl.probe(pos='kernel', level='warp')\ndef p():\n  x = 1\n@nl.probe(pos='ld')\ndef q():\n  x += 1\n",
    "[init]\nposition = \"kernel\"\nbefore = \"\"\".reg .b64 %x;\n.reg .b32 %y;\nmov.u64 %x, 0;\"\"\"\n\n[p]\n" },
  /* More than one record, as many as a number says or a first launch counts. */
  { HEAD "@nl.probe(pos='ld.global', size=8, cap=128)\ndef p():\n  nl.save(nl.addr, dtype=nl.u64)\n",
    "[init]\nposition = \"kernel\"\nbefore = \"\"\".reg .b64 %x;\n.reg .b32 %y;\n.reg .b64 %nt<1>;\"\"\"\n\n[p]\n"
    "position = \"ld.global\"\ndatamodel = \"thread:8:128\"\n" },
  { HEAD "@nl.probe(pos='ld.global', size=8, cap='dynamic')\ndef p():\n  nl.save(nl.addr, dtype=nl.u64)\n",
    "dynamic = true\n\n[init]\nposition = \"kernel\"\nbefore = \"\"\".reg .b64 %x;\n.reg .b32 %y;\n"
    ".reg .b64 %nt<1>;\"\"\"\n\n[p]\nposition = \"ld.global\"\ndatamodel = \"thread:8:count\"\n" },
  /* Sections of two levels stay apart, three savers add up. */
  { HEAD "@nl.probe(pos='kernel', after=True, size=8)\ndef p():\n  nl.save(x, dtype=nl.u64)\n"
         "@nl.probe(pos='kernel', after=True, level='warp', size=8)\ndef q():\n  nl.save(x, dtype=nl.u64)\n"
         "@nl.probe(pos='kernel', size=8, after=True)\ndef r():\n  nl.save(x, dtype=nl.u64)\n",
    "[p]\nposition = \"kernel\"\ndatamodel = \"thread:16\"\n" },
};

static void
test_arranged (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (arranged); i++)
    {
      g_autofree char *output = output_of (arranged[i].source, "ptx");

      if (!g_str_has_prefix (output, arranged[i].message))
        {
          g_test_message ("wanted %s\n%s", arranged[i].message, output);
          g_test_fail ();
        }
    }
}

/* -- limits --------------------------------------------------------------------------------------------- */

static GString *
repeat (const char *head, const char *part, guint n, const char *tail)
{
  GString *text = g_string_new (head);

  for (guint i = 0; i < n; i++)
    g_string_append (text, part);
  g_string_append (text, tail);
  return text;
}

/* @inside is what @n of @part in a row are still taken; one more is refused with @message. */
static void
check_limit (const char *part, guint n, const char *inside, const char *tail_part, const char *message)
{
  for (guint more = 0; more < 2; more++)
    {
      g_autoptr (GString) tail = repeat (inside, tail_part, n + more, "\n");
      g_autoptr (GString) source = repeat (SEED "  x = ", part, n + more, tail->str);
      g_autoptr (TtNlProgram) program = compile (source->str);
      g_autofree char *messages = messages_of (program);

      g_assert_true (tt_nl_program_is_good (program) == (more == 0));
      g_assert_true (more == 0 || strstr (messages, message) != NULL);
    }
}

static void
test_limits (void)
{
  g_autoptr (GString) ifs = g_string_new (SEED);
  g_autoptr (GString) variables = g_string_new ("import neutrino.language as nl\n");
  g_autoptr (GString) probes = g_string_new ("import neutrino.language as nl\n");
  g_autoptr (GString) large = repeat ("#", "################", 65536, "");

  check_limit ("(", 200, "1", ")", "more than 200 brackets are open");
  check_limit ("-", 250, "1", "", "more than 250 values are nested");
  check_limit ("y + ", 999, "y", "", "more than 1000 operands");
  for (guint i = 0; i <= 1000; i++)
    {
      g_string_append_printf (variables, "v%u_: nl.u32 = 0\n", i);
      g_string_append_printf (probes, "@nl.probe(pos='ld')\ndef p%u(): pass\n", i);
    }
  g_autoptr (TtNlProgram) many_variables = compile (variables->str), many_probes = compile (probes->str);
  g_autofree char *first = messages_of (many_variables), *second = messages_of (many_probes);
  g_assert_nonnull (strstr (first, "f:1002:1: error: more than 1000 variables"));
  g_assert_nonnull (strstr (second, "f:2003:1: error: more than 1000 probes"));
  for (guint i = 0; i <= 64; i++)
    g_string_append_printf (ifs, "  %sif x: pass\n", i > 0 ? "el" : "");

  g_autoptr (TtNlProgram) program = compile (ifs->str), too_large = compile (large->str);
  g_autofree char *messages = messages_of (program), *other = messages_of (too_large);
  g_assert_nonnull (strstr (messages, "f:70:3: error: more than 64 nested ifs"));
  g_assert_nonnull (strstr (other, "the source has more than 1048576 bytes"));
}

/* Of all probes together: 32768 are taken twice, not once more. */
static void
test_instructions (void)
{
  for (guint more = 0; more < 2; more++)
    {
      g_autoptr (GString) first = repeat (SEED, "  x = y\n", 32768, "@nl.probe(pos='ld')\ndef q():\n");
      g_autoptr (GString) source = repeat (first->str, "  x = y\n", 32768 + more, "");
      g_autoptr (TtNlProgram) program = compile (source->str);
      g_autofree char *messages = messages_of (program);

      g_assert_true (tt_nl_program_is_good (program) == (more == 0));
      g_assert_true (more == 0 || strstr (messages, "the probes take more than 65536 instructions") != NULL);
    }
}

/* Temporaries share registers before a program is too large for a machine. */
static void
test_registers (void)
{
  g_autoptr (GString) source = repeat (SEED, "  x = x * 3 + y * 5 if x < 7 and y > 9 else x ^ y\n", 60, "");
  g_autoptr (GString) output = g_string_new (NULL), variables = g_string_new ("import neutrino.language as nl\n");
  g_autoptr (TtNlProgram) program = compile (source->str);

  g_assert_true (tt_nl_program_write (program, tt_nl_target_find ("gfx90a", NULL), output));
  for (guint i = 0; i < 200; i++)
    g_string_append_printf (variables, "v%u_: nl.u64 = 1\n", i);
  g_string_append (variables, "@nl.probe(pos='kernel')\ndef p(): v0_ = 1\n");
  g_autoptr (TtNlProgram) wide = compile (variables->str);
  g_assert_false (tt_nl_program_write (wide, tt_nl_target_find ("gfx942", NULL), output));
  g_autofree char *messages = messages_of (wide);
  g_assert_nonnull (strstr (messages, "the probes need 400 vector and 0 scalar registers"));
}

/* -- waits ------------------------------------------------------------------------------------------------ */

#define WAIT_FOR_LOADS "s_waitcnt vmcnt(0) lgkmcnt(0)\n"
#define READ_OUT "v_mov_b32_e32 v[nt_k2], OUT"

/* What a probe of @position reads behind it. */
static const struct
{
  const char *target, *position, *wanted;
} waits[] = {
  { "gfx90a", "global_load", "\"\"\"" WAIT_FOR_LOADS READ_OUT },
  { "gfx942", "global_load:s_load", "\"\"\"" WAIT_FOR_LOADS READ_OUT },
  { "gfx90a", "v_exp_f32", "\"\"\"" WAIT_FOR_LOADS READ_OUT },
  /* One state is that of s_waitcnt. */
  { "gfx942", "v_exp_f32", "\"\"\"" WAIT_FOR_LOADS "s_nop 0\n" READ_OUT },
  { "gfx90a", "v_dot4", "\"\"\"" WAIT_FOR_LOADS "s_nop 1\n" READ_OUT },
  { "gfx90a", "ds_read:v_mfma_f32", "\"\"\"" WAIT_FOR_LOADS "s_nop 15\ns_nop 1\n" READ_OUT },
  { "gfx942", "v_", "\"\"\"" WAIT_FOR_LOADS "s_nop 15\ns_nop 1\n" READ_OUT },
};

static void
test_waits (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (waits); i++)
    {
      g_autofree char *source = g_strdup_printf (HEAD "@nl.probe(pos='%s', after=True, size=4)\ndef p():\n"
                                                      "  nl.save(nl.u32(nl.out), dtype=nl.u32)\n",
                                                 waits[i].position);
      g_autofree char *output = output_of (source, waits[i].target);

      if (strstr (output, waits[i].wanted) != NULL)
        continue;
      g_test_message ("%s %s: no %s\n%s", waits[i].target, waits[i].position, waits[i].wanted, output);
      g_test_fail ();
    }
}

/* -- engines ---------------------------------------------------------------------------------------------- */

#define MAP_OF(size, fields)                                                      \
  CURRENT "@Map(level='thread', type='array', size=" #size ")\nclass M:\n" fields \
          "@probe(pos='kernel')\ndef p(): pass\n"
#define WIDE(name) "  " #name ": nl.u64\n"
#define PAIR(name) "  " #name "0: nl.u32\n  " #name "1: nl.u32\n"
#define AT_RETURN(size) HEAD "@nl.probe(pos='kernel', after=True, size=" #size ")\ndef p():\n"

/* What Neutrino's engines would store at the wrong place, or lose. NULL: nothing. */
static const Case refused_by_engines[] = {
  { MAP_OF (24, WIDE (a) WIDE (b) WIDE (c)), "f:6:1: error: records of map 'M' would fault" },
  { MAP_OF (24, WIDE (a) WIDE (b) PAIR (c)), "at addresses that are no multiple of 16: add a u64 field to the 24" },
  { MAP_OF (24, PAIR (a) PAIR (b) PAIR (c)), "add two u32 fields" },
  { MAP_OF (24, WIDE (a) PAIR (b) PAIR (c)), "add a u64 field" },
  { MAP_OF (32, WIDE (a) PAIR (b) PAIR (c) PAIR (d)), "add a u64 and two u32 fields" },
  { MAP_OF (40, WIDE (a) WIDE (b) WIDE (c) WIDE (d) WIDE (e)), "add a u64 field" },
  { MAP_OF (8, WIDE (a)), NULL },
  { MAP_OF (16, WIDE (a) PAIR (b)), NULL },
  { MAP_OF (16, PAIR (a) PAIR (b)), NULL },
  { MAP_OF (32, WIDE (a) WIDE (b) WIDE (c) PAIR (d)), NULL },
  { MAP_OF (32, PAIR (a) PAIR (b) PAIR (c) PAIR (d)), NULL },
  { AT_RETURN (4) "  nl.save(y, dtype=nl.u32)\n", "f:6:3: error: Neutrino's CUDA engine for @nl.probe stores u32" },
  { AT_RETURN (12) "  nl.save((y, y, y), dtype=nl.u32)\n", "stores u32 values by twos and loses one of 3" },
  { AT_RETURN (8) "  nl.save(y, dtype=nl.u32)\n  nl.save(y, dtype=nl.u32)\n", NULL },
  { HEAD "@nl.probe(pos='ld.global:ld.shared', after=True)\ndef p(): x = nl.addr\n",
    "f:5:10: error: addresses of shared memory have 32 bits" },
  { HEAD "@nl.probe(pos='ld', after=True)\ndef p(): x = nl.addr\n", NULL },
};

static void
test_engines (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (refused_by_engines); i++)
    {
      const char *wanted = refused_by_engines[i].message;
      g_autoptr (TtNlProgram) program = compile (refused_by_engines[i].source);
      g_autoptr (GString) output = g_string_new (NULL);
      gboolean is_good = tt_nl_program_is_good (program);
      gboolean is_written = is_good && tt_nl_program_write (program, tt_nl_target_find ("ptx", NULL), output);
      g_autofree char *messages = messages_of (program);

      if (is_good && is_written == (wanted == NULL) && (wanted == NULL || strstr (messages, wanted) != NULL))
        continue;
      g_test_message ("%s\n%s", refused_by_engines[i].source, messages);
      g_test_fail ();
    }
}

/* What they take. */
static const Case written_for_engines[] = {
  { AT_RETURN (16) "  nl.save((x, x), dtype=nl.u64)\n", "\"SAVE.u64 {%x, %x};\"" },
  { AT_RETURN (24) "  nl.save((x, x, x), dtype=nl.u64)\n", "\"SAVE.u64 {%x};\nSAVE.u64 {%x};\nSAVE.u64 {%x};\"" },
  { AT_RETURN (16) "  nl.save((y, y, y, y), dtype=nl.u32)\n", "\"SAVE.u32 {%y, %y, %y, %y};\"" },
  { AT_RETURN (24) "  nl.save(x, dtype=nl.u64)\n  nl.save((y, y, y, y), dtype=nl.u32)\n",
    "SAVE.u64 {%x};\nSAVE.u32 {%y, %y};\nSAVE.u32 {%y, %y};" },
  { AT_RETURN (8) "  nl.save(y, dtype=nl.u32)\n  nl.save(y, dtype=nl.u32)\n", "\"SAVE.u32 {%y, %y};\"" },
  { AT_RETURN (8) "  if y: nl.save(x, dtype=nl.u64)\n",
    "and.pred %np0, %np0, %np0; { @!%np0 bra NSKIP;\nSAVE.u64 {%x};\nand.pred %np0, %np0, %np0; NSKIP: }" },
  /* Behind what may be saved or not nothing is known to lie at a multiple of 16. */
  { AT_RETURN (32) "  if y: nl.save((x, x), dtype=nl.u64)\n  nl.save((x, x), dtype=nl.u64)\n",
    "SAVE.u64 {%x, %x};\nand.pred %np0, %np0, %np0; NSKIP: }\nSAVE.u64 {%x};\nSAVE.u64 {%x};\"" },
  { HEAD "@nl.probe(pos='ld.shared : st.shared')\ndef p(): x = nl.addr\n",
    "position = \"ld.shared:st.shared\"\nbefore = \"\"\"cvt.u64.u32 %x, ADDR;" },
  { HEAD "@nl.probe(pos='ld.global')\ndef p(): y = nl.u32(nl.addr)\n",
    "\"mov.b64 %nt0, ADDR;\ncvt.u32.u64 %y, %nt0;\"" },
};

static void
test_written_for_engines (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (written_for_engines); i++)
    {
      g_autofree char *output = output_of (written_for_engines[i].source, "ptx");

      if (strstr (output, written_for_engines[i].message) != NULL)
        continue;
      g_test_message ("wanted %s\n%s", written_for_engines[i].message, output);
      g_test_fail ();
    }
}

/* Who keeps guards may have them. */
static void
test_guards (void)
{
  g_autoptr (TtNlProgram) program = compile (AT_RETURN (8) "  if y: nl.save(x, dtype=nl.u64)\n");
  g_autoptr (GString) output = g_string_new (NULL);

  tt_nl_program_keep_guards (program);
  g_assert_true (tt_nl_program_write (program, tt_nl_target_find ("ptx", NULL), output));
  g_assert_nonnull (strstr (output->str, "\n@%np0 SAVE.u64 {%x};\"\"\""));
}

/* -- layouts ---------------------------------------------------------------------------------------------- */

static char *
layout_text (TtNlLayout *layout)
{
  GString *text = g_string_new (NULL);

  tt_nl_layout_print (layout, text);
  tt_nl_layout_free (layout);
  return g_string_free (text, FALSE);
}

/* Source and outputs say the same of the records. */
static void
test_layouts (void)
{
  static const char *const targets[] = { "ptx", "gfx90a", "gfx942" };
  static const char *const sources[] = {
    HEAD "@nl.probe(pos='kernel', level='warp', size=32, after=True)\ndef p():\n  x = nl.time()\n  nl.save((x, x), "
         "dtype=nl.u64)\n"
         "  nl.save((x, y, y, y), dtype=nl.u32)\n",
    HEAD "@nl.probe(pos='kernel', size=8, after=True)\ndef p():\n  nl.save(x, dtype=nl.u64)\n"
         "@nl.probe(pos='ld', size=8)\ndef q():\n  if y: nl.save(x, dtype=nl.u64)\n",
    CURRENT MAP AT_END "  M.save(x, y, y)\n",
    HEAD "@nl.probe(pos='ld.global', size=8, cap=9)\ndef p():\n  nl.save(nl.addr, dtype=nl.u64)\n"
         "@nl.probe(pos='st.global', size=8, cap='dynamic')\ndef q():\n  nl.save(nl.addr, dtype=nl.u64)\n",
    /* What has no name is called after the function that it comes from, or by its place. */
    HEAD
    "@nl.probe(pos='kernel', level='warp', size=40, after=True)\ndef p():\n  nl.save((nl.time(), nl.clock(), x + 1), "
    "dtype=nl.u64)\n  nl.save((x, y, nl.smid(), y + 1), dtype=nl.u32)\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    for (guint t = 0; t < G_N_ELEMENTS (targets); t++)
      {
        g_autoptr (TtNlProgram) program = compile (sources[i]);
        g_autofree char *output = output_of (sources[i], targets[t]);
        g_autoptr (GError) error = NULL;
        TtNlLayout *from_toml = tt_nl_layout_from_toml ("o", output, strlen (output), &error);

        require_no_error (error);
        g_autofree char *a = layout_text (tt_nl_program_layout (program)), *b = layout_text (from_toml);
        g_assert_cmpstr (a, ==, b);
      }
}

static const Case tomls[] = {
  { "", "o: line 1: no map: neither" },
  { "[a\n", "o: line 1: ']' is missing" },
  { "a = \"x\n", "o: line 1: a string does not end" },
  { "a = 1 2\n", "o: line 1: the line goes on" },
  { "\n[[a]]\n", "o: line 2: arrays of tables" },
  { "a = [1, [2]\n", "o: line 2: ',' or the end of a list" },
  { "[a]\ndatamodel = \"block:8\"\n", "o: line 2: section 'a': datamodel is not" },
  { "[a]\ndatamodel = \"warp:8\"\nbefore = \"\"\"x\"\"\"\n", "o: map 'a' has no SAVE line" },
  { "[map.a]\nlevel = \"warp\"\nsize = 8\n", "o: map 'a' names no fields" },
  { "[map.a]\nlevel = \"warp\"\nsize = 8\n[map.a.regs]\nb = [\"u32\"]\n",
    "o: line 2: map 'a': fields take 4 bytes, size is 8" },
  { "[map.a]\nlevel = \"warp\"\nsize = 8\n[map.a.regs]\nb = [\"f32\"]\n", "o: line 5: map 'a': field 'b' is neither" },
  { "[map.a]\nlevel = \"warp\"\nsize = 8\ncap = 0\n[map.a.regs]\nb = [\"u64\"]\n", "o: line 4: map 'a': cap is" },
};

static void
test_tomls (void)
{
  static const char readme[] = "callback = 'a' # comment\n[ map.X ]\nlevel = \"warp\"\nsize = \"16\"\ncap = \"4\"\n"
                               "[map.X.regs]\nb = \"u32\"\na = [ \"u64\",\n \"None\", ]\nc = [\"u32\"]\n"
                               "[ probe.Y ]\nregister = {\"u32\": 2, \"u64\": 3}\nflag = true\nf = 1.5\n";
  g_autoptr (GError) error = NULL;
  TtNlLayout *layout = tt_nl_layout_from_toml ("o", readme, strlen (readme), &error);

  require_no_error (error);
  g_autofree char *text = layout_text (layout);
  g_assert_cmpstr (text, ==,
                   "area  level  cap  record  offset  type  field\n"
                   "X     warp     4      16       0  u64   a\n"
                   "X     warp     4      16       8  u32   b\n"
                   "X     warp     4      16      12  u32   c\n");
  for (guint i = 0; i < G_N_ELEMENTS (tomls); i++)
    {
      g_autoptr (GError) why = NULL;

      g_autoptr (TtNlLayout) other = tt_nl_layout_from_toml ("o", tomls[i].source, strlen (tomls[i].source), &why);

      g_assert_false (other != NULL && tt_nl_layout_is_known (other, "o", &why));
      if (why == NULL || !g_str_has_prefix (why->message, tomls[i].message))
        {
          g_test_message ("wanted %s, got %s", tomls[i].message, why == NULL ? "none" : why->message);
          g_test_fail ();
        }
    }
}

/* -- the verifier ----------------------------------------------------------------------------------------- */

/* A list that was right, with one thing wrong in it. */
static void
test_verifier (void)
{
  g_autoptr (TtNlProgram) program = compile (SEED "  if x + 1 > y:\n    y = y * 3\n  x = x << y\n");
  const TtNlUnit *unit = tt_nl_program_unit (program);
  TtNlCode *code = tt_nl_unit_probe (unit, 0)->code;
  guint n_found = 0;

  g_assert_true (tt_nl_code_verify (unit, code, NULL));
  for (guint i = 0; i < code->list->len; i++)
    for (guint kind = 0; kind < 5; kind++)
      {
        TtNlInstruction *instruction = tt_nl_code_at (code, i), kept = *instruction;

        if (kind == 0)
          instruction->op = instruction->op == TT_NL_ENDIF ? TT_NL_IF : TT_NL_ENDIF;
        else if (kind == 1)
          instruction->a = (TtNlOperand){ .kind = TT_NL_WIDE, .index = 99 };
        else if (kind == 2)
          instruction->d = (TtNlOperand){ .kind = TT_NL_VALUE };
        else if (kind == 3)
          instruction->b = (TtNlOperand){ .kind = TT_NL_PREDICATE, .index = 0 };
        else
          instruction->width = instruction->width == TT_NL_U32 ? TT_NL_U64 : TT_NL_U32;
        n_found += !tt_nl_code_verify (unit, code, NULL);
        *instruction = kept;
      }
  /* if, endif and conversions have no width of their own. */
  g_assert_cmpuint (n_found, ==, 5 * code->list->len - 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/probe/arranged", test_arranged);
  g_test_add_func ("/probe/limits", test_limits);
  g_test_add_func ("/probe/limits/instructions", test_instructions);
  g_test_add_func ("/probe/registers", test_registers);
  g_test_add_func ("/probe/waits", test_waits);
  g_test_add_func ("/probe/engines/refused", test_engines);
  g_test_add_func ("/probe/engines/written", test_written_for_engines);
  g_test_add_func ("/probe/engines/guards", test_guards);
  g_test_add_func ("/probe/layouts", test_layouts);
  g_test_add_func ("/probe/tomls", test_tomls);
  g_test_add_func ("/probe/verifier", test_verifier);
  return g_test_run ();
}
