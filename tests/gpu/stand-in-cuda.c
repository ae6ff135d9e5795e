/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libcuda.so.1 of a machine without a GPU: as much of CUDA's driver as tests/gpu/cuda-program.c and what is preloaded into
 * it ask for. Kernels run as `probe run` runs them.
 */
#include "config.h"

#include "src/gpu/run/launch.h"

#include <string.h>

#define EXPORT __attribute__ ((visibility ("default"))) int
#define INVALID_VALUE 1
#define OUT_OF_MEMORY 2
#define INVALID_IMAGE 200
#define FILE_NOT_FOUND 301
#define NOT_FOUND 500
#define LAUNCH_FAILED 719
/* Where the device's memory begins, behind variables of any module. */
#define BASE (G_GUINT64_CONSTANT (0x7e0000000000) + (64u << 20))
#define MEMORY_BYTES (16u << 20)
#define GAP 256u

static guint8 *memory;
static guint64 next_free;
static GHashTable *allocated; /* of their offsets */

/* -- memory ------------------------------------------------------------------------------------------- */

EXPORT
cuMemAlloc_v2 (guint64 *address, gsize bytes)
{
  guint64 end = bytes > MEMORY_BYTES ? G_MAXUINT64 : next_free + (bytes + 2 * GAP - 1) / GAP * GAP;

  if (memory == NULL)
    {
      memory = g_malloc0 (MEMORY_BYTES);
      allocated = g_hash_table_new (NULL, NULL);
    }
  if (bytes == 0)
    return INVALID_VALUE;
  if (end > MEMORY_BYTES)
    return OUT_OF_MEMORY;
  *address = BASE + next_free;
  memset (memory + next_free, 0xa5, bytes);
  g_hash_table_add (allocated, GSIZE_TO_POINTER (next_free));
  next_free = end;
  return 0;
}

/* All of it is free again when nobody has any. */
EXPORT
cuMemFree_v2 (guint64 address)
{
  if (allocated == NULL || !g_hash_table_remove (allocated, GSIZE_TO_POINTER (address - BASE)))
    {
      g_printerr ("cuMemFree: nobody has that\n");
      return INVALID_VALUE;
    }
  if (g_hash_table_size (allocated) == 0)
    next_free = 0;
  return 0;
}

static guint8 *
find (guint64 address, gsize bytes)
{
  return address < BASE || address - BASE > next_free || bytes > next_free - (address - BASE)
             ? NULL
             : memory + (address - BASE);
}

EXPORT
cuMemsetD8_v2 (guint64 address, unsigned char value, gsize bytes)
{
  guint8 *at = find (address, bytes);

  if (at == NULL)
    return INVALID_VALUE;
  memset (at, value, bytes);
  return 0;
}

EXPORT
cuMemcpyHtoD_v2 (guint64 address, const void *from, gsize bytes)
{
  guint8 *at = find (address, bytes);

  if (at == NULL)
    return INVALID_VALUE;
  memcpy (at, from, bytes);
  return 0;
}

EXPORT
cuMemcpyDtoH_v2 (void *to, guint64 address, gsize bytes)
{
  const guint8 *at = find (address, bytes);

  if (at == NULL)
    return INVALID_VALUE;
  memcpy (to, at, bytes);
  return 0;
}

/* -- modules ------------------------------------------------------------------------------------------- */

typedef struct
{
  TtPtxModule *module;
  const TtPtxFunction *kernel;
} Function;

EXPORT
cuModuleLoadData (void **module, const void *image)
{
  g_autoptr (GError) error = NULL;

  *module = tt_ptx_module_new ("module", image, strlen (image), &error);
  if (error != NULL)
    g_printerr ("%s\n", error->message);
  return *module == NULL ? INVALID_IMAGE : 0;
}

EXPORT
cuModuleLoad (void **module, const char *path)
{
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? cuModuleLoadData (module, text) : FILE_NOT_FOUND;
}

EXPORT
cuModuleLoadDataEx (void **module, const void *image, unsigned n, void *options, void *values)
{
  return n > 0 && options == NULL && values == NULL ? INVALID_VALUE : cuModuleLoadData (module, image);
}

