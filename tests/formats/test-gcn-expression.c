/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/gcn/expression.h"

#include <string.h>

/* Values are those of LLVM 22's assembler. */
static const struct
{
  const char *text;
  gint64 gfx90a, gfx942;
} expressions[] = {
  { "7+3*2|4", 13, 13 },
  { "-8/3&~1", -2, -2 },
  { "(1+2)<<4-1", 47, 47 },
  { "255^15+1", 241, 241 },
  { "1-2-3", -4, -4 },
  { "100/7*7", 98, 98 },
  { "-17%5", -2, -2 },
  { " 0x10 + k.num_agpr ", 22, 22 },
  { "k.twice", 7, 7 },
  { "max(3, 9, -4)", 9, 9 },
  { "or(12, 3, 64)", 79, 79 },
  { "alignto(9, 4)", 12, 12 },
  { "alignto(8, 4)", 8, 8 },
  { "totalnumvgprs(0, 41)", 41, 41 },
  { "totalnumvgprs(5, 41)", 49, 49 },
  { "extrasgprs(1, 0, 0)", 2, 6 },
  { "extrasgprs(1, 0, 1)", 4, 6 },
  { "extrasgprs(0, 1, 0)", 6, 6 },
  { "max(totalnumvgprs(k.num_agpr, k.num_vgpr), 1, 0)", 50, 50 },
  { "max(k.numbered_sgpr+6, 1, 0)-6", 36, 36 },
  { "(((((alignto(max(1, k.num_vgpr), 4)/4)-1)&~65536)&63)+1)*4", 44, 44 },
};

static const char *const others[] = {
  "",    "1+",  "(1",  "1)",    "max()", "max(1",      "max(1,)", "none(1)", "unknown",
  "1 2", "5/0", "5%0", "1<<64", "12ab",  "alignto(1)", "+1",      "k",
};

static TtGcnModule *
new_module (const char *machine)
{
  g_autofree char *text = g_strdup_printf (
      "\t.amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n"
      "\t.set k.num_vgpr, max(40, k.least)\n\t.set k.num_agpr, 6\n"
      "\t.set k.numbered_sgpr, k.least-5\n\t.set k.least, 41\n\t.set k.twice, k.later\n\t.set k.twice, 7\n"
      "\t.set k.later, 8\n",
      machine);
  g_autoptr (GError) error = NULL;
  TtGcnModule *module = tt_gcn_module_new ("text", text, strlen (text), &error);

  g_assert_no_error (error);
  return module;
}

/* Symbols may stand further down. */
static void
test_values (void)
{
  static const char *const machines[] = { "gfx90a", "gfx942", "gfx950" };

  for (guint m = 0; m < G_N_ELEMENTS (machines); m++)
    {
      g_autoptr (TtGcnModule) module = new_module (machines[m]);

      for (guint i = 0; i < G_N_ELEMENTS (expressions); i++)
        {
          gint64 value = 0;

          if (!tt_gcn_expression (module, expressions[i].text, &value))
            g_error ("%s is none", expressions[i].text);
          g_assert_cmpint (value, ==, m == 0 ? expressions[i].gfx90a : expressions[i].gfx942);
        }
    }
}

static void
test_refused (void)
{
  g_autoptr (TtGcnModule) module = new_module ("gfx90a");
  g_autoptr (GString) deep = g_string_new (NULL);
  gint64 value;

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (tt_gcn_expression (module, others[i], &value))
      g_error ("'%s' is taken", others[i]);
  for (guint i = 0; i < 100000; i++)
    g_string_append_c (deep, i % 2 == 0 ? '(' : '-');
  g_assert_false (tt_gcn_expression (module, deep->str, &value));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcn/expression/values", test_values);
  g_test_add_func ("/gcn/expression/refused", test_refused);
  return g_test_run ();
}
