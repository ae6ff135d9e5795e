/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets of ranks that are worth trying as communicators, in families: those that a program makes together.
 *
 * All ranks; lines of a grid (so many ranks, equally spaced: rows, columns, planes); ranks that call everything equally
 * often; callers of one function; and sets that leave calls at the same time again and again.
 */
#pragma once

#include "analyzers/communicators/member-sets.h"

/* Of GArray of guint32, numbers of sets; the first is all ranks alone, the second what leaves together. */
GPtrArray *tt_families_new (TtMemberSets *sets);
