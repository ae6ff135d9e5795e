/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels of which a program gets handles by a list.
 */
#include "src/gpu/record/driver.h"

typedef TtCuResult (*GetName) (const char **, TtCuHandle);

void
tt_record_note_function (TtCuResult result, TtCuHandle module, TtCuHandle function, const char *name)
{
  if (result != 0 || tt_record_inside)
    return;
  tt_record_lock ();
  tt_record_add_function (module, function, name);
  tt_record_unlock ();
}

/* @by: the driver's function that knows their names. Places behind the last handle are not written by the driver. */
static void
note_all (TtCuHandle module, const TtCuHandle *handles, unsigned n, const char *by)
{
  const char *name = NULL;
  GetName get_name;

  if (tt_record_inside)
    return;
  *(void **) &get_name = tt_record_real (by);
  if (get_name == NULL)
    {
      fprintf (stderr, "tracetool: this driver has no %s (CUDA 12.3 has): kernels of a list lack a parameter\n", by);
      return;
    }
  for (unsigned i = 0; i < n; i++)
    if (handles[i] != NULL && get_name (&name, handles[i]) == 0 && name != NULL)
      tt_record_note_function (0, module, handles[i], name);
}

#define ENUMERATE(function, by)                                            \
  TtCuResult function (TtCuHandle *handles, unsigned n, TtCuHandle module) \
  {                                                                        \
    REAL (TtCuResult (*) (TtCuHandle *, unsigned, TtCuHandle), #function); \
    for (unsigned i = 0; i < n && handles != NULL; i++)                    \
      handles[i] = NULL;                                                   \
    TtCuResult result = real (handles, n, module);                         \
    if (result == 0 && handles != NULL)                                    \
      note_all (module, handles, n, by);                                   \
    return result;                                                         \
  }

ENUMERATE (cuModuleEnumerateFunctions, "cuFuncGetName")
ENUMERATE (cuLibraryEnumerateKernels, "cuKernelGetName")
