/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/save-line.h"
#include "tests/formats/probe-run.h"

#include <stdio.h>
#include <string.h>

/*
 * wrap-probe sm_80|sm_90|gfx90a|gfx942 FILE.toml: prints a kernel that has the probes of FILE in it, as an injector would
 * put them, for an assembler to take or refuse.
 */

typedef struct
{
  const TtNlToml *toml;
  gboolean is_ptx;
  GString *text;
} Wrapper;

/* -- saves ---------------------------------------------------------------------------------------------- */

static void
expand_ptx_save (Wrapper *self, const TtNlSaveLine *save)
{
  g_autofree char *guard = save->guard == NULL ? g_strdup ("") : g_strdup_printf ("%s ", save->guard);

  for (guint i = 0; save->items[i] != NULL; i++)
    {
      guint width = probe_item_width (self->toml, save->map, save->width, i);
      const char *source = probe_helper (save->items[i]) == TT_NL_BYTES ? "8" : save->items[i];

      if (width == 32)
        {
          g_string_append_printf (self->text, "%s %%wtmp, %s;\n", save->map != NULL ? "cvt.u32.u64" : "mov.u32",
                                  source);
          source = "%wtmp";
        }
      g_string_append_printf (self->text, "%sst.global.u%u [%%wcur], %s;\n%sadd.s64 %%wcur, %%wcur, %u;\n", guard,
                              width, source, guard, width / 8);
    }
}

static void
expand_gcn_save (Wrapper *self, const TtNlSaveLine *save, gboolean is_warp)
{
  guint offset = 0;

  if (is_warp)
    g_string_append (self->text, "s_mov_b64 s[NT_LEAD:NT_LEAD+1], exec\ns_and_b64 exec, exec, 1\n");
  for (guint i = 0; save->items[i] != NULL; i++)
    {
      guint width = probe_item_width (self->toml, save->map, save->width, i);
      const char *item = save->items[i];

      if (width == 64)
        g_string_append_printf (self->text, "global_store_dwordx2 v[NT_ADDR:NT_ADDR+1], v[%s:%s+1], off offset:%u\n",
                                item, item, offset);
      else
        g_string_append_printf (self->text, "global_store_dword v[NT_ADDR:NT_ADDR+1], v[%s], off offset:%u\n", item,
                                offset);
      offset += width / 8;
    }
  g_string_append_printf (self->text,
                          "v_add_co_u32_e64 v[NT_ADDR], s[NT_LEAD+2:NT_LEAD+3], %u, v[NT_ADDR]\ns_nop 1\n"
                          "v_addc_co_u32_e64 v[NT_ADDR+1], s[NT_LEAD+2:NT_LEAD+3], 0, v[NT_ADDR+1],"
                          " s[NT_LEAD+2:NT_LEAD+3]\n",
                          MIN (offset, 64));
  if (is_warp)
    g_string_append (self->text, "s_mov_b64 exec, s[NT_LEAD:NT_LEAD+1]\n");
}

/* -- lines ---------------------------------------------------------------------------------------------- */

/* Registers of the hooked instruction, in the width in which a line reads them. */
static const char *
find_register (const Wrapper *self, const char *line, int helper)
{
  gboolean is_narrow = strstr (line, "st.local.b32") != NULL || g_str_has_prefix (line, "v_mov_b32");

  if (helper == TT_NL_BYTES)
    return "8";
  if (self->is_ptx)
    return is_narrow ? "%f1" : helper == TT_NL_ADDR ? "%rd1" : "%rd2";
  return is_narrow ? "v4" : "v[2:3]";
}

