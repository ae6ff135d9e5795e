/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/compile.h"

#include <string.h>

#define HEAD "import neutrino.language as nl\nx: nl.u64 = 0\ny: nl.u32 = 0\n"
#define ARRAY "import neutrino.language as nl\nh: nl.u32[2] = 0\n@nl.probe(pos='ld')\ndef p():\n"
#define SEED HEAD "@nl.probe(pos='kernel')\ndef p():\n"
#define AT_LOAD HEAD "@nl.probe(pos='ld.global')\ndef p():\n"
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

/* -- what is refused -------------------------------------------------------------------------------- */

typedef struct
{
  const char *source, *message; /* the beginning of the first message */
} Case;

static const Case refused[] = {
  /* Lines and tokens. */
  { "", "f:1:1: error: no probe defined" },
  { SEED "  x = 1\n y = 2\n", "f:7:2: error: unindent does not match any outer indentation level" },
  { SEED "  if x:\n\tx = 1\n        y = 2\n", "f:7:1: error: inconsistent use of tabs and spaces" },
  { SEED "x = 1\n", "f:6:1: error: expected an indented block after 'def'" },
  { SEED "  if x:\n  y = 1\n", "f:7:3: error: expected an indented block after 'if'" },
  { SEED "  x = 1\n    y = 1\n", "f:7:5: error: unexpected indent" },
  { SEED "  x = (1\n", "f:6:7: error: '(' is never closed" },
  { SEED "  x = 1)\n", "f:6:8: error: unmatched ')'" },
  { SEED "  x = (1]\n", "f:6:9: error: ']' does not close '('" },
  { SEED "  x = 'a\n", "f:6:7: error: unterminated string" },
  { SEED "  '''a\n", "f:6:3: error: unterminated string" },
  { SEED "  x = 1 $ 2\n", "f:6:9: error: stray character '$'" },
  { SEED "  x = 1 \\ 2\n", "f:6:9: error: stray character '\\'" },
  { SEED "  x = \xc3\xa4\n", "f:6:7: error: only ASCII letters" },
  { "# \xff\n", "f:1:3: error: invalid UTF-8" },
  { SEED "  x = 012\n", "f:6:7: error: leading zeros" },
  { SEED "  x = 1__2\n", "f:6:7: error: invalid decimal literal" },
  { SEED "  x = 0x\n", "f:6:7: error: invalid integer literal" },
  { SEED "  x = 12ab\n", "f:6:7: error: invalid decimal literal" },
  { "\xef\xbb\xbfimport x\n", "f:1:1: error: only neutrino and neutrino.language" },
  { "# \xc3\xa4\xc3\xa4\nx\xc3\xa4\n", "f:2:1: error: Expr statement is not allowed at module level" },
  /* The module. */
  { "import neutrino.language\n", "f:1:1: error: write 'import neutrino.language as nl'" },
  { "from neutrino import other\n", "f:1:1: error: neutrino has no 'other'" },
  { "from os import path\n", "f:1:1: error: names can be imported only from neutrino" },
  { HEAD "z = 1\n", "f:4:1: error: Assign statement is not allowed at module level" },
  { HEAD "z += 1\n", "f:4:1: error: AugAssign statement is not allowed at module level" },
  { HEAD "if x: y = 1\n", "f:4:1: error: If statement is not allowed at module level" },
  { HEAD "def p():\n  x = 1\n", "f:4:1: error: FunctionDef statement is not allowed at module level" },
  { HEAD "class A:\n  x: nl.u32\n", "f:4:1: error: ClassDef statement is not allowed at module level" },
  { HEAD "1 + 2\n", "f:4:1: error: Expr statement is not allowed at module level" },
  { HEAD "x: nl.u32 = 0\n", "f:4:1: error: variable 'x' is there already" },
  { HEAD "z: nl.u32 = -1\n", "f:4:13: error: a declaration needs an integer initial value" },
  { HEAD "z: nl.u32 = x\n", "f:4:13: error: a declaration needs an integer initial value" },
  { HEAD "z: int = 1\n", "f:4:1: error: a variable must be declared nl.u32 or nl.u64" },
  { HEAD "z: nl.u64 = 18446744073709551616\n", "f:4:13: error: constant 18446744073709551616 does not fit u64" },
  { HEAD "CALLBACK = 1\n", "f:4:12: error: CALLBACK must be a string" },
  { HEAD "clock64: nl.u64 = 0\n@nl.probe(pos='kernel')\ndef p():\n  pass\n",
    "f:4:1: error: variable 'clock64' is a register of the machine" },
  { HEAD "rd12: nl.u64 = 0\n@nl.probe(pos='kernel')\ndef p():\n  pass\n",
    "f:4:1: error: variable 'rd12' looks like a register" },
  { HEAD "myADDR: nl.u64 = 0\n@nl.probe(pos='kernel')\ndef p():\n  pass\n",
    "f:4:1: error: variable 'myADDR' has a word in it" },
  /* Decorators. */
  { HEAD "@nl.probe\ndef p(): pass\n", "f:4:2: error: the decorator needs arguments" },
  { HEAD "@nl.probe()\ndef p(): pass\n", "f:4:2: error: @nl.probe needs pos=" },
  { HEAD "@nl.probe('kernel')\ndef p(): pass\n", "f:4:11: error: @nl.probe takes its arguments by name" },
  { HEAD "@nl.probe(pos='kernel', foo=1)\ndef p(): pass\n", "f:4:25: error: @nl.probe has no argument 'foo'" },
  { HEAD "@nl.probe(pos=x)\ndef p(): pass\n", "f:4:15: error: 'pos' must be a string" },
  { HEAD "@nl.probe(pos='kernel', after=1)\ndef p(): pass\n", "f:4:31: error: 'after' must be True or False" },
  { HEAD "@nl.probe(pos='kernel', level='block')\ndef p(): pass\n", "f:4:31: error: 'level' must be" },
  { HEAD "@nl.probe(pos='')\ndef p(): pass\n", "f:4:15: error: 'pos' is empty" },
  { HEAD "@nl.probe(pos=' ')\ndef p(): pass\n", "f:4:15: error: 'pos' is blank" },
  { HEAD "@nl.probe(pos='ld::st')\ndef p(): pass\n", "f:4:15: error: 'pos' has an empty part" },
  { HEAD "@nl.probe(pos='ld', cap=4)\ndef p(): pass\n", "f:4:25: error: 'cap' says how many records of 'size'" },
  { HEAD "@nl.probe(pos='ld', size=8, cap=0)\ndef p(): pass\n",
    "f:4:33: error: 'cap' must be \"dynamic\" or a number" },
  { HEAD "@nl.probe(pos='kernel', size=8, cap='dynamic')\ndef p(): pass\n", "f:4:37: error: cap=\"dynamic\" counts" },
  { HEAD "@nl.probe(pos='ld', size=8, level='warp', cap='dynamic')\ndef p(): pass\n",
    "f:4:47: error: cap=\"dynamic\" needs" },
  { HEAD "@nl.probe(pos='ld', size=8, cap=2)\ndef p(): nl.save(x, dtype=nl.u64)\n"
         "@nl.probe(pos='ld', size=8)\ndef q(): nl.save(x, dtype=nl.u64)\n",
    "f:7:1: error: probe 'q' shares a record" },
  { HEAD "@nl.probe(pos='ld', size=8, cap='dynamic')\ndef p(): nl.save(x, dtype=nl.u64)\n"
         "@nl.probe(pos='st', size=8, cap='dynamic')\ndef q(): nl.save(x, dtype=nl.u64)\n",
    "f:7:1: error: only probes of one position and level" },
  { HEAD "@nl.probe(pos='ld global')\ndef p(): pass\n", "f:4:15: error: 'pos' has a blank within the name" },
  { HEAD "@nl.probe(pos='ld')\ndef p(): x = nl.in4\n", "f:5:14: error: no injector fills in nl.in4" },
  { SEED "  if x: nl.save(x, dtype=nl.u64)\n", "f:5:1: error: probe 'p' saves up to 8 bytes" },
  { HEAD "@nl.probe(pos='kernel', size=8)\ndef p():\n  if x: nl.save(x, dtype=nl.u64)\n",
    "f:6:9: error: save() where a kernel begins is expanded by no injector" },
  { CURRENT "@Map(level='thread', type='array', size=8)\nclass SAVED:\n  a: nl.u64\n",
    "f:6:1: error: map 'SAVED' has SAVE in its name" },
  { HEAD "@nl.probe(pos='ld:kernel')\ndef p(): pass\n", "f:4:15: error: 'pos' mixes" },
  { HEAD "@nl.probe(pos='kernel', pos='kernel')\ndef p(): pass\n", "f:4:25: error: 'pos' is given twice" },
  { HEAD "@nl.probe(pos='kernel')\n@nl.probe(pos='kernel')\ndef p(): pass\n", "f:5:1: error: only one decorator" },
  { HEAD "@other(pos='kernel')\ndef p(): pass\n", "f:4:2: error: the decorator must be" },
  { HEAD "@probe(pos='kernel')\ndef p(): pass\n", "f:4:2: error: 'probe' is not imported" },
  { "@nl.probe(pos='kernel')\ndef p(): pass\n", "f:1:2: error: neutrino.language is not imported" },
  { CURRENT "@nl.probe(pos='kernel')\ndef p(): pass\n@probe(pos='kernel')\ndef q(): pass\n",
    "f:7:2: error: the decorators of two dialects are mixed" },
  { HEAD "@nl.probe(pos='kernel')\ndef p(a): pass\n", "f:5:7: error: probe 'p' must not have parameters" },
  { HEAD "@nl.probe(pos='kernel')\nasync def p(): pass\n", "f:5:1: error: a probe must not be async" },
  { HEAD "@nl.probe(pos='kernel')\nx: nl.u32 = 1\n", "f:5:1: error: expected 'def' or 'class'" },
  { SEED "  pass\n@nl.probe(pos='kernel')\ndef p(): pass\n", "f:8:1: error: probe 'p' is there already" },
  { CURRENT AT_END "  x = 1\n", "f:6:1: error: no map defined" },
  /* Maps. */
  { CURRENT "@Map(level='thread', type='array', size=12)\nclass M:\n  a: nl.u64\n  b: nl.u32\n",
    "f:5:41: error: 'size' must be a multiple of 8" },
  { CURRENT "@Map(level='thread', type='array', size=16)\nclass M:\n  a: nl.u64\n  b: nl.u32\n",
    "f:6:1: error: map 'M': fields take 12 bytes, size=16" },
  { CURRENT "@Map(level='thread', type='list', size=8)\nclass M:\n  a: nl.u64\n", "f:5:27: error: 'type' must be" },
  { CURRENT "@Map(type='array', size=8)\nclass M:\n  a: nl.u64\n", "f:5:2: error: @Map needs level=" },
  { CURRENT "@Map(level='thread', type='array', size=8, cap=0)\nclass M:\n  a: nl.u64\n",
    "f:5:48: error: 'cap' must be" },
  { CURRENT "@Map(level='warp', type='array', size=8, cap='dynamic')\nclass M:\n  a: nl.u64\n",
    "f:5:46: error: cap=\"dynamic\" needs level=\"thread\"" },
  { CURRENT MAP "@Map(level='thread', type='array', size=16)\nclass M:\n  a: nl.u64\n  b: nl.u64\n",
    "f:11:1: error: map 'M' is there already" },
  { CURRENT "@Map(level='thread', type='array', size=8)\nclass M:\n  a: nl.u32\n  a: nl.u32\n",
    "f:8:3: error: map 'M' has two fields 'a'" },
  { CURRENT "@Map(level='thread', type='array', size=8)\nclass M:\n  a: nl.u16\n",
    "f:7:3: error: a field of a map must be nl.u32 or nl.u64" },
  { CURRENT "@Map(level='thread', type='array', size=8)\nclass M:\n  def f(): pass\n",
    "f:7:3: error: map 'M' may have only fields" },
  { CURRENT MAP AT_END "  M.save(x)\n", "f:12:3: error: map 'M' has 3 fields, and save() has 1 values" },
  { CURRENT MAP AT_END "  N.save(x)\n", "f:12:3: error: map 'N' is not declared" },
  { CURRENT MAP AT_END "  nl.save(x, dtype=nl.u64)\n", "f:12:3: error: nl.save() goes with @nl.probe" },
  { CURRENT MAP AT_END "  M.save(x, y, c=y)\n", "f:12:16: error: save() of a map takes" },
  { CURRENT MAP AT_END "  M.save(x, y, 4294967296)\n", "f:12:16: error: constant 4294967296 does not fit u32" },
  { CURRENT "@Map(level='warp', type='array', size=8)\nclass M:\n  a: nl.u64\n" AT_END "  M.save(x)\n",
    "f:10:3: error: map 'M' has one buffer a warp" },
  /* Statements. */
  { SEED "  while x: pass\n", "f:6:3: error: While statement is not allowed in a probe" },
  { SEED "  return\n", "f:6:3: error: Return statement is not allowed in a probe" },
  { SEED "  def q(): pass\n", "f:6:3: error: FunctionDef statement is not allowed in a probe" },
  { SEED "  import os\n", "f:6:3: error: Import statement is not allowed in a probe" },
  { SEED "  match x:\n    case 1: pass\n", "f:6:3: error: Match statement is not allowed in a probe" },
  { SEED "  x = y = 1\n", "f:6:3: error: chained assignment is not supported" },
  { SEED "  nl.x = 1\n", "f:6:3: error: only a variable can be assigned" },
  { SEED "  x[0] = 1\n", "f:6:3: error: only a variable can be assigned" },
  { SEED "  z = 1\n", "f:6:3: error: variable 'z' is not declared" },
  { SEED "  x **= 2\n", "f:6:3: error: operator Pow is not supported" },
  { SEED "  x\n", "f:6:3: error: Expr statement is not allowed in a probe" },
  { SEED "  nl.time()\n", "f:6:3: error: Expr statement is not allowed in a probe" },
  { SEED "  p()\n", "f:6:3: error: only functions of neutrino.language can be called" },
  { SEED "  elif x: pass\n", "f:6:3: error: expected a value, found 'elif'" },
  { SEED "  if x y: pass\n", "f:6:8: error: expected ':', found 'y'" },
  { SEED "  x = 1 y = 2\n", "f:6:9: error: expected the end of the statement, found 'y'" },
  /* Values. */
  { SEED "  x = True\n", "f:6:7: error: bool constant is not allowed" },
  { SEED "  x = None\n", "f:6:7: error: None constant is not allowed" },
  { SEED "  x = 1.5\n", "f:6:7: error: float constant is not allowed" },
  { SEED "  x = 2j\n", "f:6:7: error: complex constant is not allowed" },
  { SEED "  x = b'a'\n", "f:6:7: error: bytes constant is not allowed" },
  { SEED "  x = ...\n", "f:6:7: error: Ellipsis constant is not allowed" },
  { SEED "  x = 18446744073709551616\n", "f:6:7: error: constant 18446744073709551616 does not fit u64" },
  { SEED "  y = -1\n", "f:6:3: error: constant 18446744073709551615 does not fit u32" },
  { SEED "  y = x if y else 1\n", "f:6:3: error: u64 value assigned to u32 variable 'y'" },
  { SEED "  y += x\n", "f:6:3: error: u64 value assigned to u32 variable 'y'" },
  { SEED "  x = [1]\n", "f:6:7: error: List is not supported" },
  { SEED "  x = {1: 2}\n", "f:6:7: error: Dict or Set is not supported" },
  { SEED "  x = (1, 2)\n", "f:6:7: error: Tuple is not supported" },
  { SEED "  x = y[0]\n", "f:6:7: error: Subscript is not supported" },
  { SEED "  x = y[0:1]\n", "f:6:7: error: Subscript is not supported" },
  { "import neutrino.language as nl\nh: nl.u32[1] = 0\n", "f:2:11: error: an array has from 2 to 64 elements" },
  { ARRAY "  h[2] = 1\n", "f:5:5: error: 'h' has 2 elements, there is no h[2]" },
  { ARRAY "  h[0] = h[3]\n", "f:5:12: error: 'h' has 2 elements, there is no h[3]" },
  { ARRAY "  h = 1\n", "f:5:3: error: 'h' is an array: write h[...]" },
  { ARRAY "  h[0] += h\n", "f:5:11: error: 'h' is an array: write h[...]" },
  { ARRAY "  h[nl.time()] = nl.time()\n", "f:5:3: error: u64 value assigned to u32 variable 'h_0': write nl.u32(...)" },
  { "import neutrino.language as nl\nh_1: nl.u32 = 0\nh: nl.u32[2] = 0\n",
    "f:3:1: error: variable 'h_1' is there already" },
  { ARRAY "  h[0] = nl.popc()\n", "f:5:10: error: popc() takes one value" },
  { ARRAY "  h[0] = nl.ballot(1, 2)\n", "f:5:10: error: ballot() takes one condition" },
  { ARRAY "  h[0] = nl.s32\n", "f:5:10: error: nl.s32 is a function: write nl.s32()" },
  { SEED "  x = *y\n", "f:6:7: error: Starred is not supported" },
  { SEED "  x = (i for i in y)\n", "f:6:7: error: GeneratorExp is not supported" },
  { SEED "  x = x @ y\n", "f:6:7: error: operator MatMult is not supported" },
  { SEED "  x = x and y\n", "f:6:7: error: and, or, not are allowed only in an if condition" },
  { SEED "  if x not in y: pass\n", "f:6:6: error: comparison NotIn is not supported" },
  { SEED "  if (x < 1) + 1: pass\n", "f:6:7: error: a comparison is allowed only in an if condition" },
  { SEED "  x = x / 0\n", "f:6:7: error: division by zero" },
  { SEED "  x %= 4 - 4\n", "f:6:3: error: division by zero" },
  { SEED "  y = y >> 32\n", "f:6:7: error: shift count 32 is out of range for u32" },
  { SEED "  x = nl.foo\n", "f:6:7: error: unknown name nl.foo" },
  { SEED "  x = nl.foo()\n", "f:6:7: error: unknown function nl.foo()" },
  { SEED "  x = nl.time\n", "f:6:7: error: nl.time is a function: write nl.time()" },
  { SEED "  x = nl.time(1)\n", "f:6:7: error: time() takes no argument" },
  { SEED "  x = nl.u32()\n", "f:6:7: error: u32() takes one value" },
  { SEED "  x = nl.save(y, dtype=nl.u32)\n", "f:6:7: error: save() has no value" },
  { SEED "  x = nl\n", "f:6:7: error: variable 'nl' is not declared" },
  /* Saves of the seed's dialect. */
  { SEED "  nl.save(x)\n", "f:6:3: error: save() takes a value" },
  { SEED "  nl.save(x, dtype=nl.u16)\n", "f:6:14: error: save() takes a value" },
  { SEED "  nl.save(x, nl.u64)\n", "f:6:14: error: save() takes a value" },
  { SEED "  nl.save((), dtype=nl.u64)\n", "f:6:11: error: nothing to save" },
  { SEED "  nl.save(4294967296, dtype=nl.u32)\n", "f:6:11: error: constant 4294967296 does not fit u32" },
  { SEED "  M.save(x)\n", "f:6:3: error: map 'M' is not declared" },
  { HEAD "@nl.probe(pos='kernel', size=8)\ndef p():\n  pass\n", "f:5:1: error: probe 'p' saves 0 bytes, size=8" },
  { HEAD "@nl.probe(pos='kernel', size=16)\ndef p():\n  if x:\n    nl.save(x, dtype=nl.u64)\n",
    "f:5:1: error: probe 'p' saves up to 8 bytes, size=16" },
  { HEAD "@nl.probe(pos='kernel', size=12)\ndef p():\n  nl.save(y, dtype=nl.u32)\n  nl.save(x, dtype=nl.u64)\n",
    "f:7:3: error: u64 values would follow 4 bytes" },
  { HEAD "@nl.probe(pos='kernel', size=12)\ndef p():\n  if y: nl.save(y, dtype=nl.u32)\n  nl.save(x, dtype=nl.u64)\n",
    "f:7:3: error: u64 values would follow 4 bytes" },
};

