/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a node of a step's graph is: the rules of devices, priorities and gaps go by these kinds.
 */
#pragma once

#include <glib.h>

typedef enum
{
  TT_STEP_NODE_FW,
  TT_STEP_NODE_BW,
  TT_STEP_NODE_UPDATE, /* with UPDATE_CAL */
  TT_STEP_NODE_OUTPUT,
  TT_STEP_NODE_IO,
  TT_STEP_NODE_SYNC,       /* ends when all ranks have arrived */
  TT_STEP_NODE_MEMCPY_IN,  /* into the fusion buffer */
  TT_STEP_NODE_MEMCPY_OUT, /* out of it: the group's last */
  TT_STEP_NODE_SEND,
  TT_STEP_NODE_RECV,
  TT_STEP_NODE_COMM,     /* other communication: QUEUE, NCCL_ALLREDUCE, a plain Comm.x */
  TT_STEP_NODE_PUSH_REQ, /* between a worker and a server */
  TT_STEP_NODE_PUSH_RES,
  TT_STEP_NODE_PULL_REQ,
  TT_STEP_NODE_PULL_RES,
  TT_STEP_NODE_SERVER, /* work of a server: COPY_FIRST, SUM, COPY_MERGED */
  /* Of recordings (recording.h). */
  TT_STEP_NODE_COMPUTE, /* kernels of a device; operators of a rank that has none */
  TT_STEP_NODE_COPY,    /* copies on a device */
  TT_STEP_NODE_HOST,    /* operators and calls of a rank that has a device */
  TT_STEP_NODE_BETWEEN, /* what a thread does between them */
  TT_STEP_NODE_OTHER,
  TT_STEP_NODE_END,
  TT_N_STEP_NODE_KINDS,
} TtStepNodeKind;

const char *tt_step_node_kind_text (TtStepNodeKind kind);
/* By the op_cat and sub_op of a standard name (NULL-safe). */
TtStepNodeKind tt_step_node_kind_of_name (const char *op_cat, const char *sub_op);

/* An operator of the model: FW, BW, UPDATE or OUTPUT. */
static inline gboolean
tt_step_node_is_operator (TtStepNodeKind kind)
{
  return kind == TT_STEP_NODE_FW || kind == TT_STEP_NODE_BW || kind == TT_STEP_NODE_UPDATE ||
         kind == TT_STEP_NODE_OUTPUT;
}

/* A transfer over a link between a worker and a parameter server. */
static inline gboolean
tt_step_node_is_link_transfer (TtStepNodeKind kind)
{
  return kind == TT_STEP_NODE_PUSH_REQ || kind == TT_STEP_NODE_PUSH_RES || kind == TT_STEP_NODE_PULL_REQ ||
         kind == TT_STEP_NODE_PULL_RES;
}