static void
append_line (Wrapper *self, const char *line, gboolean at_kernel)
{
  const char *at = line;

  while (*at != '\0')
    {
      gsize len = strspn (at, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_%");
      g_autofree char *word = g_strndup (at, MAX (len, 1));
      int helper = at_kernel ? -1 : probe_helper (word);

      g_string_append (self->text, helper >= 0 ? find_register (self, line, helper) : word);
      at += MAX (len, 1);
    }
  g_string_append_c (self->text, '\n');
}

static void
append_code (Wrapper *self, const TtNlTomlTable *table, const char *when, gboolean at_kernel)
{
  const char *datamodel = tt_nl_toml_text (table, "datamodel"), *level = tt_nl_toml_text (table, "level");
  gboolean is_warp = g_str_has_prefix (datamodel != NULL ? datamodel : level != NULL ? level : "", "warp");
  g_auto (GStrv) lines = g_strsplit (tt_nl_toml_text (table, when), "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    {
      g_auto (TtNlSaveLine) save = { 0 };

      if (!tt_nl_save_line_read (&save, *line, strlen (*line)))
        append_line (self, *line, at_kernel);
      else if (self->is_ptx)
        expand_ptx_save (self, &save);
      else
        expand_gcn_save (self, &save, is_warp);
    }
}

static void
append_sections (Wrapper *self, gboolean at_kernel, const char *when)
{
  for (guint i = 0; i < self->toml->tables->len; i++)
    {
      const TtNlTomlTable *table = tt_nl_toml_table (self->toml, i);
      const char *position = tt_nl_toml_text (table, "position");

      position = position != NULL ? position : tt_nl_toml_text (table, "pos");
      if (position != NULL && tt_nl_toml_text (table, when) != NULL && g_str_equal (position, "kernel") == at_kernel)
        append_code (self, table, when, at_kernel);
    }
}

/* -- kernels -------------------------------------------------------------------------------------------- */

static void
wrap_ptx (Wrapper *self, const char *machine)
{
  const TtNlTomlValue *regs = tt_nl_toml_find (tt_nl_toml_table (self->toml, 0), "regs");

  g_string_append_printf (self->text,
                          ".version %s\n.target %s\n.address_size 64\n"
                          ".visible .entry probed(.param .u64 buf, .param .u64 data)\n{\n"
                          ".reg .b64 %%rd<4>;\n.reg .f32 %%f<2>;\n.reg .b64 %%wcur;\n.reg .b32 %%wtmp;\n",
                          g_str_equal (machine, "sm_80") ? "7.0" : "7.8", machine);
  if (regs != NULL)
    g_string_append_printf (self->text, ".reg .u64 %%NR<%" G_GINT64_FORMAT ">;\n", regs->number + 1);
  append_sections (self, TRUE, "before");
  g_string_append (self->text, "ld.param.u64 %wcur, [buf];\nld.param.u64 %rd1, [data];\n");
  append_sections (self, FALSE, "before");
  g_string_append (self->text, "ld.global.u64 %rd2, [%rd1];\ncvt.rn.f32.u64 %f1, %rd2;\n");
  append_sections (self, FALSE, "after");
  append_sections (self, TRUE, "after");
  g_string_append (self->text, "ret;\n}\n");
}

static void
wrap_gcn (Wrapper *self, const char *machine)
{
  g_string_append_printf (self->text,
                          ".amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n.text\n.globl probed\n.p2align 8\n"
                          ".set NT_VGPR, 16\n.set NT_SGPR, 16\n.set NT_ADDR, 6\n.set NT_LEAD, 8\nprobed:\n"
                          "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\n"
                          "v_mov_b32_e32 v6, s4\nv_mov_b32_e32 v7, s5\nv_mov_b32_e32 v2, s6\nv_mov_b32_e32 v3, s7\n",
                          machine);
  append_sections (self, TRUE, "before");
  append_sections (self, FALSE, "before");
  /* A store right behind a load would be one clause with it. */
  g_string_append (self->text, "global_load_dword v4, v[2:3], off\ns_nop 0\n");
  append_sections (self, FALSE, "after");
  append_sections (self, TRUE, "after");
  g_string_append (self->text, "s_endpgm\n");
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *contents = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  gsize len;

  if (argc != 3)
    return 2;
  if (!g_file_get_contents (argv[2], &contents, &len, &error))
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  g_autoptr (TtNlToml) toml = tt_nl_toml_read (argv[2], contents, len, &error);
  if (toml == NULL)
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  Wrapper self = { .toml = toml, .is_ptx = g_str_has_prefix (argv[1], "sm_"), .text = text };
  if (self.is_ptx)
    wrap_ptx (&self, argv[1]);
  else
    wrap_gcn (&self, argv[1]);
  fputs (text->str, stdout);
  return 0;
}
