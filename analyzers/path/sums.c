/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/sums.h"

#include "src/base/compare.h"

const char *
tt_path_kind_text (TtPathKind kind)
{
  static const char *const words[TT_N_PATH_KINDS] = {
    [TT_PATH_COMPUTATION] = "computation",
    [TT_PATH_COMMUNICATION] = "communication",
    [TT_PATH_COPY] = "copy",
    [TT_PATH_LAUNCH] = "launch",
    [TT_PATH_SYNC] = "sync",
    [TT_PATH_HOST] = "host",
    [TT_PATH_INPUT] = "input",
    [TT_PATH_IDLE] = "idle",
  };

  g_return_val_if_fail (kind < TT_N_PATH_KINDS, NULL);

  return words[kind];
}

static void
clear_op (gpointer op)
{
  g_clear_pointer (&((TtPathOp *) op)->name, g_free);
}

GArray *
tt_path_ops_new (void)
{
  GArray *ops = g_array_new (FALSE, FALSE, sizeof (TtPathOp));

  g_array_set_clear_func (ops, clear_op);
  return ops;
}

static int
compare_ops (const void *a, const void *b)
{
  const TtPathOp *x = a, *y = b;
  int order = TT_COMPARE (y->time_ns, x->time_ns);

  return order != 0 ? order : g_strcmp0 (x->name, y->name);
}

void
tt_path_ops_sort (GArray *ops)
{
  g_array_sort (ops, compare_ops);
}
