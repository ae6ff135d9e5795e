/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/fine-category.h"

static const struct
{
  const char *op_cat, *sub_op, *text, *category;
} cases[] = {
  { "FW", NULL, "FW.RECOMMEND/SUMMARY", "operator.FW" },
  { "BW", NULL, "BW.FW_x", "operator.BW" },
  { "UPDATE_", NULL, "UPDATE_CAL", "operator.UPDATE" },
  { "OUTPUT", NULL, "OUTPUT0", "operator.OUTPUT" },
  { "COMP", NULL, "COMP.Comm", "operator.COMP" },
  { "I/O", NULL, "I/O_0", "I/O" },
  { "ServerOp", "SUM", "ServerOp.7.SUM", "ServerOp" },
  { "virtual", NULL, "END", "virtual" },
  { "MEM", "H2D", "MEM.copy.H2D", "MEM" },
  { "Comm", "SEND", "Comm.3+4.SEND", "Comm.SEND" },
  { "Comm", "REC", "Comm.3.REC", "Comm.RECV" },
  { "Comm", "PULL_RES", "Comm.7.PULL_RES", "Comm.PULL_RES" },
  { "Comm", "QUEUE", "Comm.SEND.QUEUE", "Comm.other" },
  { "Comm", NULL, "Comm.5", "Comm.other" },
  /* By words of the name, first that holds. */
  { "own", NULL, "own.COPY_FIRST", "ServerOp" },
  { "own", NULL, "own.PUSH_REQ", "Comm.PUSH_REQ" },
  { "own", NULL, "own.Comm.RECV", "Comm.RECV" },
  { "own", NULL, "own.Comm", "Comm.other" },
  { "own", NULL, "own.FW+BW", "operator.FW+BW" },
  { "own", NULL, "own.COMM", "operator.COMM" },
  { NULL, NULL, "OUTPUT1", "operator.OUTPUT" },
  { NULL, NULL, "END", "virtual" },
  { "own", NULL, "own.other", "own" },
};

static void
test_categories (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const TtStoredName name = { .op_cat = cases[i].op_cat, .sub_op = cases[i].sub_op, .text = cases[i].text };

      g_assert_cmpstr (tt_fine_category (&name), ==, cases[i].category);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/fine-category/all", test_categories);
  return g_test_run ();
}
