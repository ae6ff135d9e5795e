/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/replayer/late.h"

#include <stdlib.h>

#define N_BUCKETS 4096

typedef struct Late Late;
struct Late
{
  uint64_t instance, param;
  TtPiNativeBlock block;
  Late *next;
};

static Late *lates[N_BUCKETS];

void
tt_replay_late_add (const TtPiNativeBlock *block)
{
  Late *late = block->len >= 16 ? malloc (sizeof *late) : NULL;

  if (late == NULL)
    return;
  late->instance = tt_pi_get (block->bytes, 8);
  late->param = tt_pi_get (block->bytes + 8, 8);
  late->block = *block;
  late->block.kind = block->kind == TT_PI_BLOCK_LATE ? TT_PI_BLOCK_BYTES : TT_PI_BLOCK_FILE;
  late->block.bytes += 16;
  late->block.len -= 16;
  late->next = lates[late->instance % N_BUCKETS];
  lates[late->instance % N_BUCKETS] = late;
}

bool
tt_replay_late_find (uint64_t instance, uint64_t param, TtPiNativeBlock *block)
{
  for (const Late *late = lates[instance % N_BUCKETS]; late != NULL; late = late->next)
    if (late->instance == instance && late->param == param)
      {
        *block = late->block;
        return true;
      }
  return false;
}
