/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/run/machine.h"

#include <string.h>

/*
 * To add an instruction: a line here, and its function, which instructions.h declares. Of an opcode the longest name that
 * it begins with counts. Operands: d a register that is written, v the same or a vector, P one or two (p|q), s a value,
 * V a value or a vector, p a predicate, a an address; what follows ? may be left out; * takes all.
 */

#define C(name) (1u << TT_GPU_##name)
#define ARITHMETIC (C (TYPE) | C (ROUND) | C (FTZ) | C (SAT))
#define APPROXIMATE (ARITHMETIC | C (APPROX))
#define ACCESS (C (TYPE) | C (SPACE) | C (VECTOR) | C (CACHE))
#define BARRIER (C (MODE) | C (CACHE) | C (BOOLEAN) | C (TYPE))
#define PURE(word, classes, operands, function)                    \
  {                                                                \
    word, classes, operands, 0, tt_gpu_pure_##function, NULL, NULL \
  }
#define LANE(word, classes, operands, function)                    \
  {                                                                \
    word, classes, operands, 0, NULL, tt_gpu_lane_##function, NULL \
  }
#define GROUP(word, classes, operands, detail, function)                 \
  {                                                                      \
    word, classes, operands, detail, NULL, NULL, tt_gpu_group_##function \
  }

