/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPlan: what a suggested configuration of PInsight says: which events are off, and which invocations of each lexgion
 * are recorded.
 */
#pragma once

#include "formats/pinsight/trace-config.h"

/* What is counted together: a code pointer of a program that is loaded at the same address in each run; the first unit
 * of a trace is all others, by the default of lexgions. */
typedef struct
{
  guint64 codeptr; /* 0: the default */
  guint domain;
  guint64 n_invocations; /* most of one thread and code pointer */
} TtPlanUnit;

typedef struct
{
  const TtConfigDomains *domains;
  TtPInsight pinsight;
  const GArray *units;   /* of TtPlanUnit; borrowed */
  TtSamplingRule *rules; /* by unit */
  guint64 *off;          /* events, by domain */
  gboolean *devices;     /* whether device activities are recorded, by domain */
} TtPlan;

/* Everything is recorded, device activities of the domains in @devices. */
TtPlan *tt_plan_new (const TtConfigDomains *domains, TtPInsight pinsight, const GArray *units, const gboolean *devices);
void tt_plan_free (TtPlan *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPlan, tt_plan_free)

gboolean tt_plan_is_everything (const TtSamplingRule *rule);
/* The text of its sections. @notes: comments above the section of each unit, whole lines; NULL, also in it: none. */
void tt_plan_write (const TtPlan *self, const char *const *notes, GString *out);
