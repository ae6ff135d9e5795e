/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/run/machine.h"

#include <string.h>

/* A word may be of several classes, of which an instruction takes one. */
static const struct
{
  const char *word;
  TtGpuClass class;
  guint8 value;
} words[] = {
  { "rn", TT_GPU_ROUND, TT_GPU_RN },
  { "rz", TT_GPU_ROUND, TT_GPU_RZ },
  { "rm", TT_GPU_ROUND, TT_GPU_RM },
  { "rp", TT_GPU_ROUND, TT_GPU_RP },
  { "rni", TT_GPU_ROUND, TT_GPU_RNI },
  { "rzi", TT_GPU_ROUND, TT_GPU_RZI },
  { "rmi", TT_GPU_ROUND, TT_GPU_RMI },
  { "rpi", TT_GPU_ROUND, TT_GPU_RPI },
  { "rna", TT_GPU_ROUND, TT_GPU_RNA },
  { "ftz", TT_GPU_FTZ, 1 },
  { "noftz", TT_GPU_FTZ, 0 },
  { "sat", TT_GPU_SAT, 1 },
  { "NaN", TT_GPU_NAN, 1 },
  { "relu", TT_GPU_RELU, 1 },
  { "approx", TT_GPU_APPROX, 1 },
  { "full", TT_GPU_APPROX, 1 },
  { "cc", TT_GPU_CARRY, 1 },
  { "eq", TT_GPU_COMPARE, TT_GPU_EQ },
  { "ne", TT_GPU_COMPARE, TT_GPU_NE },
  { "lt", TT_GPU_COMPARE, TT_GPU_LT },
  { "le", TT_GPU_COMPARE, TT_GPU_LE },
  { "gt", TT_GPU_COMPARE, TT_GPU_GT },
  { "ge", TT_GPU_COMPARE, TT_GPU_GE },
  { "equ", TT_GPU_COMPARE, TT_GPU_EQU },
  { "neu", TT_GPU_COMPARE, TT_GPU_NEU },
  { "ltu", TT_GPU_COMPARE, TT_GPU_LTU },
  { "leu", TT_GPU_COMPARE, TT_GPU_LEU },
  { "gtu", TT_GPU_COMPARE, TT_GPU_GTU },
  { "geu", TT_GPU_COMPARE, TT_GPU_GEU },
  { "num", TT_GPU_COMPARE, TT_GPU_NUM },
  { "nan", TT_GPU_COMPARE, TT_GPU_IS_NAN },
  { "lo", TT_GPU_COMPARE, TT_GPU_LO },
  { "ls", TT_GPU_COMPARE, TT_GPU_LS },
  { "hi", TT_GPU_COMPARE, TT_GPU_HI },
  { "hs", TT_GPU_COMPARE, TT_GPU_HS },
  { "and", TT_GPU_BOOLEAN, TT_GPU_AND },
  { "or", TT_GPU_BOOLEAN, TT_GPU_OR },
  { "xor", TT_GPU_BOOLEAN, TT_GPU_XOR },
  { "global", TT_GPU_SPACE, TT_PTX_GLOBAL },
  { "shared", TT_GPU_SPACE, TT_PTX_SHARED },
  { "local", TT_GPU_SPACE, TT_PTX_LOCAL },
  { "const", TT_GPU_SPACE, TT_PTX_CONST },
  { "param", TT_GPU_SPACE, TT_PTX_PARAM },
  { "shared::cta", TT_GPU_SPACE, TT_PTX_SHARED },
  { "param::entry", TT_GPU_SPACE, TT_PTX_PARAM },
  { "param::func", TT_GPU_SPACE, TT_PTX_PARAM },
  { "v2", TT_GPU_VECTOR, 2 },
  { "v4", TT_GPU_VECTOR, 4 },
  { "v8", TT_GPU_VECTOR, 8 },
  { "lo", TT_GPU_PART, TT_GPU_PART_LO },
  { "hi", TT_GPU_PART, TT_GPU_PART_HI },
  { "wide", TT_GPU_PART, TT_GPU_PART_WIDE },
  { "uni", TT_GPU_UNIFORM, 1 },
  { "to", TT_GPU_TO, 1 },
  { "add", TT_GPU_ATOMIC, TT_GPU_ATOMIC_ADD },
  { "min", TT_GPU_ATOMIC, TT_GPU_ATOMIC_MIN },
  { "max", TT_GPU_ATOMIC, TT_GPU_ATOMIC_MAX },
  { "inc", TT_GPU_ATOMIC, TT_GPU_ATOMIC_INC },
  { "dec", TT_GPU_ATOMIC, TT_GPU_ATOMIC_DEC },
  { "exch", TT_GPU_ATOMIC, TT_GPU_ATOMIC_EXCH },
  { "cas", TT_GPU_ATOMIC, TT_GPU_ATOMIC_CAS },
  { "and", TT_GPU_ATOMIC, TT_GPU_ATOMIC_AND },
  { "or", TT_GPU_ATOMIC, TT_GPU_ATOMIC_OR },
  { "xor", TT_GPU_ATOMIC, TT_GPU_ATOMIC_XOR },
  { "up", TT_GPU_MODE, TT_GPU_UP },
  { "down", TT_GPU_MODE, TT_GPU_DOWN },
  { "bfly", TT_GPU_MODE, TT_GPU_BFLY },
  { "idx", TT_GPU_MODE, TT_GPU_IDX },
  { "all", TT_GPU_MODE, TT_GPU_ALL },
  { "any", TT_GPU_MODE, TT_GPU_ANY },
  { "uni", TT_GPU_MODE, TT_GPU_UNI },
  { "ballot", TT_GPU_MODE, TT_GPU_BALLOT },
  { "wrap", TT_GPU_MODE, TT_GPU_WRAP },
  { "clamp", TT_GPU_MODE, TT_GPU_CLAMP },
  { "l", TT_GPU_MODE, TT_GPU_LEFT },
  { "r", TT_GPU_MODE, TT_GPU_RIGHT },
  { "f4e", TT_GPU_MODE, TT_GPU_F4E },
  { "b4e", TT_GPU_MODE, TT_GPU_B4E },
  { "rc8", TT_GPU_MODE, TT_GPU_RC8 },
  { "ecl", TT_GPU_MODE, TT_GPU_ECL },
  { "ecr", TT_GPU_MODE, TT_GPU_ECR },
  { "rc16", TT_GPU_MODE, TT_GPU_RC16 },
  { "shiftamt", TT_GPU_MODE, TT_GPU_SHIFTAMT },
  { "finite", TT_GPU_MODE, TT_GPU_FINITE },
  { "infinite", TT_GPU_MODE, TT_GPU_INFINITE },
  { "number", TT_GPU_MODE, TT_GPU_NUMBER },
  { "notanumber", TT_GPU_MODE, TT_GPU_NOTANUMBER },
  { "normal", TT_GPU_MODE, TT_GPU_NORMAL },
  { "subnormal", TT_GPU_MODE, TT_GPU_SUBNORMAL },
  { "popc", TT_GPU_MODE, TT_GPU_POPC },
  { "aligned", TT_GPU_MODE, TT_GPU_ALIGNED },
  { "launch_dependents", TT_GPU_MODE, 0 },
  { "wait", TT_GPU_MODE, 0 },
};