const TtGpuOpcode tt_gpu_opcodes[] = {
  PURE ("add", ARITHMETIC, "dss", add),
  PURE ("sub", ARITHMETIC, "dss", sub),
  PURE ("mul", ARITHMETIC | C (PART), "dss", mul),
  PURE ("mad", ARITHMETIC | C (PART), "dsss", mad),
  PURE ("fma", ARITHMETIC | C (RELU), "dsss", fma),
  PURE ("mul24", C (TYPE) | C (PART), "dss", mul24),
  PURE ("mad24", C (TYPE) | C (PART), "dsss", mad24),
  PURE ("sad", C (TYPE), "dsss", sad),
  PURE ("div", APPROXIMATE, "dss", div),
  PURE ("rem", C (TYPE), "dss", rem),
  PURE ("abs", C (TYPE) | C (FTZ), "ds", abs),
  PURE ("neg", C (TYPE) | C (FTZ), "ds", neg),
  PURE ("min", C (TYPE) | C (FTZ) | C (NAN) | C (RELU), "dss", min),
  PURE ("max", C (TYPE) | C (FTZ) | C (NAN) | C (RELU), "dss", max),
  PURE ("popc", C (TYPE), "ds", popc),
  PURE ("clz", C (TYPE), "ds", clz),
  PURE ("bfind", C (TYPE) | C (MODE), "ds", bfind),
  PURE ("brev", C (TYPE), "ds", brev),
  PURE ("bfe", C (TYPE), "dsss", bfe),
  PURE ("bfi", C (TYPE), "dssss", bfi),
  PURE ("bmsk", C (TYPE) | C (MODE), "dss", bmsk),
  PURE ("szext", C (TYPE) | C (MODE), "dss", szext),
  PURE ("and", C (TYPE), "dss", and),
  PURE ("or", C (TYPE), "dss", or),
  PURE ("xor", C (TYPE), "dss", xor),
  PURE ("not", C (TYPE), "ds", not ),
  PURE ("cnot", C (TYPE), "ds", cnot),
  PURE ("lop3", C (TYPE), "dssss", lop3),
  PURE ("shl", C (TYPE), "dss", shl),
  PURE ("shr", C (TYPE), "dss", shr),
  PURE ("shf", C (TYPE) | C (MODE), "dsss", shf),
  PURE ("prmt", C (TYPE) | C (MODE), "dsss", prmt),
  PURE ("dp4a", C (TYPE), "dsss", dp4a),
  PURE ("selp", C (TYPE), "dssp", selp),
  PURE ("slct", C (TYPE) | C (FTZ), "dsss", slct),
  PURE ("set", C (TYPE) | C (FTZ) | C (COMPARE) | C (BOOLEAN), "dss?p", set),
  PURE ("cvt", ARITHMETIC | C (RELU), "ds?s", cvt),
  PURE ("rcp", APPROXIMATE, "ds", rcp),
  PURE ("sqrt", APPROXIMATE, "ds", sqrt),
  PURE ("rsqrt", APPROXIMATE, "ds", rsqrt),
  PURE ("ex2", APPROXIMATE, "ds", ex2),
  PURE ("lg2", APPROXIMATE, "ds", lg2),
  PURE ("sin", APPROXIMATE, "ds", sin),
  PURE ("cos", APPROXIMATE, "ds", cos),
  PURE ("tanh", APPROXIMATE, "ds", tanh),
  PURE ("testp", C (TYPE) | C (MODE), "ds", testp),
  PURE ("copysign", C (TYPE), "dss", copysign),
  LANE ("addc", C (TYPE) | C (CARRY), "dss", carry),
  LANE ("subc", C (TYPE) | C (CARRY), "dss", carry),
  LANE ("add.cc", C (TYPE), "dss", carry),
  LANE ("sub.cc", C (TYPE), "dss", carry),
  LANE ("mad.lo.cc", C (TYPE), "dsss", carry),
  LANE ("mad.hi.cc", C (TYPE), "dsss", carry),
  LANE ("madc", C (TYPE) | C (CARRY) | C (PART), "dsss", carry),
  LANE ("mov", C (TYPE), "vV", mov),
  LANE ("setp", C (TYPE) | C (FTZ) | C (COMPARE) | C (BOOLEAN), "Pss?p", setp),
  LANE ("ld", ACCESS, "va", ld),
  LANE ("ldu", ACCESS, "va", ld),
  LANE ("st", ACCESS, "aV", st),
  LANE ("atom", C (TYPE) | C (SPACE) | C (CACHE) | C (ATOMIC) | C (FTZ), "das?s", atom),
  LANE ("red", C (TYPE) | C (SPACE) | C (CACHE) | C (ATOMIC) | C (FTZ), "as", red),
  LANE ("cvta", C (TYPE) | C (SPACE) | C (TO), "ds", cvta),
  LANE ("isspacep", C (SPACE), "ds", isspacep),
  LANE ("prefetch", C (SPACE) | C (CACHE), "a", nothing),
  LANE ("prefetchu", C (CACHE), "a", nothing),
  LANE ("membar", C (CACHE), "", nothing),
  LANE ("fence", C (CACHE), "", nothing),
  LANE ("nanosleep", C (TYPE), "s", nothing),
  LANE ("pmevent", 0, "s", nothing),
  LANE ("griddepcontrol", C (MODE) | C (CACHE), "", nothing),
  LANE ("cp.async.commit_group", 0, "", nothing),
  LANE ("cp.async.wait_group", 0, "s", nothing),
  LANE ("cp.async.wait_all", 0, "", nothing),
  LANE ("cp.async", C (SPACE) | C (CACHE), "aas?s", cp_async),
  LANE ("bra", C (UNIFORM), "l", bra),
  LANE ("call", C (UNIFORM), "*", call),
  LANE ("ret", C (UNIFORM), "", ret),
  LANE ("exit", 0, "", exit),
  LANE ("trap", 0, "", trap),
  LANE ("brkpt", 0, "", nothing),
  GROUP ("shfl.sync", C (TYPE) | C (MODE), "Pssss", 0, shfl),
  GROUP ("vote.sync", C (TYPE) | C (MODE), "dps", 0, vote),
  GROUP ("match.any.sync", C (TYPE), "dss", TT_GPU_ANY, match),
  GROUP ("match.all.sync", C (TYPE), "Pss", TT_GPU_ALL, match),
  GROUP ("redux.sync", C (TYPE) | C (ATOMIC), "dss", 0, redux),
  GROUP ("activemask", C (TYPE), "d", 0, activemask),
  GROUP ("elect.sync", 0, "Ps", 0, elect),
  GROUP ("bar.warp.sync", 0, "s", TT_GPU_WARP_SYNC, bar),
  GROUP ("bar.sync", BARRIER, "s?s", TT_GPU_SYNC, bar),
  GROUP ("bar.cta.sync", BARRIER, "s?s", TT_GPU_SYNC, bar),
  GROUP ("barrier.sync", BARRIER, "s?s", TT_GPU_SYNC, bar),
  GROUP ("barrier.cta.sync", BARRIER, "s?s", TT_GPU_SYNC, bar),
  GROUP ("bar.arrive", BARRIER, "ss", TT_GPU_ARRIVE, bar),
  GROUP ("barrier.arrive", BARRIER, "ss", TT_GPU_ARRIVE, bar),
  GROUP ("barrier.cta.arrive", BARRIER, "ss", TT_GPU_ARRIVE, bar),
  GROUP ("bar.red", BARRIER, "dss?s", TT_GPU_RED, bar),
  GROUP ("bar.cta.red", BARRIER, "dss?s", TT_GPU_RED, bar),
  GROUP ("barrier.red", BARRIER, "dss?s", TT_GPU_RED, bar),
  GROUP ("barrier.cta.red", BARRIER, "dss?s", TT_GPU_RED, bar),
  GROUP ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 0, "vVVV", TT_GPU_F16_16, mma),
  GROUP ("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 0, "vVVV", TT_GPU_BF16_16, mma),
  GROUP ("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 0, "vVVV", TT_GPU_F16_8, mma),
  GROUP ("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", 0, "vVVV", TT_GPU_BF16_8, mma),
  GROUP ("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 0, "vVVV", TT_GPU_TF32_8, mma),
  GROUP ("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 0, "vVVV", TT_GPU_TF32_4, mma),
  GROUP ("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 0, "vVVV", TT_GPU_F16_16_F16, mma),
  GROUP ("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", 0, "vVVV", TT_GPU_F16_8_F16, mma),
  GROUP ("ldmatrix.sync.aligned.m8n8.x1.shared.b16", 0, "va", 1, ldmatrix),
  GROUP ("ldmatrix.sync.aligned.m8n8.x1.shared::cta.b16", 0, "va", 1, ldmatrix),
  GROUP ("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16", 0, "va", 1 | 8, ldmatrix),
  GROUP ("ldmatrix.sync.aligned.m8n8.x1.trans.shared::cta.b16", 0, "va", 1 | 8, ldmatrix),
  GROUP ("ldmatrix.sync.aligned.m8n8.x2.shared.b16", 0, "va", 2, ldmatrix),
  GROUP ("ldmatrix.sync.aligned.m8n8.x2.shared::cta.b16", 0, "va", 2, ldmatrix),
  GROUP ("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", 0, "va", 2 | 8, ldmatrix),
  GROUP ("ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16", 0, "va", 2 | 8, ldmatrix),
  GROUP ("ldmatrix.sync.aligned.m8n8.x4.shared.b16", 0, "va", 4, ldmatrix),
  GROUP ("ldmatrix.sync.aligned.m8n8.x4.shared::cta.b16", 0, "va", 4, ldmatrix),
  GROUP ("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", 0, "va", 4 | 8, ldmatrix),
  GROUP ("ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16", 0, "va", 4 | 8, ldmatrix),
  { NULL, 0, NULL, 0, NULL, NULL, NULL },
};

const TtGpuOpcode *
tt_gpu_opcode_find (const char *name)
{
  const TtGpuOpcode *found = NULL;

  for (const TtGpuOpcode *opcode = tt_gpu_opcodes; opcode->name != NULL; opcode++)
    if (tt_ptx_opcode_is (name, opcode->name) && (found == NULL || strlen (opcode->name) > strlen (found->name)))
      found = opcode;
  return found;
}
