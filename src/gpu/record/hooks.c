/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of CUDA's driver under their own names. A program finds them in three ways: linked, by dlsym(), and by
 * cuGetProcAddress(), which CUDA's runtime asks; all three lead here.
 */
#define _GNU_SOURCE
#include "src/gpu/record/driver.h"
#include "src/gpu/record/record.h"

#include <stdlib.h>
#include <string.h>

#define PER_THREAD_STREAMS 2u

/* -- modules -------------------------------------------------------------------------------------------- */

/* @load loads an image of @n bytes. What is woven is tried first; a driver that refuses it gets the program's own. */
static TtCuResult
load_woven (TtCuHandle *module,
            const void *image,
            size_t n,
            TtCuResult (*load) (void *data, const void *image),
            void *data)
{
  TtRecordPlan *plan = NULL;
  TtCuResult result;

  if (tt_record_inside)
    return load (data, image);
  tt_record_inside = 1;
  tt_record_lock ();
  char *woven = tt_record_weave (image, n, &plan);
  result = woven == NULL ? -1 : load (data, woven);
  if (result == 0)
    tt_record_add_module (*module, plan);
  else if (woven != NULL)
    fprintf (stderr, "tracetool: a module is not probed: the driver refuses what is woven (%d)\n", result);
  if (result != 0)
    {
      result = load (data, image);
      if (result == 0)
        tt_record_forget (*module);
    }
  free (woven);
  tt_record_unlock ();
  tt_record_inside = 0;
  return result;
}

typedef struct
{
  TtCuHandle *module;
  unsigned n, n_library;
  void *options, *values, *library_options, *library_values;
  const char *path; /* of a file, and what it has */
  const void *own;
} Load;

static TtCuResult
load_data (void *data, const void *image)
{
  REAL (TtCuResult (*) (TtCuHandle *, const void *), "cuModuleLoadData");
  return real (((Load *) data)->module, image);
}

TtCuResult
cuModuleLoadData (TtCuHandle *module, const void *image)
{
  Load load = { .module = module };

  return load_woven (module, image, TT_RECORD_ANY_SIZE, load_data, &load);
}

TtCuResult
cuModuleLoadFatBinary (TtCuHandle *module, const void *image)
{
  return cuModuleLoadData (module, image);
}

static TtCuResult
load_data_ex (void *data, const void *image)
{
  Load *load = data;

  REAL (TtCuResult (*) (TtCuHandle *, const void *, unsigned, void *, void *), "cuModuleLoadDataEx");
  return real (load->module, image, load->n, load->options, load->values);
}

TtCuResult
cuModuleLoadDataEx (TtCuHandle *module, const void *image, unsigned n, void *options, void *values)
{
  Load load = { .module = module, .n = n, .options = options, .values = values };

  return load_woven (module, image, TT_RECORD_ANY_SIZE, load_data_ex, &load);
}

/* Free it. Sixteen zeros behind its @n bytes: what it is, is asked of its first ones. NULL: it cannot be read. */
static char *
read_module (const char *path, size_t *n)
{
  FILE *file = fopen (path, "re");
  char *bytes = NULL, *more;
  size_t room = 0, piece = 1;

  *n = 0;
  while (file != NULL && piece > 0 && (more = realloc (bytes, room += 1 << 20)) != NULL)
    {
      bytes = more;
      piece = fread (bytes + *n, 1, room - *n - 16, file);
      *n += piece;
    }
  int ok = file != NULL && piece == 0 && !ferror (file) && *n > 0;
  if (file != NULL)
    fclose (file);
  if (ok)
    {
      memset (bytes + *n, 0, 16);
      return bytes;
    }
  free (bytes);
  return NULL;
}

/* Nobody tells cuModuleLoadData() where a file ends, so that one which is not woven is the driver's to read. */
static TtCuResult
load_file (void *data, const void *image)
{
  const Load *load = data;

  REAL (TtCuResult (*) (TtCuHandle *, const char *), "cuModuleLoad");
  return image == load->own ? real (load->module, load->path) : load_data (data, image);
}

TtCuResult
cuModuleLoad (TtCuHandle *module, const char *path)
{
  size_t n = 0;
  char *own = tt_record_inside ? NULL : read_module (path, &n);
  Load load = { .module = module, .path = path, .own = own };
  TtCuResult result = own == NULL ? load_file (&load, NULL) : load_woven (module, own, n, load_file, &load);

  free (own);
  return result;
}