EXPORT
cuModuleGetFunction (void **function, void *module, const char *name)
{
  const TtPtxFunction *kernel = tt_ptx_module_entry (module, name, NULL);
  Function *self;

  if (kernel == NULL)
    return NOT_FOUND;
  self = g_new0 (Function, 1);
  self->module = module;
  self->kernel = kernel;
  *function = self;
  return 0;
}

/* -- launches ------------------------------------------------------------------------------------------ */

static gboolean
set_params (TtGpuLaunch *launch, const TtPtxFunction *kernel, void **params, void **extra, GError **error)
{
  guint64 at = 0;

  for (guint i = 0; i < kernel->params->len; i++)
    {
      const TtPtxVariable *param = kernel->params->pdata[i];

      at = (at + param->align - 1) / param->align * param->align;
      /* extra: the pointer, then the size, as the program here writes it, and as cuda.h allows. */
      const guint8 *bytes = extra != NULL ? (const guint8 *) extra[1] + at : params[i];
      if (extra != NULL && at + param->bytes > *(gsize *) extra[3])
        return FALSE;
      if (!tt_gpu_launch_set_param (launch, i, bytes, param->bytes, error))
        return FALSE;
      at += param->bytes;
    }
  return TRUE;
}

/* The device's memory at its own address, behind one that fills what is free in front. */
static guint8 *
place_memory (TtGpuLaunch *launch, GError **error)
{
  guint64 first, second;

  if (tt_gpu_launch_allocate (launch, "first", 1, &first, error) == NULL)
    return NULL;
  first += (1 + TT_GPU_GAP + 255) / 256 * 256;
  if (first + TT_GPU_GAP >= BASE ||
      tt_gpu_launch_allocate (launch, "front", BASE - first - TT_GPU_GAP, &second, error) == NULL)
    return NULL;
  guint8 *bytes = tt_gpu_launch_allocate (launch, "device", MEMORY_BYTES, &second, error);
  g_assert (bytes == NULL || second == BASE);
  return bytes;
}

static int
run_kernel (void *function,
            unsigned gx,
            unsigned gy,
            unsigned gz,
            unsigned bx,
            unsigned by,
            unsigned bz,
            unsigned shared,
            void *stream,
            void **params,
            void **extra)
{
  const Function *self = function;
  const guint grid[3] = { gx, gy, gz }, block[3] = { bx, by, bz };
  g_autoptr (GError) error = NULL;
  g_autoptr (TtGpuLaunch) launch = tt_gpu_launch_new (self->module, self->kernel, "module", &error);
  guint8 *bytes = launch == NULL ? NULL : place_memory (launch, &error);
  TtGpuCounts counts;

  if (bytes != NULL && memory != NULL)
    memcpy (bytes, memory, MEMORY_BYTES);
  gboolean ok = bytes != NULL && stream == NULL && tt_gpu_launch_set_size (launch, grid, block, &error) &&
                tt_gpu_launch_set_shared (launch, shared, &error) &&
                set_params (launch, self->kernel, params, extra, &error) && tt_gpu_launch_run (launch, &counts, &error);
  if (ok && memory != NULL)
    memcpy (memory, bytes, MEMORY_BYTES);
  if (error != NULL)
    g_printerr ("%s\n", error->message);
  return ok ? 0 : LAUNCH_FAILED;
}

EXPORT
cuLaunchKernel (void *function,
                unsigned gx,
                unsigned gy,
                unsigned gz,
                unsigned bx,
                unsigned by,
                unsigned bz,
                unsigned shared,
                void *stream,
                void **params,
                void **extra)
{
  return run_kernel (function, gx, gy, gz, bx, by, bz, shared, stream, params, extra);
}

typedef struct
{
  unsigned grid[3], block[3], shared;
  void *stream, *attributes;
  unsigned n_attributes;
} Config;

EXPORT
cuLaunchKernelEx (const Config *config, void *function, void **params, void **extra)
{
  return cuLaunchKernel (function, config->grid[0], config->grid[1], config->grid[2], config->block[0],
                         config->block[1], config->block[2], config->shared, config->stream, params, extra);
}

/* -- libraries, lists ------------------------------------------------------------------------------------ */

EXPORT
cuLibraryLoadData (void **library,
                   const void *image,
                   void *o,
                   void *v,
                   unsigned n,
                   void *lo,
                   void *lv,
                   unsigned n_library)
{
  return cuModuleLoadData (library, image);
}

