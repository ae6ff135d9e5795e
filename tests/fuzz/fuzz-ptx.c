/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/run/launch.h"
#include "src/gpu/weave/heading.h"
#include "src/gpu/weave/weave.h"

#include <string.h>

/*
 * Any bytes as a PTX module. What is read runs to its end, to a fault or to a number of instructions, with parameters that
 * point to memory; a probe is woven into it, and what comes out is read again.
 */

#define STEPS 100

static const char probe_text[] =
    "regs = 4\n[probe.p]\nlevel = \"thread\"\npos = \"ld:st:ret\"\nbefore = \"\"\"add.u64 %NR0, %NR0, 1;\"\"\"\n"
    "after = \"\"\"SAVE [ M ] { %NR0, %NR1 };\"\"\"\n[probe.k]\nlevel = \"thread\"\npos = \"kernel\"\n"
    "after = \"\"\"SAVE [ M ] { %NR0, %NR2 };\"\"\"\n[map.M]\nlevel = \"thread\"\ntype = \"array\"\nsize = 12\ncap = "
    "2\n"
    "[map.M.regs]\na = [\"u64\", \"None\"]\nb = [\"u32\", \"None\"]\n";

static void
run_kernel (const TtPtxModule *module, const TtPtxFunction *kernel)
{
  g_autoptr (TtGpuLaunch) launch = tt_gpu_launch_new (module, kernel, "fuzz.ptx", NULL);
  const guint grid[3] = { 2, 1, 1 }, block[3] = { 5, 2, 1 };
  guint64 address = 0;
  TtGpuCounts counts;

  if (launch == NULL || !tt_gpu_launch_set_size (launch, grid, block, NULL))
    return;
  tt_gpu_launch_set_max_steps (launch, STEPS);
  g_assert_nonnull (tt_gpu_launch_allocate (launch, "memory", 256, &address, NULL));
  for (guint i = 0; i < kernel->params->len; i++)
    {
      const TtPtxVariable *param = kernel->params->pdata[i];
      g_autofree guint8 *value = g_malloc0 (param->bytes + sizeof address);
      memcpy (value, &address, sizeof address);
      g_assert_true (tt_gpu_launch_set_param (launch, i, value, param->bytes, NULL));
    }
  g_autoptr (GError) error = NULL;
  if (!tt_gpu_launch_run (launch, &counts, &error))
    g_assert_nonnull (error);
  g_assert_cmpuint (counts.warp_steps, <=, STEPS);
}

static void
weave (const TtPtxModule *module)
{
  static TtGpuProbe *probe;
  g_autoptr (GString) notes = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *param = NULL, *toml = NULL;

  if (probe == NULL)
    probe = tt_gpu_probe_new ("probe.toml", probe_text, strlen (probe_text), NULL);
  TtGpuWeaving weaving = { module, "fuzz.ptx", "probe.toml", probe, NULL };
  g_autofree char *text = tt_gpu_weave (&weaving, notes, NULL);
  if (text == NULL)
    return;
  g_autoptr (TtPtxModule) woven = tt_ptx_module_new ("woven.ptx", text, strlen (text), &error);
  g_assert_no_error (error);
  g_assert_true (tt_gpu_woven_read (text, &param, &toml));
}

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtPtxModule) module = tt_ptx_module_new ("fuzz.ptx", (const char *) bytes, len, &error);

  g_assert_true ((module == NULL) == (error != NULL));
  if (module == NULL)
    return 0;
  for (guint i = 0; i < module->functions->len; i++)
    {
      const TtPtxFunction *function = module->functions->pdata[i];
      if (function->is_entry && function->has_body)
        {
          run_kernel (module, function);
          break;
        }
    }
  weave (module);
  return 0;
}
