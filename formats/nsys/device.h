/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What devices did: the tables CUPTI_ACTIVITY_KIND_KERNEL, _MEMCPY, _MEMSET, _SYNCHRONIZATION, _GRAPH_TRACE.
 *
 * Names and keys of arguments are those of Kineto, which reads the same records of CUPTI ("Memcpy HtoD (Pinned ->
 * Device)", "registers per thread"). Numbers of copies are CUPTI's CUpti_ActivityMemcpyKind, with 11 to 13 for copies
 * of unified memory; those of kinds of memory are of the table ENUM_CUDA_MEM_KIND, not CUPTI's.
 */
#pragma once

#include "formats/nsys/session.h"

gboolean tt_nsys_read_devices (TtNsys *self, GError **error);
