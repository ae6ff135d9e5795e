/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNsysNames: standard names for the texts of an export (StringIds), remembered by their numbers.
 *
 * The groups are Kineto's categories where Kineto has the same thing, so that the rules and the roles of a call, a
 * kernel, a copy are those of PyTorch's traces. The version of an API function ("cudaLaunchKernel_v7000") is no part of
 * its name.
 */
#pragma once

#include "formats/nsys/session.h"

typedef enum
{
  TT_NSYS_KERNEL,
  TT_NSYS_RUNTIME, /* CUDA */
  TT_NSYS_DRIVER,
  TT_NSYS_OSRT, /* libc, pthreads */
  TT_NSYS_MPI,
  TT_NSYS_UCX,
  TT_NSYS_CUBLAS,
  TT_NSYS_CUDNN,
  TT_NSYS_OPENMP,
  TT_NSYS_OPENACC,
  TT_NSYS_OVERHEAD,
  TT_NSYS_NVTX, /* the domain without a name */
  TT_NSYS_N_GROUPS,
} TtNsysGroup;

typedef struct
{
  guint32 name;
  guint8 role;         /* TtActivityRole */
  gboolean blocks;     /* see TtActivity */
  gboolean is_launch;  /* a call that starts work */
  gboolean is_unnamed; /* no rule knows it */
} TtNsysName;

TtNsysNames *tt_nsys_names_new (void);
void tt_nsys_names_free (TtNsysNames *self);
/* FALSE: the table of texts cannot be read. */
gboolean tt_nsys_names_open (TtNsys *self, GError **error);

/* Of the number in @column. @communicator: of an MPI collective, 0: none. A number without a text is counted, its name
 * says the number. */
gboolean tt_nsys_name (TtNsys *self,
                       TtNsysGroup group,
                       guint32 communicator,
                       TtRows *rows,
                       int column,
                       TtNsysName *name,
                       GError **error);
void tt_nsys_name_text (TtNsys *self, const char *group, const char *text, TtNsysName *name);
/* A text itself, as it is in the file; NULL without @error: there is none. Valid until the next call. */
const char *tt_nsys_string (TtNsys *self, gint64 id, GError **error);
