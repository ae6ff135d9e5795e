/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNeutrinoRun: the files of one Neutrino trace directory.
 *
 * Mon00_HHMMSS_PID/ with event.log, probe.toml, result/SECONDS.bin (one a launch; in the order of the numbers),
 * kernel/INDEX_SHA1/kernel.info, and perhaps tensor.trace.
 */
#pragma once

#include "formats/neutrino-trace/layout.h"

typedef struct
{
  char *root;
  char *log, *probe, *tensors; /* paths; NULL: not there, or empty */
  GPtrArray *results;          /* of char *: paths */
  GPtrArray *kernels;          /* of char *: paths of kernel.info */
} TtNeutrinoRun;

TtNeutrinoRun *tt_neutrino_run_find (const char *root);
void tt_neutrino_run_free (TtNeutrinoRun *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNeutrinoRun, tt_neutrino_run_free)

/* Whether @root is such a directory: a log of the driver, or results with the probe that wrote them. */
gboolean tt_neutrino_run_is_one (const char *root);

/* Process that the directory's name ends in; NULL: none. Free it. */
char *tt_neutrino_run_pid (const char *root);

/* The contents of a kernel.info. */
typedef struct
{
  char *name;
  guint64 n_parameters;
  guint n_maps;
  gboolean is_warp[TT_NEUTRINO_MAX_MAPS];
  gint64 unit_bytes[TT_NEUTRINO_MAX_MAPS]; /* per thread or warp; -1: dynamic */
} TtNeutrinoKernel;

TtNeutrinoKernel *tt_neutrino_kernel_load (const char *path, GError **error);
void tt_neutrino_kernel_free (TtNeutrinoKernel *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNeutrinoKernel, tt_neutrino_kernel_free)

/* What of it differs from @layout; NULL: nothing. Free it. */
char *tt_neutrino_kernel_difference (const TtNeutrinoKernel *self, const TtNeutrinoLayout *layout);
