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

static TtRecordLaunch
launch_of (const TtCuNode *params, int is_second)
{
  TtRecordLaunch of = { params->function, NULL, { 0 }, { 0 }, params->shared, params->params, params->extra, 1 };

  if (is_second && of.function == NULL)
    of.function = params->kernel;
  memcpy (of.grid, params->grid, sizeof of.grid);
  memcpy (of.block, params->block, sizeof of.block);
  return of;
}

static TtCuResult
change_node (Node *self)
{
  TtRecordLaunch of = launch_of (self->node_params, self->is_second);

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

/* -- nodes of any kind ------------------------------------------------------------------------------------ */

_Static_assert(sizeof (TtCuAnyNode) == 256 && offsetof (TtCuAnyNode, of.kernel.params) == 56 &&
                   offsetof (TtCuAnyNode, of.kernel.context) == 80,
               "as cuda.h of CUDA 12 and 13 lays it out");

#define KERNEL_NODE 0

typedef struct
{
  TtCuHandle *made; /* as of Node */
  TtCuHandle graph, node;
  const TtCuHandle *dependencies;
  const void *edges;
  size_t n_dependencies;
  TtCuAnyNode *params;
  enum
  {
    ADD_NODE,
    ADD_NODE_WITH_EDGES,
    SET_NODE,
    SET_EXECUTABLE_NODE,
    N_WAYS,
  } way;
} AnyNode;

typedef TtCuResult (*AddAny) (TtCuHandle *, TtCuHandle, const TtCuHandle *, size_t, TtCuAnyNode *);
typedef TtCuResult (*AddWithEdges) (TtCuHandle *, TtCuHandle, const TtCuHandle *, const void *, size_t, TtCuAnyNode *);
typedef TtCuResult (*SetAny) (TtCuHandle, TtCuAnyNode *);
typedef TtCuResult (*SetAnyExecutable) (TtCuHandle, TtCuHandle, TtCuAnyNode *);

static TtCuResult
call_any (const AnyNode *self, TtCuAnyNode *params)
{
  static const char *const names[N_WAYS] = { "cuGraphAddNode", "cuGraphAddNode_v2", "cuGraphNodeSetParams",
                                             "cuGraphExecNodeSetParams" };
  static void *reals[N_WAYS];
  void **real = &reals[self->way];

  if (*real == NULL)
    *real = tt_record_real (names[self->way]);
  if (*real == NULL)
    return TT_CU_NOT_FOUND;
  switch (self->way)
    {
    case ADD_NODE:
      return (*(AddAny *) real) (self->made, self->graph, self->dependencies, self->n_dependencies, params);
    case ADD_NODE_WITH_EDGES:
      return (*(AddWithEdges *) real) (self->made, self->graph, self->dependencies, self->edges, self->n_dependencies,
                                       params);
    case SET_NODE:
      return (*(SetAny *) real) (self->node, params);
    default:
      return (*(SetAnyExecutable *) real) (self->graph, self->node, params);
    }
}

static TtCuResult
call_any_kernel (void *data, void **params, void **extra)
{
  const AnyNode *self = data;
  TtCuAnyNode copy = *self->params;

  copy.of.kernel.params = params;
  copy.of.kernel.extra = extra;
  return call_any (self, &copy);
}

/* The driver may write into what other nodes give: they are its own. */
static TtCuResult
change_any (AnyNode *self)
{
  if (self->params == NULL || self->params->type != KERNEL_NODE)
    return call_any (self, self->params);
  TtRecordLaunch of = launch_of (&self->params->of.kernel, 1);
  return tt_record_launch (&of, call_any_kernel, self);
}

TtCuResult
cuGraphAddNode (TtCuHandle *node, TtCuHandle graph, const TtCuHandle *dependencies, size_t n, TtCuAnyNode *params)
{
  AnyNode self = { node, graph, NULL, dependencies, NULL, n, params, ADD_NODE };

  return change_any (&self);
}

TtCuResult
cuGraphAddNode_v2 (TtCuHandle *node,
                   TtCuHandle graph,
                   const TtCuHandle *dependencies,
                   const void *edges,
                   size_t n,
                   TtCuAnyNode *params)
{
  AnyNode self = { node, graph, NULL, dependencies, edges, n, params, ADD_NODE_WITH_EDGES };

  return change_any (&self);
}

TtCuResult
cuGraphNodeSetParams (TtCuHandle node, TtCuAnyNode *params)
{
  AnyNode self = { NULL, NULL, node, NULL, NULL, 0, params, SET_NODE };

  return change_any (&self);
}

TtCuResult
cuGraphExecNodeSetParams (TtCuHandle graph, TtCuHandle node, TtCuAnyNode *params)
{
  AnyNode self = { NULL, graph, node, NULL, NULL, 0, params, SET_EXECUTABLE_NODE };

  return change_any (&self);
}