static TtCuResult
load_library (void *data, const void *image)
{
  Load *load = data;

  REAL (TtCuResult (*) (TtCuHandle *, const void *, void *, void *, unsigned, void *, void *, unsigned),
        "cuLibraryLoadData");
  return real (load->module, image, load->options, load->values, load->n, load->library_options, load->library_values,
               load->n_library);
}

TtCuResult
cuLibraryLoadData (TtCuHandle *library,
                   const void *image,
                   void *options,
                   void *values,
                   unsigned n,
                   void *library_options,
                   void *library_values,
                   unsigned n_library)
{
  Load load = { library, n, n_library, options, values, library_options, library_values, NULL, NULL };

  return load_woven (library, image, TT_RECORD_ANY_SIZE, load_library, &load);
}

static TtCuResult
load_library_file (void *data, const void *image)
{
  const Load *load = data;

  REAL (TtCuResult (*) (TtCuHandle *, const char *, void *, void *, unsigned, void *, void *, unsigned),
        "cuLibraryLoadFromFile");
  return image == load->own ? real (load->module, load->path, load->options, load->values, load->n,
                                    load->library_options, load->library_values, load->n_library)
                            : load_library (data, image);
}

TtCuResult
cuLibraryLoadFromFile (TtCuHandle *library,
                       const char *path,
                       void *options,
                       void *values,
                       unsigned n,
                       void *library_options,
                       void *library_values,
                       unsigned n_library)
{
  size_t size = 0;
  char *own = tt_record_inside ? NULL : read_module (path, &size);
  Load load = { library, n, n_library, options, values, library_options, library_values, path, own };
  TtCuResult result =
      own == NULL ? load_library_file (&load, NULL) : load_woven (library, own, size, load_library_file, &load);

  free (own);
  return result;
}

/* -- functions ------------------------------------------------------------------------------------------- */

TtCuResult
cuModuleGetFunction (TtCuHandle *function, TtCuHandle module, const char *name)
{
  REAL (TtCuResult (*) (TtCuHandle *, TtCuHandle, const char *), "cuModuleGetFunction");
  TtCuResult result = real (function, module, name);

  tt_record_note_function (result, module, result == 0 ? *function : NULL, name);
  return result;
}

TtCuResult
cuLibraryGetKernel (TtCuHandle *kernel, TtCuHandle library, const char *name)
{
  REAL (TtCuResult (*) (TtCuHandle *, TtCuHandle, const char *), "cuLibraryGetKernel");
  TtCuResult result = real (kernel, library, name);

  tt_record_note_function (result, library, result == 0 ? *kernel : NULL, name);
  return result;
}

TtCuResult
cuLibraryGetModule (TtCuHandle *module, TtCuHandle library)
{
  REAL (TtCuResult (*) (TtCuHandle *, TtCuHandle), "cuLibraryGetModule");
  TtCuResult result = real (module, library);

  if (result == 0 && !tt_record_inside)
    {
      tt_record_lock ();
      tt_record_same_module (library, *module);
      tt_record_unlock ();
    }
  return result;
}

TtCuResult
cuKernelGetFunction (TtCuHandle *function, TtCuHandle kernel)
{
  REAL (TtCuResult (*) (TtCuHandle *, TtCuHandle), "cuKernelGetFunction");
  TtCuResult result = real (function, kernel);

  if (result == 0 && !tt_record_inside)
    {
      tt_record_lock ();
      tt_record_same_function (kernel, *function);
      tt_record_unlock ();
    }
  return result;
}

/* -- launches -------------------------------------------------------------------------------------------- */

typedef struct
{
  const TtRecordLaunch *of;
  const TtCuConfig *config;
  int per_thread;
} Call;

static TtCuResult
call_launch (void *data, void **params, void **extra)
{
  typedef TtCuResult (*Function) (TtCuHandle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                  TtCuHandle, void **, void **);
  static Function reals[2];
  const Call *self = data;
  const TtRecordLaunch *of = self->of;
  Function *real = &reals[self->per_thread];

  if (*real == NULL)
    *(void **) real = tt_record_real (self->per_thread ? "cuLaunchKernel_ptsz" : "cuLaunchKernel");
  return *real == NULL ? TT_CU_NOT_FOUND
                       : (*real) (of->function, of->grid[0], of->grid[1], of->grid[2], of->block[0], of->block[1],
                                  of->block[2], of->shared, of->stream, params, extra);
}