/* Only the lines "f:...", without the source and the carets below them. */
static char *
first_lines (const char *messages)
{
  g_auto (GStrv) lines = g_strsplit (messages, "\n", -1);
  GString *text = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], "f:"))
      g_string_append_printf (text, "%s\n", lines[i]);
  return g_string_free (text, FALSE);
}

static void
test_refused (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autoptr (TtNlProgram) program = compile (refused[i].source);
      g_autofree char *messages = messages_of (program);

      if (tt_nl_program_is_good (program) || !g_str_has_prefix (messages, refused[i].message))
        {
          g_test_message ("%s\nwanted %s\n%s", refused[i].source, refused[i].message, messages);
          g_test_fail ();
        }
    }
}

/* One message a mistake, whatever follows it, in the order of the lines. */
static void
test_several (void)
{
  static const char source[] = HEAD "q: nl.f32 = 1\n"
                                    "@nl.probe(pos='kernel')\n"
                                    "def p():\n"
                                    "  for i in x:\n"
                                    "    y = ((\n"
                                    "      1))\n"
                                    "  x = q + z\n"
                                    "  if x <:\n"
                                    "    y = 1\n"
                                    "  elif y:\n"
                                    "    y = 2\n"
                                    "  else:\n"
                                    "    y = 3\n"
                                    "  z = 5\n"
                                    "  y = 1 +\n"
                                    "  x = 'a'; y = 1.0\n"
                                    "@nl.probe(pos='ld', level='x')\n"
                                    "def q(): x = y ** 2\n";
  static const char *const wanted[] = { "f:4:1:",   "f:7:3:",  "f:10:11:", "f:11:9:",
                                        "f:18:10:", "f:19:7:", "f:19:16:", "f:20:27:" };
  g_autoptr (TtNlProgram) program = compile (source);
  g_autofree char *messages = messages_of (program);
  g_auto (GStrv) lines = g_strsplit (messages, "\n", -1);
  guint n = 0;

  for (char **line = lines; *line != NULL; line++)
    if (g_str_has_prefix (*line, "f:"))
      {
        g_assert_cmpuint (n, <, G_N_ELEMENTS (wanted));
        if (n < G_N_ELEMENTS (wanted) && !g_str_has_prefix (*line, wanted[n]))
          {
            g_test_message ("wanted %s, got %s", wanted[n], *line);
            g_test_fail ();
          }
        n++;
      }
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (wanted));
}

