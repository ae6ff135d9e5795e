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
  Late found, *late;

  if (!tt_pi_native_late (block, &found.instance, &found.param, &found.block))
    return;
  if ((late = malloc (sizeof *late)) == NULL)
    abort ();
  found.next = lates[found.instance % N_BUCKETS];
  *late = found;
  lates[found.instance % N_BUCKETS] = late;
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
