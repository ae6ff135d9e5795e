/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that uses CUDA's driver as programs do: vector addition, a stencil, multiplication of matrices.
 *
 * cuda-program dlsym|procaddress|file|alone|list|library|graph|nodes|nodes-12.2|nodes-12.3 MODULE OUTPUT: how it finds the driver's functions, a file that is loaded as a module
 * (PTX, or a fat binary), where all results go. With file, which is by dlsym, the driver reads it; with alone,
 * by dlsym too, the program has no environment, ignores its children, and gives a struct longer than its parameters.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct
{
  unsigned grid[3], block[3], shared;
  void *stream, *attributes;
  unsigned n_attributes;
} Config;

static int (*init) (unsigned);
static int (*get_device) (int *, int);
static int (*retain) (void **, int);
static int (*set_context) (void *);
static int (*allocate) (uint64_t *, size_t);
static int (*release) (uint64_t);
static int (*to_device) (uint64_t, const void *, size_t);
static int (*to_host) (void *, uint64_t, size_t);
static int (*load) (void **, const void *);
static int (*load_file) (void **, const char *);
static int (*load_ex) (void **, const void *, unsigned, void *, void *);
static int (*get_function) (void **, void *, const char *);
static int (
    *launch) (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
static int (*launch_ex) (const Config *, void *, void **, void **);
static int (*synchronize) (void);

static void
check (int result, const char *what)
{
  if (result == 0)
    return;
  fprintf (stderr, "%s: %d\n", what, result);
  exit (1);
}

static void
find_functions (int by_dlsym)
{
  static const struct
  {
    const char *name, *symbol;
    void **function;
  } all[] = {
    { "cuInit", "cuInit", (void **) &init },
    { "cuDeviceGet", "cuDeviceGet", (void **) &get_device },
    { "cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRetain", (void **) &retain },
    { "cuCtxSetCurrent", "cuCtxSetCurrent", (void **) &set_context },
    { "cuMemAlloc", "cuMemAlloc_v2", (void **) &allocate },
    { "cuMemFree", "cuMemFree_v2", (void **) &release },
    { "cuMemcpyHtoD", "cuMemcpyHtoD_v2", (void **) &to_device },
    { "cuMemcpyDtoH", "cuMemcpyDtoH_v2", (void **) &to_host },
    { "cuModuleLoadData", "cuModuleLoadData", (void **) &load },
    { "cuModuleLoadDataEx", "cuModuleLoadDataEx", (void **) &load_ex },
    { "cuModuleGetFunction", "cuModuleGetFunction", (void **) &get_function },
    { "cuLaunchKernel", "cuLaunchKernel", (void **) &launch },
    { "cuLaunchKernelEx", "cuLaunchKernelEx", (void **) &launch_ex },
    { "cuCtxSynchronize", "cuCtxSynchronize", (void **) &synchronize },
  };
  void *driver = dlopen ("libcuda.so.1", RTLD_NOW);
  int (*find) (const char *, void **, int, uint64_t, int *);

  if (driver == NULL)
    check (1, dlerror ());
  *(void **) &find = dlsym (driver, "cuGetProcAddress_v2");
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (by_dlsym)
      *all[i].function = dlsym (driver, all[i].symbol);
    else
      check (find (all[i].name, all[i].function, 12000, 0, NULL), all[i].name);
  *(void **) &load_file = dlsym (driver, "cuModuleLoad");
  check (dlsym (driver, "cuNothing") != NULL, "cuNothing");
}

/* -- other ways to kernels: lists, libraries, graphs ------------------------------------------------------- */

typedef struct
{
  void *function;
  unsigned grid[3], block[3], shared;
  void **params, **extra;
  void *kernel, *context;
} Node;

static int (*list_functions) (void **, unsigned, void *);
static int (*name_of) (const char **, void *);
static int (*load_library) (void **, const void *, void *, void *, unsigned, void *, void *, unsigned);
static int (*load_library_file) (void **, const char *, void *, void *, unsigned, void *, void *, unsigned);
static int (*add_node) (void **, void *, const void *, size_t, const Node *);
static int (*set_node) (void *, const Node *);
static int (*set_executable) (void *, void *, const Node *);
static int (*launch_graph) (void *, void *);

static int
get_listed (void **function, void *module, const char *name)
{
  void *all[8] = { NULL };
  const char *own = NULL;

  check (list_functions (all, 8, module), "list");
  for (int i = 0; i < 8; i++)
    if (all[i] != NULL && name_of (&own, all[i]) == 0 && strcmp (own, name) == 0)
      {
        *function = all[i];
        return 0;
      }
  return 500;
}

static int
load_as_library (void **module, const void *image)
{
  return load_library (module, image, NULL, NULL, 0, NULL, NULL, 0);
}

/* What is put into a graph has too few threads; then all of them, in the graph, and in the executable one. */
static int
launch_as_graph (void *function,
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
  Node node = { function, { 1, 1, 1 }, { 1, 1, 1 }, shared, params, extra, NULL, NULL };
  void *made = NULL;

  check (add_node (&made, NULL, NULL, 0, &node), "cuGraphAddKernelNode");
  node = (Node){ NULL, { gx, gy, gz }, { bx, by, bz }, shared, params, extra, function, NULL };
  node.function = function;
  check (set_node (made, &node), "cuGraphKernelNodeSetParams");
  for (int i = 0; i < 300; i++)
    check (set_executable (made, made, &node), "cuGraphExecKernelNodeSetParams");
  return launch_graph (made, stream);
}

/* -- nodes of any kind ------------------------------------------------------------------------------------ */

typedef struct
{
  int type, reserved[3];
  union
  {
    long long bytes[29];
    Node kernel;
    struct
    {
      uint64_t handle;
      int type;
      unsigned n;
      void **graphs, *context;
    } conditional;
  } of;
  long long more_reserved;
} AnyNode;

static int (*add_any) (void **, void *, void *const *, size_t, AnyNode *);
static int (*add_any_edges) (void **, void *, void *const *, const char *, size_t, AnyNode *);
static int (*set_any) (void *, AnyNode *);
static int (*set_any_executable) (void *, void *, AnyNode *);

static int
add (void **made, AnyNode *node)
{
  void *const before[] = { (void *) 7 };
  const char edge[8] = { 9 };

  return add_any_edges != NULL ? add_any_edges (made, NULL, before, edge, 1, node)
                               : add_any (made, NULL, before, 1, node);
}

/* As above; the driver tells where the graphs of a conditional node are. */
static int
launch_as_node (void *function,
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
  AnyNode node = { .type = 0 }, empty = { .type = 5 }, conditional = { .type = 13 };
  void *made = NULL;

  node.of.kernel = (Node){ function, { 1, 1, 1 }, { 1, 1, 1 }, shared, params, extra, NULL, NULL };
  check (add (&made, &empty), "an empty node");
  check (add (&made, &conditional), "a conditional node");
  check (conditional.of.conditional.graphs == NULL, "its graphs");
  check (add (&made, &node), "cuGraphAddNode");
  node.of.kernel = (Node){ NULL, { gx, gy, gz }, { bx, by, bz }, shared, params, extra, function, NULL };
  check (set_any (made, &node), "cuGraphNodeSetParams");
  for (int i = 0; i < 300; i++)
    check (set_any_executable (made, made, &node), "cuGraphExecNodeSetParams");
  return launch_graph (made, stream);
}

static int
launch_config_as_node (const Config *config, void *function, void **params, void **extra)
{
  return launch_as_node (function, config->grid[0], config->grid[1], config->grid[2], config->block[0],
                         config->block[1], config->block[2], config->shared, config->stream, params, extra);
}

/* By dlsym, or as of a version that cuGetProcAddress is asked for: before 12.3 nodes were added without edges. */
static void
find_nodes (void *driver, const char *way)
{
  int version = strcmp (way, "nodes-12.2") == 0 ? 12020 : strcmp (way, "nodes-12.3") == 0 ? 12030 : 0;
  void **adder = version == 12020 ? (void **) &add_any : (void **) &add_any_edges;
  const struct
  {
    const char *name, *symbol;
    void **function;
  } all[] = {
    { "cuGraphAddNode", "cuGraphAddNode_v2", adder },
    { "cuGraphNodeSetParams", "cuGraphNodeSetParams", (void **) &set_any },
    { "cuGraphExecNodeSetParams", "cuGraphExecNodeSetParams", (void **) &set_any_executable },
    { "cuGraphLaunch", "cuGraphLaunch", (void **) &launch_graph },
  };
  int (*find) (const char *, void **, int, uint64_t, int *);

  *(void **) &find = dlsym (driver, "cuGetProcAddress_v2");
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (version == 0)
      *all[i].function = dlsym (driver, all[i].symbol);
    else
      check (find (all[i].name, all[i].function, version, 0, NULL), all[i].name);
  launch = launch_as_node;
  launch_ex = launch_config_as_node;
}

static int
launch_config_as_graph (const Config *config, void *function, void **params, void **extra)
{
  return launch_as_graph (function, config->grid[0], config->grid[1], config->grid[2], config->block[0],
                          config->block[1], config->block[2], config->shared, config->stream, params, extra);
}

static void
choose_way (const char *way)
{
  void *driver = dlopen ("libcuda.so.1", RTLD_NOW);
  int is_library = strcmp (way, "library") == 0;

  if (is_library || strcmp (way, "list") == 0)
    {
      *(void **) &list_functions =
          dlsym (driver, is_library ? "cuLibraryEnumerateKernels" : "cuModuleEnumerateFunctions");
      *(void **) &name_of = dlsym (driver, is_library ? "cuKernelGetName" : "cuFuncGetName");
      *(void **) &load_library = dlsym (driver, "cuLibraryLoadData");
      *(void **) &load_library_file = dlsym (driver, "cuLibraryLoadFromFile");
      get_function = get_listed;
      if (is_library)
        load = load_as_library;
    }
  else if (strcmp (way, "graph") == 0)
    {
      *(void **) &add_node = dlsym (driver, "cuGraphAddKernelNode_v2");
      *(void **) &set_node = dlsym (driver, "cuGraphKernelNodeSetParams_v2");
      *(void **) &set_executable = dlsym (driver, "cuGraphExecKernelNodeSetParams_v2");
      *(void **) &launch_graph = dlsym (driver, "cuGraphLaunch");
      launch = launch_as_graph;
      launch_ex = launch_config_as_graph;
    }
  else if (strncmp (way, "nodes", 5) == 0)
    find_nodes (driver, way);
}

static char *
read_file (const char *path)
{
  FILE *file = fopen (path, "rb");
  char *text = calloc (1, 1 << 20);

  if (file == NULL || text == NULL)
    check (1, path);
  if (fread (text, 1, (1 << 20) - 64, file) == 0)
    check (1, path);
  fclose (file);
  return text;
}

static uint64_t
given (const void *bytes, size_t n)
{
  uint64_t address;

  check (allocate (&address, n), "cuMemAlloc");
  check (to_device (address, bytes, n), "cuMemcpyHtoD");
  return address;
}

static void
write_result (FILE *output, uint64_t address, size_t n)
{
  char *bytes = malloc (n);

  check (synchronize (), "cuCtxSynchronize");
  check (to_host (bytes, address, n), "cuMemcpyDtoH");
  fwrite (bytes, 1, n, output);
  free (bytes);
}

int
main (int argc, char **argv)
{
  float a[1024], b[1024], zeros[2048] = { 0 };
  double wide[200];
  void *module, *same, *function, *context;
  int device;
  unsigned n = 200;
  int n_stencil = 200, n_multiply = 32;

  if (argc != 4)
    return 2;
  find_functions (strcmp (argv[1], "procaddress") != 0);
  choose_way (argv[1]);
  if (strcmp (argv[1], "alone") == 0)
    {
      clearenv ();
      signal (SIGCHLD, SIG_IGN);
    }
  for (int i = 0; i < 1024; i++)
    {
      a[i] = (float) (i % 17);
      b[i] = (float) (i % 5) - 2;
    }
  for (int i = 0; i < 200; i++)
    wide[i] = i * i % 31;
  check (init (0), "cuInit");
  check (get_device (&device, 0), "cuDeviceGet");
  check (retain (&context, device), "cuDevicePrimaryCtxRetain");
  check (set_context (context), "cuCtxSetCurrent");
  char *image = read_file (argv[2]);
  FILE *output = fopen (argv[3], "wb");
  if (output == NULL)
    return 1;
  if (strcmp (argv[1], "file") == 0)
    check (load_file (&module, argv[2]), "cuModuleLoad");
  else
    check (load (&module, image), "cuModuleLoadData");
  if (strcmp (argv[1], "library") == 0)
    check (load_library_file (&same, argv[2], NULL, NULL, 0, NULL, NULL, 0), "cuLibraryLoadFromFile");
  else
    check (load_ex (&same, image, 0, NULL, NULL), "cuModuleLoadDataEx");

  uint64_t x = given (a, 800), y = given (b, 800), z = given (zeros, 800);
  void *params[] = { &x, &y, &z, &n };
  check (get_function (&function, module, "add"), "add");
  check (launch (function, 5, 1, 1, 48, 1, 1, 0, NULL, params, NULL), "cuLaunchKernel");
  write_result (output, z, 800);

  uint64_t from = given (wide, sizeof wide), to = given (zeros, sizeof wide);
  void *stencil[] = { &from, &to, &n_stencil };
  Config config = { .grid = { 4, 1, 1 }, .block = { 64, 1, 1 } };
  check (get_function (&function, same, "stencil"), "stencil");
  check (launch_ex (&config, function, stencil, NULL), "cuLaunchKernelEx");
  write_result (output, to, sizeof wide);

  struct
  {
    uint64_t a, b, c;
    int n;
    uint8_t rest[36];
  } bytes = { given (a, sizeof a), given (b, sizeof b), given (zeros, sizeof a), n_multiply, { 0 } };
  size_t size = strcmp (argv[1], "alone") == 0 ? sizeof bytes : 28;
  void *extra[] = { (void *) 1, &bytes, (void *) 2, &size, (void *) 0 };
  check (get_function (&function, module, "multiply"), "multiply");
  check (launch (function, 2, 2, 1, 16, 16, 1, 0, NULL, NULL, extra), "cuLaunchKernel");
  write_result (output, bytes.c, sizeof a);
  fclose (output);
  free (image);
  return 0;
}
