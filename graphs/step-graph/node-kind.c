/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/step-graph/node-kind.h"

static const char *const kind_texts[TT_N_STEP_NODE_KINDS] = {
  [TT_STEP_NODE_FW] = "FW",
  [TT_STEP_NODE_BW] = "BW",
  [TT_STEP_NODE_UPDATE] = "UPDATE",
  [TT_STEP_NODE_OUTPUT] = "OUTPUT",
  [TT_STEP_NODE_IO] = "I/O",
  [TT_STEP_NODE_SYNC] = "Sync",
  [TT_STEP_NODE_MEMCPY_IN] = "MEMCPY_IN",
  [TT_STEP_NODE_MEMCPY_OUT] = "MEMCPY_OUT",
  [TT_STEP_NODE_SEND] = "SEND",
  [TT_STEP_NODE_RECV] = "RECV",
  [TT_STEP_NODE_COMM] = "Comm",
  [TT_STEP_NODE_PUSH_REQ] = "PUSH_REQ",
  [TT_STEP_NODE_PUSH_RES] = "PUSH_RES",
  [TT_STEP_NODE_PULL_REQ] = "PULL_REQ",
  [TT_STEP_NODE_PULL_RES] = "PULL_RES",
  [TT_STEP_NODE_SERVER] = "ServerOp",
  [TT_STEP_NODE_COMPUTE] = "computing",
  [TT_STEP_NODE_COPY] = "copy",
  [TT_STEP_NODE_HOST] = "host",
  [TT_STEP_NODE_BETWEEN] = "between",
  [TT_STEP_NODE_OTHER] = "other",
  [TT_STEP_NODE_END] = "END",
};

const char *
tt_step_node_kind_text (TtStepNodeKind kind)
{
  return kind_texts[kind];
}

TtStepNodeKind
tt_step_node_kind_of_name (const char *op_cat, const char *sub_op)
{
  static const struct
  {
    const char *word;
    TtStepNodeKind kind;
  } cats[] = {
    { "FW", TT_STEP_NODE_FW },         { "BW", TT_STEP_NODE_BW },  { "UPDATE_", TT_STEP_NODE_UPDATE },
    { "OUTPUT", TT_STEP_NODE_OUTPUT }, { "I/O", TT_STEP_NODE_IO }, { "virtual", TT_STEP_NODE_END },
    { "ServerOp", TT_STEP_NODE_SERVER },
  }, subs[] = {
    { "Sync", TT_STEP_NODE_SYNC },
    { "NEGOTIATE_ALLREDUCE", TT_STEP_NODE_SYNC },
    { "MEMCPY_IN_FUSION_BUFFER", TT_STEP_NODE_MEMCPY_IN },
    { "MEMCPY_OUT_FUSION_BUFFER", TT_STEP_NODE_MEMCPY_OUT },
    { "SEND", TT_STEP_NODE_SEND },
    { "RECV", TT_STEP_NODE_RECV },
    { "PUSH_REQ", TT_STEP_NODE_PUSH_REQ },
    { "PUSH_RES", TT_STEP_NODE_PUSH_RES },
    { "PULL_REQ", TT_STEP_NODE_PULL_REQ },
    { "PULL_RES", TT_STEP_NODE_PULL_RES },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cats); i++)
    if (g_strcmp0 (op_cat, cats[i].word) == 0)
      return cats[i].kind;
  if (g_strcmp0 (op_cat, "Comm") != 0)
    return TT_STEP_NODE_OTHER;
  for (guint i = 0; i < G_N_ELEMENTS (subs); i++)
    if (g_strcmp0 (sub_op, subs[i].word) == 0)
      return subs[i].kind;
  return TT_STEP_NODE_COMM;
}
