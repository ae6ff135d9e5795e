/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The communicators that explain a run's collective calls best.
 *
 * Begins with one of all ranks, and adds the family of sets that lowers the price most (choice.h) until none does.
 */
#pragma once

#include "analyzers/communicators/choice.h"

/* What it takes to describe by how much a rank's clock was moved. */
#define TT_SHIFT_BITS 8.0

typedef struct
{
  TtMemberSets *sets;
  GArray *chosen; /* guint32: the sets that are used */
  TtChoice *choice;
  gboolean is_within; /* by clocks that were made to fit */
} TtInference;

/* @self: zeroed. */
void tt_inference_init (TtInference *self, TtRankCalls *calls);
/* The communicators are those of @n families of @from, families.h has them, and no others. */
void tt_inference_init_with (TtInference *self,
                             TtRankCalls *calls,
                             const TtMemberSets *from,
                             const GArray *const *families,
                             guint n);
void tt_inference_clear (TtInference *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtInference, tt_inference_clear)

/* Whichever explains more is *@best then. */
void tt_inference_keep_better (TtInference *best, TtInference *other);