#define LAUNCH(name, is_per_thread)                                                                                   \
  TtCuResult name (TtCuHandle function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, \
                   unsigned shared, TtCuHandle stream, void **params, void **extra)                                   \
  {                                                                                                                   \
    TtRecordLaunch of = { function, stream, { gx, gy, gz }, { bx, by, bz }, shared, params, extra, 0 };               \
    Call call = { .of = &of, .per_thread = is_per_thread };                                                           \
    return tt_record_launch (&of, call_launch, &call);                                                                \
  }

LAUNCH (cuLaunchKernel, 0)
LAUNCH (cuLaunchKernel_ptsz, 1)

static TtCuResult
call_launch_ex (void *data, void **params, void **extra)
{
  typedef TtCuResult (*Function) (const TtCuConfig *, TtCuHandle, void **, void **);
  static Function reals[2];
  const Call *self = data;
  Function *real = &reals[self->per_thread];

  if (*real == NULL)
    *(void **) real = tt_record_real (self->per_thread ? "cuLaunchKernelEx_ptsz" : "cuLaunchKernelEx");
  return *real == NULL ? TT_CU_NOT_FOUND : (*real) (self->config, self->of->function, params, extra);
}

#define LAUNCH_EX(name, is_per_thread)                                                                \
  TtCuResult name (const TtCuConfig *config, TtCuHandle function, void **params, void **extra)        \
  {                                                                                                   \
    TtRecordLaunch of = { function, config->stream, { 0 }, { 0 }, config->shared, params, extra, 0 }; \
    Call call = { &of, config, is_per_thread };                                                       \
    memcpy (of.grid, config->grid, sizeof of.grid);                                                   \
    memcpy (of.block, config->block, sizeof of.block);                                                \
    return tt_record_launch (&of, call_launch_ex, &call);                                             \
  }

LAUNCH_EX (cuLaunchKernelEx, 0)
LAUNCH_EX (cuLaunchKernelEx_ptsz, 1)

static TtCuResult
call_cooperative (void *data, void **params, void **extra)
{
  typedef TtCuResult (*Function) (TtCuHandle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                  TtCuHandle, void **);
  static Function reals[2];
  const Call *self = data;
  const TtRecordLaunch *of = self->of;
  Function *real = &reals[self->per_thread];

  if (*real == NULL)
    *(void **) real =
        tt_record_real (self->per_thread ? "cuLaunchCooperativeKernel_ptsz" : "cuLaunchCooperativeKernel");
  return *real == NULL || extra != NULL ? TT_CU_NOT_FOUND
                                        : (*real) (of->function, of->grid[0], of->grid[1], of->grid[2], of->block[0],
                                                   of->block[1], of->block[2], of->shared, of->stream, params);
}

#define LAUNCH_COOPERATIVE(name, is_per_thread)                                                                       \
  TtCuResult name (TtCuHandle function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, \
                   unsigned shared, TtCuHandle stream, void **params)                                                 \
  {                                                                                                                   \
    TtRecordLaunch of = { function, stream, { gx, gy, gz }, { bx, by, bz }, shared, params, NULL, 0 };                \
    Call call = { .of = &of, .per_thread = is_per_thread };                                                           \
    return tt_record_launch (&of, call_cooperative, &call);                                                           \
  }

LAUNCH_COOPERATIVE (cuLaunchCooperativeKernel, 0)
LAUNCH_COOPERATIVE (cuLaunchCooperativeKernel_ptsz, 1)

/* -- how they are found ------------------------------------------------------------------------------------ */

