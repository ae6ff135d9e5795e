/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/kineto/collectives.h"

#include <string.h>

/*
 * Any bytes as the arguments of the kinds of spans that tell of collectives. Texts stay short, numbers are sound, and what
 * is no call has the role of none.
 */

static void
check (const TtCollectiveFacts *facts)
{
  g_assert_cmpint (facts->role, <=, TT_COLLECTIVE_HOST_WORK);
  /* A character that is no UTF-8 becomes one of three bytes. */
  g_assert_cmpuint (facts->group->len, <=, 3 * TT_COLLECTIVE_TEXT);
  g_assert_cmpuint (facts->description->len, <=, 3 * TT_COLLECTIVE_TEXT);
  g_assert_cmpuint (facts->ranks->len, <=, TT_COLLECTIVE_TEXT);
  g_assert_cmpuint (facts->function->len, >, 0);
  g_assert_cmpint (facts->bytes_in, >=, -1);
  g_assert_cmpint (facts->bytes_out, >=, -1);
  g_assert_cmpint (facts->sequence, >=, -1);
  g_assert_cmpuint (facts->group_size, <=, G_MAXINT32);
}

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  static const struct
  {
    const char *group, *raw, *sub_op;
  } spans[] = {
    { "kernel", "ncclDevKernel_ReduceScatter_Sum_f32_RING_LL", "REDUCE" },
    { "cpu_op", "record_param_comms", NULL },
    { "user_annotation", "gloo:all_reduce", "ALLREDUCE" },
    { "user_annotation", "nccl:barrier", NULL },
    { "", "", NULL },
  };
  g_auto (TtCollectiveFacts) facts = { 0 };

  tt_collective_facts_init (&facts);
  for (guint i = 0; i < G_N_ELEMENTS (spans); i++)
    {
      tt_kineto_read_collective ("Comm", spans[i].group, spans[i].raw, spans[i].sub_op, (const char *) bytes, len, &facts);
      check (&facts);
    }
  return 0;
}
