/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels in graphs, that are put there or whose parameters are set anew.
 */
#include "src/gpu/record/driver.h"

#include <string.h>

typedef struct
{
  TtCuHandle *made;       /* where the new node goes; NULL: it is there */
  TtCuHandle graph, node; /* graph: NULL: the node is set in that which it is of; or an executable one */
  const TtCuHandle *dependencies;
  size_t n_dependencies;
  const TtCuNode *node_params;
  int is_second, is_executable;
} Node;

typedef TtCuResult (*Add) (TtCuHandle *, TtCuHandle, const TtCuHandle *, size_t, const TtCuNode *);
typedef TtCuResult (*Set) (TtCuHandle, const TtCuNode *);
typedef TtCuResult (*SetExecutable) (TtCuHandle, TtCuHandle, const TtCuNode *);

static TtCuResult
call_node (void *data, void **params, void **extra)
{
  static const char *const names[3][2] = {
    { "cuGraphAddKernelNode", "cuGraphAddKernelNode_v2" },
    { "cuGraphKernelNodeSetParams", "cuGraphKernelNodeSetParams_v2" },
    { "cuGraphExecKernelNodeSetParams", "cuGraphExecKernelNodeSetParams_v2" },
  };
  static void *reals[3][2];
  const Node *self = data;
  int how = self->made != NULL ? 0 : self->is_executable ? 2 : 1;
  void **real = &reals[how][self->is_second];
  TtCuNode copy = { 0 };

  memcpy (&copy, self->node_params, self->is_second ? sizeof copy : offsetof (TtCuNode, kernel));
  copy.params = params;
  copy.extra = extra;
  if (*real == NULL)
    *real = tt_record_real (names[how][self->is_second]);
  if (*real == NULL)
    return TT_CU_NOT_FOUND;
  if (how == 0)
    return (*(Add *) real) (self->made, self->graph, self->dependencies, self->n_dependencies, &copy);
  return how == 1 ? (*(Set *) real) (self->node, &copy) : (*(SetExecutable *) real) (self->graph, self->node, &copy);
}

static TtCuResult
change_node (Node *self)
{
  const TtCuNode *params = self->node_params;
  TtRecordLaunch of = { params->function, NULL, { 0 }, { 0 }, params->shared, params->params, params->extra, 1 };

  if (self->is_second && of.function == NULL)
    of.function = params->kernel;
  memcpy (of.grid, params->grid, sizeof of.grid);
  memcpy (of.block, params->block, sizeof of.block);
  return tt_record_launch (&of, call_node, self);
}

#define ADD(name, second)                                                                        \
  TtCuResult name (TtCuHandle *node, TtCuHandle graph, const TtCuHandle *dependencies, size_t n, \
                   const TtCuNode *params)                                                       \
  {                                                                                              \
    Node self = { node, graph, NULL, dependencies, n, params, second, 0 };                       \
    return change_node (&self);                                                                  \
  }
#define SET(name, second)                                         \
  TtCuResult name (TtCuHandle node, const TtCuNode *params)       \
  {                                                               \
    Node self = { NULL, NULL, node, NULL, 0, params, second, 0 }; \
    return change_node (&self);                                   \
  }
#define SET_EXECUTABLE(name, second)                                          \
  TtCuResult name (TtCuHandle graph, TtCuHandle node, const TtCuNode *params) \
  {                                                                           \
    Node self = { NULL, graph, node, NULL, 0, params, second, 1 };            \
    return change_node (&self);                                               \
  }

ADD (cuGraphAddKernelNode, 0)
ADD (cuGraphAddKernelNode_v2, 1)
SET (cuGraphKernelNodeSetParams, 0)
SET (cuGraphKernelNodeSetParams_v2, 1)
SET_EXECUTABLE (cuGraphExecKernelNodeSetParams, 0)
SET_EXECUTABLE (cuGraphExecKernelNodeSetParams_v2, 1)
