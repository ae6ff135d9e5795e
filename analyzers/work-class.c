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