EXPORT
cuLibraryLoadFromFile (void **library,
                       const char *path,
                       void *o,
                       void *v,
                       unsigned n,
                       void *lo,
                       void *lv,
                       unsigned n_library)
{
  return cuModuleLoad (library, path);
}

EXPORT
cuModuleEnumerateFunctions (void **functions, unsigned n, void *module)
{
  static const char *const names[] = { "nothing", "multiply", "add", "stencil", "total" };

  for (unsigned i = 0; i < n && i < G_N_ELEMENTS (names); i++)
    if (cuModuleGetFunction (&functions[i], module, names[i]) != 0)
      return NOT_FOUND;
  return 0;
}

EXPORT
cuLibraryEnumerateKernels (void **kernels, unsigned n, void *library)
{
  return cuModuleEnumerateFunctions (kernels, n, library);
}

EXPORT
cuFuncGetName (const char **name, void *function)
{
  *name = ((const Function *) function)->kernel->name;
  return 0;
}

EXPORT
cuKernelGetName (const char **name, void *kernel)
{
  return cuFuncGetName (name, kernel);
}

/* -- graphs, of one kernel ------------------------------------------------------------------------------- */

typedef struct
{
  Function *function;
  unsigned grid[3], block[3], shared;
  void **params, **extra;
  void *kernel, *context;
} Node;

/* With parameters of its own, as the driver takes them. */
static Node graph;
static guint8 graph_bytes[4096];
static gsize graph_size;
static void *graph_extra[] = { (void *) 1, graph_bytes, (void *) 2, &graph_size, NULL };

static int
take_node (const Node *node)
{
  const TtPtxFunction *kernel = node->function->kernel;
  guint64 at = 0;

  graph = *node;
  memset (graph_bytes, 0xa5, sizeof graph_bytes);
  for (guint i = 0; i < kernel->params->len && node->extra == NULL; i++)
    {
      const TtPtxVariable *param = kernel->params->pdata[i];

      at = (at + param->align - 1) / param->align * param->align;
      memcpy (graph_bytes + at, node->params[i], param->bytes);
      at += param->bytes;
    }
  graph_size = node->extra == NULL ? at : *(gsize *) node->extra[3];
  if (node->extra != NULL)
    memcpy (graph_bytes, node->extra[1], graph_size);
  graph.extra = graph_extra;
  return 0;
}

EXPORT
cuGraphAddKernelNode_v2 (void **node, void *of, void **dependencies, gsize n, const Node *params)
{
  *node = &graph;
  return take_node (params);
}

EXPORT
cuGraphKernelNodeSetParams_v2 (void *node, const Node *params)
{
  return node != &graph ? INVALID_VALUE : take_node (params);
}

EXPORT
cuGraphExecKernelNodeSetParams_v2 (void *executable, void *node, const Node *params)
{
  return executable != &graph || node != &graph ? INVALID_VALUE : take_node (params);
}

/* -- nodes of any kind: CUgraphNodeParams, by where cuda.h of CUDA 12.9 and 13 has its parts -------------------- */

#define NODE_BYTES 256
#define KERNEL_AT 16
#define KERNEL_BYTES 72
#define CONDITIONAL_GRAPHS_AT 32
enum
{
  KERNEL = 0,
  EMPTY = 5,
  CONDITIONAL = 13,
};

/* As tests/gpu/cuda-program.c gives them. */
static gboolean
are_dependencies (void **dependencies, gsize n)
{
  return n == 1 && dependencies[0] == (void *) 7;
}

/* Bytes that are reserved must be zeros. */
static int
take_any (guint8 *params)
{
  Node node;
  gint32 type;
  static void *inner[] = { inner };
  void **graphs = inner;

  memcpy (&type, params, sizeof type);
  for (guint i = sizeof type; i < NODE_BYTES; i++)
    if (params[i] != 0 && (i < KERNEL_AT || type == EMPTY || (type == KERNEL && i >= KERNEL_AT + KERNEL_BYTES)))
      return INVALID_VALUE;
  if (type == CONDITIONAL)
    memcpy (params + CONDITIONAL_GRAPHS_AT, &graphs, sizeof graphs);
  if (type != KERNEL)
    return type == EMPTY || type == CONDITIONAL ? 0 : INVALID_VALUE;
  memcpy (&node, params + KERNEL_AT, sizeof node);
  if (node.function == NULL)
    node.function = node.kernel;
  return take_node (&node);
}

