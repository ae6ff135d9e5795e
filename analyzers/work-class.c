/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/work-class.h"

TtWorkClass
tt_work_class (const char *op_cat)
{
  static const struct
  {
    const char *op_cat;
    TtWorkClass work;
  } classes[] = {
    { "Comm", TT_WORK_COMMUNICATION }, { "MEM", TT_WORK_MEMORY },   { "SYNC", TT_WORK_SYNC }, { "I/O", TT_WORK_IO },
    { "RT", TT_WORK_RUNTIME },         { "virtual", TT_WORK_NONE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (g_strcmp0 (op_cat, classes[i].op_cat) == 0)
      return classes[i].work;
  return TT_WORK_COMPUTE;
}

TtWorkClass
tt_work_class_of_host (const char *op_cat, const char *op_name)
{
  TtWorkClass work = tt_work_class (op_cat);
  gboolean is_mpi = op_name != NULL && (g_str_has_prefix (op_name, "MPI_") || g_str_has_prefix (op_name, "MPI "));

  return work == TT_WORK_SYNC && is_mpi ? TT_WORK_COMMUNICATION : work;
}
