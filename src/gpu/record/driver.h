/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of CUDA's driver that stand in front of its own, as cuda.h declares them.
 */
#pragma once

#include "src/gpu/record/record.h"

#define EXPORT __attribute__ ((visibility ("default")))

#define TT_CU_NOT_FOUND 500

/* `real` is the driver's own function @name; @type: of a pointer to it. */
#define REAL(type, name)                      \
  static __typeof__ (type) real;              \
  if (real == NULL)                           \
    *(void **) &real = tt_record_real (name); \
  if (real == NULL)                           \
  return TT_CU_NOT_FOUND

typedef struct
{
  unsigned grid[3], block[3], shared;
  TtCuHandle stream;
  void *attributes;
  unsigned n_attributes;
} TtCuConfig;

/* Of a kernel in a graph; versions before 12 end with @extra. */
typedef struct
{
  TtCuHandle function;
  unsigned grid[3], block[3], shared;
  void **params, **extra;
  TtCuHandle kernel, context;
} TtCuNode;

/* Of a node of any kind: CUgraphNodeParams. */
typedef struct
{
  int type, reserved[3];
  union
  {
    long long bytes[29];
    TtCuNode kernel; /* of type 0 */
  } of;
  long long more_reserved;
} TtCuAnyNode;

EXPORT TtCuResult cuModuleLoad (TtCuHandle *module, const char *path);
EXPORT TtCuResult cuModuleLoadData (TtCuHandle *module, const void *image);
EXPORT TtCuResult cuModuleLoadFatBinary (TtCuHandle *module, const void *image);
EXPORT TtCuResult cuModuleLoadDataEx (TtCuHandle *module, const void *image, unsigned n, void *options, void *values);
EXPORT TtCuResult cuLibraryLoadData (TtCuHandle *library,
                                     const void *image,
                                     void *options,
                                     void *values,
                                     unsigned n,
                                     void *library_options,
                                     void *library_values,
                                     unsigned n_library);
EXPORT TtCuResult cuLibraryLoadFromFile (TtCuHandle *library,
                                         const char *path,
                                         void *options,
                                         void *values,
                                         unsigned n,
                                         void *library_options,
                                         void *library_values,
                                         unsigned n_library);
EXPORT TtCuResult cuModuleEnumerateFunctions (TtCuHandle *functions, unsigned n, TtCuHandle module);
EXPORT TtCuResult cuLibraryEnumerateKernels (TtCuHandle *kernels, unsigned n, TtCuHandle library);
EXPORT TtCuResult cuGraphKernelNodeSetParams (TtCuHandle node, const TtCuNode *params);
EXPORT TtCuResult cuGraphKernelNodeSetParams_v2 (TtCuHandle node, const TtCuNode *params);
EXPORT TtCuResult cuGraphExecKernelNodeSetParams (TtCuHandle graph, TtCuHandle node, const TtCuNode *params);
EXPORT TtCuResult cuGraphExecKernelNodeSetParams_v2 (TtCuHandle graph, TtCuHandle node, const TtCuNode *params);
EXPORT TtCuResult cuModuleGetFunction (TtCuHandle *function, TtCuHandle module, const char *name);
EXPORT TtCuResult cuLibraryGetKernel (TtCuHandle *kernel, TtCuHandle library, const char *name);
EXPORT TtCuResult cuLibraryGetModule (TtCuHandle *module, TtCuHandle library);
EXPORT TtCuResult cuKernelGetFunction (TtCuHandle *function, TtCuHandle kernel);
EXPORT TtCuResult cuLaunchKernel (TtCuHandle function,
                                  unsigned gx,
                                  unsigned gy,
                                  unsigned gz,
                                  unsigned bx,
                                  unsigned by,
                                  unsigned bz,
                                  unsigned shared,
                                  TtCuHandle stream,
                                  void **params,
                                  void **extra);
EXPORT TtCuResult cuLaunchKernel_ptsz (TtCuHandle function,
                                       unsigned gx,
                                       unsigned gy,
                                       unsigned gz,
                                       unsigned bx,
                                       unsigned by,
                                       unsigned bz,
                                       unsigned shared,
                                       TtCuHandle stream,
                                       void **params,
                                       void **extra);
EXPORT TtCuResult cuLaunchCooperativeKernel (TtCuHandle function,
                                             unsigned gx,
                                             unsigned gy,
                                             unsigned gz,
                                             unsigned bx,
                                             unsigned by,
                                             unsigned bz,
                                             unsigned shared,
                                             TtCuHandle stream,
                                             void **params);
EXPORT TtCuResult cuLaunchCooperativeKernel_ptsz (TtCuHandle function,
                                                  unsigned gx,
                                                  unsigned gy,
                                                  unsigned gz,
                                                  unsigned bx,
                                                  unsigned by,
                                                  unsigned bz,
                                                  unsigned shared,
                                                  TtCuHandle stream,
                                                  void **params);
EXPORT TtCuResult cuGraphAddKernelNode (TtCuHandle *node,
                                        TtCuHandle graph,
                                        const TtCuHandle *dependencies,
                                        size_t n,
                                        const TtCuNode *params);
EXPORT TtCuResult cuGraphAddKernelNode_v2 (TtCuHandle *node,
                                           TtCuHandle graph,
                                           const TtCuHandle *dependencies,
                                           size_t n,
                                           const TtCuNode *params);
EXPORT TtCuResult
cuGraphAddNode (TtCuHandle *node, TtCuHandle graph, const TtCuHandle *dependencies, size_t n, TtCuAnyNode *params);
EXPORT TtCuResult cuGraphAddNode_v2 (TtCuHandle *node,
                                     TtCuHandle graph,
                                     const TtCuHandle *dependencies,
                                     const void *edges,
                                     size_t n,
                                     TtCuAnyNode *params);
EXPORT TtCuResult cuGraphNodeSetParams (TtCuHandle node, TtCuAnyNode *params);
EXPORT TtCuResult cuGraphExecNodeSetParams (TtCuHandle graph, TtCuHandle node, TtCuAnyNode *params);
EXPORT TtCuResult cuLaunchKernelEx (const TtCuConfig *config, TtCuHandle function, void **params, void **extra);
EXPORT TtCuResult cuLaunchKernelEx_ptsz (const TtCuConfig *config, TtCuHandle function, void **params, void **extra);
EXPORT TtCuResult cuGetProcAddress (const char *name, void **function, int version, uint64_t flags);
EXPORT TtCuResult cuGetProcAddress_v2 (const char *name, void **function, int version, uint64_t flags, void *status);
EXPORT void *dlsym (void *restrict handle, const char *restrict name);