static const struct
{
  const char *name;
  void *function, *per_thread; /* NULL: there is only one */
} hooks[] = {
  { "cuModuleLoad", (void *) cuModuleLoad, NULL },
  { "cuModuleLoadData", (void *) cuModuleLoadData, NULL },
  { "cuModuleLoadDataEx", (void *) cuModuleLoadDataEx, NULL },
  { "cuModuleLoadFatBinary", (void *) cuModuleLoadFatBinary, NULL },
  { "cuLibraryLoadData", (void *) cuLibraryLoadData, NULL },
  { "cuModuleGetFunction", (void *) cuModuleGetFunction, NULL },
  { "cuLibraryGetKernel", (void *) cuLibraryGetKernel, NULL },
  { "cuLibraryLoadFromFile", (void *) cuLibraryLoadFromFile, NULL },
  { "cuModuleEnumerateFunctions", (void *) cuModuleEnumerateFunctions, NULL },
  { "cuLibraryEnumerateKernels", (void *) cuLibraryEnumerateKernels, NULL },
  { "cuGraphKernelNodeSetParams", (void *) cuGraphKernelNodeSetParams, NULL },
  { "cuGraphKernelNodeSetParams_v2", (void *) cuGraphKernelNodeSetParams_v2, NULL },
  { "cuGraphExecKernelNodeSetParams", (void *) cuGraphExecKernelNodeSetParams, NULL },
  { "cuGraphExecKernelNodeSetParams_v2", (void *) cuGraphExecKernelNodeSetParams_v2, NULL },
  { "cuLibraryGetModule", (void *) cuLibraryGetModule, NULL },
  { "cuKernelGetFunction", (void *) cuKernelGetFunction, NULL },
  { "cuLaunchCooperativeKernel", (void *) cuLaunchCooperativeKernel, (void *) cuLaunchCooperativeKernel_ptsz },
  { "cuLaunchCooperativeKernel_ptsz", (void *) cuLaunchCooperativeKernel_ptsz, NULL },
  { "cuGraphAddKernelNode_v2", (void *) cuGraphAddKernelNode_v2, NULL },
  { "cuLaunchKernel", (void *) cuLaunchKernel, (void *) cuLaunchKernel_ptsz },
  { "cuLaunchKernelEx", (void *) cuLaunchKernelEx, (void *) cuLaunchKernelEx_ptsz },
  { "cuLaunchKernel_ptsz", (void *) cuLaunchKernel_ptsz, NULL },
  { "cuLaunchKernelEx_ptsz", (void *) cuLaunchKernelEx_ptsz, NULL },
  { "cuGraphAddKernelNode", (void *) cuGraphAddKernelNode, NULL },
  { "cuGraphAddNode", (void *) cuGraphAddNode, NULL },
  { "cuGraphAddNode_v2", (void *) cuGraphAddNode_v2, NULL },
  { "cuGraphNodeSetParams", (void *) cuGraphNodeSetParams, NULL },
  { "cuGraphExecNodeSetParams", (void *) cuGraphExecNodeSetParams, NULL },
  { "cuGetProcAddress", (void *) cuGetProcAddress, NULL },
  { "cuGetProcAddress_v2", (void *) cuGetProcAddress_v2, NULL },
};

static void *
find_hook (const char *name, int per_thread)
{
  for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
    if (strcmp (hooks[i].name, name) == 0)
      return per_thread && hooks[i].per_thread != NULL ? hooks[i].per_thread : hooks[i].function;
  return NULL;
}

/* From version 12 on cuGetProcAddress is that with five arguments; from 12.3 on nodes are added with edges. */
static void
put_hook (const char *name, void **function, int version, uint64_t flags)
{
  void *hook = find_hook (name, (flags & PER_THREAD_STREAMS) != 0);

  if (strcmp (name, "cuGetProcAddress") == 0 && version >= 12000)
    hook = (void *) cuGetProcAddress_v2;
  if (strcmp (name, "cuGraphAddKernelNode") == 0 && version >= 12000)
    hook = (void *) cuGraphAddKernelNode_v2;
  if (strcmp (name, "cuGraphKernelNodeSetParams") == 0 && version >= 12000)
    hook = (void *) cuGraphKernelNodeSetParams_v2;
  if (strcmp (name, "cuGraphExecKernelNodeSetParams") == 0 && version >= 12000)
    hook = (void *) cuGraphExecKernelNodeSetParams_v2;
  if (strcmp (name, "cuGraphAddNode") == 0 && version >= 12030)
    hook = (void *) cuGraphAddNode_v2;
  if (hook != NULL && function != NULL && *function != NULL)
    *function = hook;
}

TtCuResult
cuGetProcAddress (const char *name, void **function, int version, uint64_t flags)
{
  REAL (TtCuResult (*) (const char *, void **, int, uint64_t), "cuGetProcAddress");
  TtCuResult result = real (name, function, version, flags);

  if (result == 0)
    put_hook (name, function, version, flags);
  return result;
}

TtCuResult
cuGetProcAddress_v2 (const char *name, void **function, int version, uint64_t flags, void *status)
{
  REAL (TtCuResult (*) (const char *, void **, int, uint64_t, void *), "cuGetProcAddress_v2");
  TtCuResult result = real (name, function, version, flags, status);

  if (result == 0)
    put_hook (name, function, version, flags);
  return result;
}

/* What the driver does not have it does not have with us either. */
void *
dlsym (void *restrict handle, const char *restrict name)
{
  void *hook = name != NULL && name[0] == 'c' && name[1] == 'u' ? find_hook (name, 0) : NULL;

  if (hook == NULL)
    return tt_record_real_dlsym (handle, name);
  return tt_record_real_dlsym (handle, name) != NULL ? hook : NULL;
}
