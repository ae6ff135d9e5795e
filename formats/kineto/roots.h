/* SPDX-License-Identifier: Apache-2.0 */
/*
 * KinetoRoots: which calls of collectives this rank is the root of.
 *
 * On a host, a backend's span ("gloo:broadcast") does not tell the root. The operator that asked for it does, where shapes
 * were recorded: c10d::broadcast_ has it in its "Concrete Inputs", as a number in the group (torch/csrc/distributed/c10d/
 * Ops.cpp has the order of arguments). Backends take calls in the order in which they are asked: the k-th span of a
 * function belongs to its k-th operator, if there are as many and none begins before. Which group it was nobody tells;
 * "pg_config" has who is in which, and a number that means the same rank in each of them is known.
 * On a device the kernel has the number ("Rank") and the ranks of the group.
 */
#pragma once

#include "formats/trace-event/import.h"

typedef struct _KinetoRoots KinetoRoots;

KinetoRoots *tt_kineto_roots_new (void);
void tt_kineto_roots_free (KinetoRoots *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KinetoRoots, tt_kineto_roots_free)

/* The member "distributedInfo" of the file. */
void tt_kineto_roots_groups (KinetoRoots *self, const TtJsonValue *job);

/* An operator, if its name is that of one with a root. @inputs: its "Concrete Inputs". */
void tt_kineto_roots_ask (KinetoRoots *self, guint32 process, gint64 ts_ns, TtSlice name, const TtJsonValue *inputs);
/* A span of a backend; returns its number, 0: it is of no function with a root. */
guint32 tt_kineto_roots_work (KinetoRoots *self, guint32 process, gint64 ts_ns, TtSlice name);
/* All events are in. */
void tt_kineto_roots_finish (KinetoRoots *self);
/* Of how many groups of different ranks this one is a member, as far as the file tells. */
guint tt_kineto_roots_n_groups (const KinetoRoots *self);
/* After finish: the rank that is the root of that span; -1: not known. */
gint64 tt_kineto_roots_of_work (const KinetoRoots *self, guint32 number);

/* Of a kernel: by its "Collective name", "Rank" and "Process Group Ranks". -1: it has none, or it is not told. */
gint64 tt_kineto_root_of_kernel (TtSlice collective, gint64 root, const TtJsonValue *ranks);