/* What says nothing about values: caches, orders, scopes. */
static const char *const silent[] = {
  "ca",       "cg",
  "cs",       "lu",
  "cv",       "wb",
  "wt",       "nc",
  "volatile", "weak",
  "relaxed",  "acquire",
  "release",  "acq_rel",
  "sc",       "mmio",
  "cta",      "gpu",
  "sys",      "cluster",
  "gl",       "L1",
  "L2",       "proxy",
  "alias",    "mbarrier_init",
};

static gboolean
is_silent (const char *word)
{
  /* .L1::evict_last, .L2::128B, .L2::cache_hint takes an operand, which no pattern has. */
  if ((g_str_has_prefix (word, "L1::") || g_str_has_prefix (word, "L2::")) && strstr (word, "cache_hint") == NULL)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (silent); i++)
    if (strcmp (word, silent[i]) == 0)
      return TRUE;
  return FALSE;
}

gboolean
tt_gpu_word_find (const char *word, guint32 classes, TtGpuClass *class, guint8 *value)
{
  TtPtxType type = tt_ptx_type_find (word);

  if (type != TT_PTX_VOID && (classes & 1u << TT_GPU_TYPE) != 0)
    {
      *class = TT_GPU_TYPE;
      *value = (guint8) type;
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if ((classes & 1u << words[i].class) != 0 && strcmp (words[i].word, word) == 0)
      {
        *class = words[i].class;
        *value = words[i].value;
        return TRUE;
      }
  *class = TT_GPU_CACHE;
  *value = 1;
  return (classes & 1u << TT_GPU_CACHE) != 0 && is_silent (word);
}

static const char *const specials[TT_GPU_N_SPECIALS] = {
  [TT_GPU_TID_X] = "%tid.x",
  [TT_GPU_TID_Y] = "%tid.y",
  [TT_GPU_TID_Z] = "%tid.z",
  [TT_GPU_NTID_X] = "%ntid.x",
  [TT_GPU_NTID_Y] = "%ntid.y",
  [TT_GPU_NTID_Z] = "%ntid.z",
  [TT_GPU_CTAID_X] = "%ctaid.x",
  [TT_GPU_CTAID_Y] = "%ctaid.y",
  [TT_GPU_CTAID_Z] = "%ctaid.z",
  [TT_GPU_NCTAID_X] = "%nctaid.x",
  [TT_GPU_NCTAID_Y] = "%nctaid.y",
  [TT_GPU_NCTAID_Z] = "%nctaid.z",
  [TT_GPU_LANEID] = "%laneid",
  [TT_GPU_WARPID] = "%warpid",
  [TT_GPU_NWARPID] = "%nwarpid",
  [TT_GPU_SMID] = "%smid",
  [TT_GPU_NSMID] = "%nsmid",
  [TT_GPU_GRIDID] = "%gridid",
  [TT_GPU_LANEMASK_EQ] = "%lanemask_eq",
  [TT_GPU_LANEMASK_LE] = "%lanemask_le",
  [TT_GPU_LANEMASK_LT] = "%lanemask_lt",
  [TT_GPU_LANEMASK_GE] = "%lanemask_ge",
  [TT_GPU_LANEMASK_GT] = "%lanemask_gt",
  [TT_GPU_CLOCK] = "%clock",
  [TT_GPU_CLOCK_HI] = "%clock_hi",
  [TT_GPU_CLOCK64] = "%clock64",
  [TT_GPU_GLOBALTIMER] = "%globaltimer",
  [TT_GPU_GLOBALTIMER_LO] = "%globaltimer_lo",
  [TT_GPU_GLOBALTIMER_HI] = "%globaltimer_hi",
  [TT_GPU_DYNAMIC_SHARED] = "%dynamic_smem_size",
  [TT_GPU_TOTAL_SHARED] = "%total_smem_size",
  [TT_GPU_ZERO] = "%cluster_ctarank",
  [TT_GPU_ONE] = "%cluster_nctarank",
};

int
tt_gpu_special_find (const char *name)
{
  for (int i = 0; i < TT_GPU_N_SPECIALS; i++)
    if (strcmp (specials[i], name) == 0)
      return i;
  return -1;
}
