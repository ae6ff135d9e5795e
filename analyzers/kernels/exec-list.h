/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtExecList: each kernel whose call is known, with that call. Memory: 200 bytes a kernel.
 */
#pragma once

#include "analyzers/kernels/execs.h"
#include "src/trace/kernel-config.h"

typedef struct
{
  guint32 thread, stream; /* of the call; of the kernel */
  guint32 call, kernel;   /* names */
  TtExecSpan api, work;
  TtKernelConfig config;
} TtExecItem;

typedef struct _TtExecList TtExecList;

TtExecList *tt_exec_list_new (TtKernelConfigReader reader);
void tt_exec_list_free (TtExecList *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtExecList, tt_exec_list_free)

/* Reads the arguments of a kernel. Returns the number of its configuration. */
guint32 tt_exec_list_read (TtExecList *self, const char *args, gsize args_len);
/* @item: its configuration is the one with number @config. */
void tt_exec_list_add (TtExecList *self, const TtExecItem *item, guint32 config);
/* After the last. */
void tt_exec_list_finish (TtExecList *self);
/* After finish; of TtExecItem, by begin of the call, then of the kernel, borrowed. */
const GArray *tt_exec_list_items (const TtExecList *self);
