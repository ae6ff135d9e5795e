/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/position.h"

#include <string.h>

static TtNlAddresses
find_ptx (const char *part)
{
  static const char *const shared[] = { "ld.shared", "st.shared", "ldmatrix", "stmatrix" };

  /* Its address is that in global memory. */
  if (strstr (part, "cp.async") != NULL)
    return TT_NL_ADDRESSES_64;
  if (strstr (part, ".shared") != NULL)
    return TT_NL_ADDRESSES_32;
  for (guint i = 0; i < G_N_ELEMENTS (shared); i++)
    if (strstr (part, shared[i]) != NULL)
      return TT_NL_ADDRESSES_32;
  for (guint i = 0; i < G_N_ELEMENTS (shared); i++)
    if (strstr (shared[i], part) != NULL)
      return TT_NL_ADDRESSES_EITHER;
  return TT_NL_ADDRESSES_64;
}

TtNlAddresses
tt_nl_position_addresses (const char *position, gboolean is_ptx)
{
  g_auto (GStrv) parts = g_strsplit (position, ":", -1);
  gboolean has[TT_NL_ADDRESSES_EITHER + 1] = { FALSE };

  for (char **part = parts; *part != NULL; part++)
    if (is_ptx)
      has[find_ptx (*part)] = TRUE;
    else
      has[g_str_has_prefix (*part, "ds_") ? TT_NL_ADDRESSES_32 : TT_NL_ADDRESSES_64] = TRUE;
  if (has[TT_NL_ADDRESSES_64] && has[TT_NL_ADDRESSES_32])
    return TT_NL_ADDRESSES_MIXED;
  if (has[TT_NL_ADDRESSES_EITHER])
    return TT_NL_ADDRESSES_EITHER;
  return has[TT_NL_ADDRESSES_32] ? TT_NL_ADDRESSES_32 : TT_NL_ADDRESSES_64;
}

static const TtNlInstruction *
find_address (const TtNlCode *code)
{
  for (guint i = 0; i < code->list->len; i++)
    {
      const TtNlInstruction *instruction = tt_nl_code_at (code, i);

      if (instruction->a.kind == TT_NL_OPERAND && instruction->a.index == TT_NL_ADDR)
        return instruction;
    }
  return NULL;
}

gboolean
tt_nl_position_check_addresses (const TtNlUnit *unit, gboolean is_ptx)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < unit->probes->len; i++)
    {
      const TtNlProbe *probe = tt_nl_unit_probe (unit, i);
      const TtNlInstruction *reader = probe->is_kernel ? NULL : find_address (probe->code);
      TtNlAddresses addresses = tt_nl_position_addresses (probe->position, is_ptx);

      if (reader != NULL && addresses == TT_NL_ADDRESSES_MIXED)
        {
          tt_nl_error (unit->messages, reader->offset,
                       "addresses of shared memory have 32 bits, others 64: write one probe for each");
          ok = FALSE;
        }
      else if (reader != NULL && addresses == TT_NL_ADDRESSES_EITHER)
        tt_nl_warning (unit->messages, reader->offset,
                       "'%s' finds instructions on shared memory, too, whose addresses have 32 bits, not 64: an "
                       "assembler may refuse this",
                       probe->position);
    }
  return ok;
}
