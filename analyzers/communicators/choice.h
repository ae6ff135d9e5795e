/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which meetings there were, if the communicators are those of a list of sets: each call is in one of them.
 *
 * What only one meeting explains is decided first, and what follows from it; then comes what is best explained. The
 * price, in bits: what it takes to describe the sets, the meetings and the calls that none explains.
 */
#pragma once

#include "analyzers/communicators/member-sets.h"

typedef struct
{
  guint32 *meeting_of; /* by call: index; TT_NO_CALL: not explained */
  guint32 *n_used;     /* by set: meetings chosen */
  double *bits;        /* by set: of these in sum */
  guint n_sets;
  guint64 n_open; /* synchronizing calls without a meeting */
  double price;
} TtChoice;

/* @sets: numbers of sets. */
TtChoice *tt_choice_new (TtMemberSets *sets, const GArray *chosen);
void tt_choice_free (TtChoice *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtChoice, tt_choice_free)

/* The same without the sets that cost more than they explain: they are taken out of @chosen. */
TtChoice *tt_choice_new_pruned (TtMemberSets *sets, GArray *chosen);
