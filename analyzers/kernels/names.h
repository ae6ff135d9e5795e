/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtKernelNames: what the names of a run are for kernels, their launches and their calls.
 */
#pragma once

#include "src/store/store.h"

typedef enum
{
  TT_KERNEL_NAME_OTHER,     /* of an operation */
  TT_KERNEL_NAME_NO_LAUNCH, /* of a call to a runtime: no operation */
} TtKernelNameKind;

/* Which lists of host spans have it: bits. */
typedef enum
{
  TT_KERNEL_CALLS = 1,   /* of runtimes and drivers, whichever */
  TT_KERNEL_API = 2,     /* the same without MPI, the operating system's library and those above the runtime */
  TT_KERNEL_RANGES = 4,  /* NVTX, roctx, annotations of PyTorch */
  TT_KERNEL_MPI = 8,     /* functions of MPI */
  TT_KERNEL_OS = 16,     /* calls of the operating system's library */
  TT_KERNEL_OPENMP = 32, /* what OpenMP's runtime tells of */
} TtKernelLists;

/* Arrays by name. */
typedef struct
{
  guint32 n; /* elements of each */
  guint8 *kinds;   /* TtKernelNameKind */
  guint8 *lists;   /* TtKernelLists */
  guint8 *is_copy; /* a copy or set */
  guint32 *groups; /* the first name that counts as the same: of copies and sets of one direction, of
                    a function in several communicators, of a range in the forward and the backward pass */
} TtKernelNames;

/* @by_operation: of copies and sets, those that nsys tells apart are, not those of one direction. */
gboolean tt_kernel_names_load (TtKernelNames *self, TtStore *store, gboolean by_operation, GError **error);
void tt_kernel_names_clear (TtKernelNames *self);

/* What nsys calls a copy or set: "[CUDA memcpy Unified Host-to-Device]". Free it. */
char *tt_copy_operation (const TtStoredName *name);
