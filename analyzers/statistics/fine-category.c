/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/fine-category.h"

#include <string.h>

static const struct
{
  const char *op_cat, *category;
} by_op_cat[] = {
  { "FW", "operator.FW" },
  { "BW", "operator.BW" },
  { "UPDATE_", "operator.UPDATE" },
  { "OUTPUT", "operator.OUTPUT" },
  { "COMP", "operator.COMP" },
  { "I/O", "I/O" },
  { "ServerOp", "ServerOp" },
  { "virtual", "virtual" },
  { "MEM", "MEM" },
  { "SYNC", "SYNC" },
  { "RT", "RT" },
};

static const struct
{
  const char *sub_op, *category;
} by_sub_op[] = {
  { "SEND", "Comm.SEND" },         { "RECV", "Comm.RECV" },         { "REC", "Comm.RECV" },
  { "PUSH_REQ", "Comm.PUSH_REQ" }, { "PUSH_RES", "Comm.PUSH_RES" }, { "PULL_REQ", "Comm.PULL_REQ" },
  { "PULL_RES", "Comm.PULL_RES" },
};

/* First that holds; a second word must be there as well. */
static const struct
{
  const char *word, *also, *category;
} by_word[] = {
  { "COPY_FIRST", NULL, "ServerOp" },     { "SUM", NULL, "ServerOp" },
  { "COPY_MERGED", NULL, "ServerOp" },    { "PUSH_REQ", NULL, "Comm.PUSH_REQ" },
  { "PUSH_RES", NULL, "Comm.PUSH_RES" },  { "PULL_REQ", NULL, "Comm.PULL_REQ" },
  { "PULL_RES", NULL, "Comm.PULL_RES" },  { "Comm", "SEND", "Comm.SEND" },
  { "Comm", "RECV", "Comm.RECV" },        { "Comm", NULL, "Comm.other" },
  { "BW", "FW", "operator.FW+BW" },       { "BW", NULL, "operator.BW" },
  { "FW", NULL, "operator.FW" },          { "COMM", NULL, "operator.COMM" },
  { "COMP", NULL, "operator.COMP" },      { "I/O", NULL, "I/O" },
  { "UPDATE_", NULL, "operator.UPDATE" }, { "OUTPUT", NULL, "operator.OUTPUT" },
};

const char *
tt_fine_category (const TtStoredName *name)
{
  const char *op_cat = name->op_cat == NULL ? "" : name->op_cat;
  const char *text = name->text == NULL ? "" : name->text;

  for (guint i = 0; i < G_N_ELEMENTS (by_op_cat); i++)
    if (strcmp (op_cat, by_op_cat[i].op_cat) == 0)
      return by_op_cat[i].category;
  if (strcmp (op_cat, "Comm") == 0)
    {
      for (guint i = 0; i < G_N_ELEMENTS (by_sub_op); i++)
        if (g_strcmp0 (name->sub_op, by_sub_op[i].sub_op) == 0)
          return by_sub_op[i].category;
      return "Comm.other";
    }
  for (guint i = 0; i < G_N_ELEMENTS (by_word); i++)
    if (strstr (text, by_word[i].word) != NULL && (by_word[i].also == NULL || strstr (text, by_word[i].also) != NULL))
      return by_word[i].category;
  return strcmp (text, "END") == 0 ? "virtual" : g_intern_string (op_cat);
}