/* What an open string swallows ends with its line, and that of an open block with the file. */
static void
test_after_open_strings (void)
{
  static const struct
  {
    const char *source, *messages;
  } cases[] = {
    { SEED "  x = 'a\n  y = 1 $ 2\n", "f:6:7: error: unterminated string\nf:7:9: error: stray character '$'\n" },
    { SEED "  '''a\n  y = 1 $ 2\n", "f:6:3: error: unterminated string\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TtNlProgram) program = compile (cases[i].source);
      g_autofree char *messages = messages_of (program);
      g_autofree char *shown = first_lines (messages);

      g_assert_cmpstr (shown, ==, cases[i].messages);
    }
}

static void
test_caret (void)
{
  g_autoptr (TtNlProgram) program = compile (SEED "\tx = y.z  # \xc3\xa4\n");
  g_autofree char *messages = messages_of (program);

  g_assert_cmpstr (messages, ==,
                   "f:6:6: error: only names of neutrino.language may be referred to\n"
                   "    \tx = y.z  # \xc3\xa4\n    \t    ^\n");
}

static void
test_many_errors (void)
{
  g_autoptr (GString) source = g_string_new (SEED);

  for (guint i = 0; i < 50; i++)
    g_string_append (source, "  x = 'a'\n");
  g_autoptr (TtNlProgram) program = compile (source->str);
  g_autofree char *messages = messages_of (program);
  g_assert_true (g_str_has_suffix (messages, "f: 30 more errors are not shown\n"));
}

/* -- what is taken ---------------------------------------------------------------------------------------- */

static const Case taken[] = {
  { SEED "  x = 1\r\n  y = 2\r\n", "mov.u32 %y, 2;" },
  { "\xef\xbb\xbf" SEED "  x = 1", "mov.u64 %x, 1;" },
  { SEED "  x = 1 + \\\n 2\n", "mov.u64 %x, 3;" },
  { SEED "  x = (1 # one\n\n + 2)\n", "mov.u64 %x, 3;" },
  { SEED "\n# nothing\n  x = 1; y = 2;\n\n  # end\n", "mov.u32 %y, 2;" },
  { SEED "\tif x:\n\t\ty = 1\n", "selp.b32 %y, 1, %y, %np0;" },
  { HEAD "@nl.probe(pos='kernel')\ndef p(): x = 0x_ff; y = 0b11 | 0o17\n", "mov.u32 %y, 15;" },
  { SEED "  x = -1\n  y = nl.u32(-1)\n", "mov.u32 %y, 4294967295;" },
  { SEED "  x = 1_000 - 1\n", "mov.u64 %x, 999;" },
  { SEED "  'text'\n  y = 7 if x else 8\n", "selp.b32 %y, 7, 8, %np0;" },
  { SEED "  if 1 < x: y = 1\n", "setp.gt.u64 %np0, %x, 1;" },
  { SEED "  x = nl.time(local=True)\n", "mov.u64 %x, %clock64;" },
  { SEED "  x = 5000000000 + y\n", "add.u64 %x, 5000000000, %nt0;" },
  { SEED "  x = y + 1\n", "cvt.u64.u32 %x, %nw0;" },
  { SEED "  x = 1 << y\n", "shl.b64 %x, 1, %y;" },
  { SEED "  y = (1 << x) + 1\n", "shl.b32 %nw1, 1, %nw0;\nadd.u32 %y, %nw1, 1;" },
  { SEED "  x = -(1 << y) | y\n",
    "shl.b32 %nw0, 1, %y;\nneg.s32 %nw1, %nw0;\nor.b32 %nw2, %nw1, %y;\ncvt.u64.u32 %x, %nw2;" },
  /* What 64 bits would hold. */
  { SEED "  y = (3 << y) << 40\n", "mov.u32 %y, 0;\"" },
  { AT_LOAD "  y = nl.u32(nl.src)\n  x = nl.dst\n",
    "mov.u32 %y, 0; { .local .b32 ncut; st.local.b32 [ncut], IN1;\nld.local.u32 %y, [ncut]; }\nmov.b64 %x, OUT;" },
  { AT_LOAD "  y += nl.bytes * 2 if x else nl.bytes\n", NULL },
  { AT_LOAD "  y = nl.bytes\n", "mov.b32 %y, BYTES;" },
  { HEAD "@nl.probe(pos='kernel', size=16, after=True)\ndef p():\n  nl.save((x, y, nl.smid(), y), dtype=nl.u32)\n",
    "cvt.u32.u64 %x_u32, %x;\nSAVE.u32 {%x_u32, %y, %smid, %y};" },
  { HEAD "@nl.probe(pos='kernel', size=8, after=True)\ndef p():\n  nl.save((nl.smid()), dtype=nl.u64)\n",
    "mov.u32 %nw0, %smid;\ncvt.u64.u32 %nt0, %nw0;\nSAVE.u64 {%nt0};" },
  { CURRENT "@Map(level='thread', type='array', size=16)\nclass M:\n  b: nl.u32\n  c: nl.u32\n  a: nl.u64\n" AT_END
            "  M.save(y, 7, y)\n",
    "mov.u64 %NR2, %NR1;\nSAVE [ M ] { %NR2, %NR1, 7 };" },
  { CURRENT MAP AT_END "  if y: x = nl.time()\n  M.save(x, x, nl.smid())\n",
    ".reg .pred %np<1>;\nmov.u64 %NR0, 0;\nmov.u64 %NR1, 0;" },
};

static void
test_taken (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (taken); i++)
    {
      g_autofree char *output = taken[i].message == NULL ? NULL : output_of (taken[i].source, "ptx");
      g_autoptr (TtNlProgram) program = compile (taken[i].source);

      /* "nl.bytes * 2" has 64 bits. */
      g_assert_true (tt_nl_program_is_good (program) == (taken[i].message != NULL));
      if (output != NULL && strstr (output, taken[i].message) == NULL)
        {
          g_test_message ("%s\nwanted %s\n%s", taken[i].source, taken[i].message, output);
          g_test_fail ();
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/probe/refused", test_refused);
  g_test_add_func ("/probe/several-errors", test_several);
  g_test_add_func ("/probe/after-open-strings", test_after_open_strings);
  g_test_add_func ("/probe/caret", test_caret);
  g_test_add_func ("/probe/many-errors", test_many_errors);
  g_test_add_func ("/probe/taken", test_taken);
  return g_test_run ();
}
