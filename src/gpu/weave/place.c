/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/weave/place.h"

static gboolean
is_of_call (const TtPtxFunction *function, const TtPtxInstruction *instruction, const char *opcode)
{
  const TtPtxOperand *address = NULL;

  if (!tt_ptx_opcode_is (instruction->opcode, opcode))
    return FALSE;
  for (guint i = 0; i < instruction->n_operands; i++)
    if (instruction->operands[i].kind == TT_PTX_ADDRESS)
      address = &instruction->operands[i].items[0];
  for (guint i = 0; address != NULL && i < function->variables->len; i++)
    if (address->variable == function->variables->pdata[i])
      return TRUE;
  return FALSE;
}

TtGpuPlace
tt_gpu_place_find (const TtPtxFunction *function, guint i)
{
  const GArray *list = function->instructions;
  guint first = i, last = i;
  TtGpuPlace place;

  while (first > 0 && is_of_call (function, tt_ptx_function_at (function, first), "ld.param"))
    first--;
  while (last + 1 < list->len && is_of_call (function, tt_ptx_function_at (function, last), "st.param"))
    last++;
  if (tt_ptx_opcode_is (tt_ptx_function_at (function, first)->opcode, "call") ||
      is_of_call (function, tt_ptx_function_at (function, first), "st.param"))
    while (first > 0 && is_of_call (function, tt_ptx_function_at (function, first - 1), "st.param"))
      first--;
  while (last + 1 < list->len && is_of_call (function, tt_ptx_function_at (function, last + 1), "ld.param"))
    last++;
  place.before = tt_ptx_function_at (function, first)->start;
  place.after = tt_ptx_function_at (function, last)->end;
  return place;
}
