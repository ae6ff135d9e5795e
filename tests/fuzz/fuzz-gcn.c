/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/gcn/launch.h"
#include "src/gpu/weave/gcn-weave.h"
#include "src/gpu/weave/heading.h"

#include <string.h>

/*
 * Any bytes as AMD's assembly. What is read runs to its end, to a fault or to a number of instructions, with parameters
 * that point to memory; one of two probes is woven into it, and what comes out is read again.
 * Options: -entropic=0 -max_len=4096
 */

#define STEPS 100

#define MAP                                                                                                    \
  "[map.M]\nlevel = \"thread\"\ntype = \"array\"\nsize = 12\ncap = 2\n[map.M.regs]\na = [\"u64\", \"None\"]\n" \
  "b = [\"u32\", \"None\"]\n"

static const char operand_text[] =
    "regs = 4\n[probe.p]\nlevel = \"thread\"\npos = \"_load_:v_:s_\"\nbefore = \"\"\"v_mov_b32_e32 v[nv_a], IN1\"\"\"\n"
    "[probe.k]\nlevel = \"thread\"\npos = \"kernel\"\nbefore = \"\"\".set nv_a, NT_VGPR+0\n.set nt_b, NT_SGPR+0\"\"\"\n"
    "after = \"\"\"SAVE [ M ] { nv_a, nv_a };\"\"\"\n" MAP;

static const char address_text[] =
    "regs = 2\n[probe.k]\nlevel = \"thread\"\npos = \"kernel\"\nbefore = \"\"\".set nv_a, NT_VGPR+0\"\"\"\n[probe.p]\n"
    "level = \"thread\"\npos = \"_load_:_store_:_atomic_:ds_\"\nbefore = \"\"\"v_lshlrev_b64 v[nv_a:nv_a+1], BYTES, "
    "ADDR\"\"\"\n" MAP;

/* Each is read once: reading them is what another target is for. */
static const TtGpuProbe *
find_probe (gboolean has_address)
{
  static TtGpuProbe *probes[2];
  const char *toml = has_address ? address_text : operand_text;

  if (probes[has_address] == NULL)
    probes[has_address] = tt_gpu_probe_new ("probe.toml", toml, strlen (toml), NULL);
  g_assert_nonnull (probes[has_address]);
  return probes[has_address];
}

static void
weave (const TtGcnModule *module, const char *source, const TtGpuProbe *probe)
{
  g_autoptr (GString) notes = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *param = NULL, *read = NULL;

  TtGpuGcnWeaving weaving = { module, source, strlen (source), "fuzz.s", "probe.toml", probe, NULL };
  g_autofree char *text = tt_gpu_gcn_weave (&weaving, notes, &error);
  g_assert_true ((text == NULL) == (error != NULL));
  g_assert_true (text == NULL || tt_gpu_woven_read (text, &param, &read));
}

static void
run_kernel (const TtGcnModule *module, const TtGcnKernel *kernel)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtGcnLaunch) launch = tt_gcn_launch_new (module, kernel, "fuzz.s", &error);
  const guint grid[3] = { 2, 1, 1 }, block[3] = { 5, 2, 1 };
  guint64 address = 0, steps = 0, thread_steps = 0;

  g_assert_true ((launch == NULL) == (error != NULL));
  if (launch == NULL || !tt_gcn_launch_set_size (launch, grid, block, NULL))
    return;
  tt_gcn_launch_set_max_steps (launch, STEPS);
  g_assert_nonnull (tt_gcn_launch_allocate (launch, "memory", 256, &address, NULL));
  for (guint i = 0, n = 0; i < kernel->arguments->len; i++)
    {
      const TtGcnArgument *argument = &g_array_index (kernel->arguments, TtGcnArgument, i);
      g_autofree guint8 *value = g_malloc0 (argument->size + sizeof address);

      if (argument->kind != NULL && g_str_has_prefix (argument->kind, "hidden_"))
        continue;
      memcpy (value, &address, sizeof address);
      g_assert_true (tt_gcn_launch_set_param (launch, n++, value, argument->size, NULL));
    }
  if (!tt_gcn_launch_run (launch, &steps, &thread_steps, &error))
    g_assert_nonnull (error);
  g_assert_cmpuint (steps, <=, STEPS + 1);
}

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strndup ((const char *) bytes, len);
  g_autoptr (TtGcnModule) module = tt_gcn_module_new ("fuzz.s", text, strlen (text), &error);

  g_assert_true ((module == NULL) == (error != NULL));
  if (module != NULL && module->kernels->len > 0)
    run_kernel (module, module->kernels->pdata[0]);
  if (module == NULL)
    return 0;
  weave (module, text, find_probe (len % 2 == 0));
  return 0;
}