EXPORT
cuGraphAddNode (void **node, void *of, void **dependencies, gsize n, guint8 *params)
{
  *node = &graph;
  return are_dependencies (dependencies, n) ? take_any (params) : INVALID_VALUE;
}

EXPORT
cuGraphAddNode_v2 (void **node, void *of, void **dependencies, const guint8 *edges, gsize n, guint8 *params)
{
  *node = &graph;
  return are_dependencies (dependencies, n) && edges[0] == 9 ? take_any (params) : INVALID_VALUE;
}

EXPORT
cuGraphNodeSetParams (void *node, guint8 *params)
{
  return node != &graph ? INVALID_VALUE : take_any (params);
}

EXPORT
cuGraphExecNodeSetParams (void *executable, void *node, guint8 *params)
{
  return executable != &graph || node != &graph ? INVALID_VALUE : take_any (params);
}

EXPORT
cuGraphLaunch (void *executable, void *stream)
{
  /* Not by a name that is hooked. */
  return run_kernel (graph.function, graph.grid[0], graph.grid[1], graph.grid[2], graph.block[0], graph.block[1],
                     graph.block[2], graph.shared, stream, NULL, graph.extra);
}

/* -- all else -------------------------------------------------------------------------------------------- */

EXPORT
cuCtxSynchronize (void)
{
  return 0;
}

EXPORT
cuInit (unsigned flags)
{
  return flags == 0 ? 0 : INVALID_VALUE;
}

EXPORT
cuDeviceGet (int *device, int i)
{
  *device = i;
  return 0;
}

EXPORT
cuDevicePrimaryCtxRetain (void **context, int device)
{
  *context = GINT_TO_POINTER (device + 1);
  return 0;
}

EXPORT
cuCtxSetCurrent (void *context)
{
  return context == NULL ? INVALID_VALUE : 0;
}

EXPORT
cuGetProcAddress_v2 (const char *name, void **function, int version, guint64 flags, int *status)
{
  const struct
  {
    const char *name;
    void *function;
  } all[] = {
    { "cuInit", (void *) cuInit },
    { "cuDeviceGet", (void *) cuDeviceGet },
    { "cuDevicePrimaryCtxRetain", (void *) cuDevicePrimaryCtxRetain },
    { "cuCtxSetCurrent", (void *) cuCtxSetCurrent },
    { "cuMemAlloc", (void *) cuMemAlloc_v2 },
    { "cuMemFree", (void *) cuMemFree_v2 },
    { "cuMemcpyHtoD", (void *) cuMemcpyHtoD_v2 },
    { "cuMemcpyDtoH", (void *) cuMemcpyDtoH_v2 },
    { "cuMemsetD8", (void *) cuMemsetD8_v2 },
    { "cuModuleLoadData", (void *) cuModuleLoadData },
    { "cuModuleLoadDataEx", (void *) cuModuleLoadDataEx },
    { "cuModuleGetFunction", (void *) cuModuleGetFunction },
    { "cuLaunchKernel", (void *) cuLaunchKernel },
    { "cuLaunchKernelEx", (void *) cuLaunchKernelEx },
    { "cuCtxSynchronize", (void *) cuCtxSynchronize },
    { "cuGraphAddNode", version >= 12030 ? (void *) cuGraphAddNode_v2 : (void *) cuGraphAddNode },
    { "cuGraphNodeSetParams", (void *) cuGraphNodeSetParams },
    { "cuGraphExecNodeSetParams", (void *) cuGraphExecNodeSetParams },
    { "cuGraphLaunch", (void *) cuGraphLaunch },
    { "cuGetProcAddress", (void *) cuGetProcAddress_v2 },
  };

  *function = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (all) && version >= 12000 && flags == 0; i++)
    if (g_str_equal (all[i].name, name))
      *function = all[i].function;
  if (status != NULL)
    *status = *function == NULL;
  return *function == NULL ? NOT_FOUND : 0;
}
