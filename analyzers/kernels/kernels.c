/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/kernels/kernels.h"

#include "analyzers/kernels/brief.h"
#include "analyzers/kernels/builder-private.h"

TtKernels *
tt_kernels_new (TtStore *store,
                const TtSelection *selection,
                const TtKernelWants *wants,
                const TtCrew *crew,
                GError **error)
{
  gboolean is_odd = FALSE;

  if (tt_kernel_wants_are_brief (wants, selection))
    {
      TtKernels *brief = NULL;

      if (!tt_kernels_new_brief (store, wants->by_operation, wants->has_short, &brief, error) || brief != NULL)
        return brief;
    }
  TtKernels *shared = crew == NULL ? NULL : tt_kernel_parts_join (store, selection, wants, crew, &is_odd, error);
  if (shared != NULL || (crew != NULL && !is_odd))
    return shared;
  g_auto (TtKernelBuilder) builder = { 0 };
  tt_kernel_builder_init (&builder, store, selection, wants);
  return tt_kernel_builder_read (&builder, error) && tt_kernel_builder_finish (&builder, error)
             ? g_steal_pointer (&builder.result)
             : NULL;
}
