/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that could as well belong to other meetings than those that were chosen.
 *
 * Another meeting is supposed, those that it shares calls with are given up, and for calls that are free then others are
 * found in turn. Where that explains the calls nearly as well, all that it moves are in doubt.
 */
#pragma once

#include "analyzers/communicators/choice.h"

/* Moves what more is explained by then. */
void tt_choice_move (TtMemberSets *sets, const GArray *chosen, TtChoice *choice);

/* By call, 1: likewise may be elsewhere; or its set is none that a program makes: it met once among others that met again and
 * again, or all ranks are parted in no way that has it; or calls are left of which nothing is known. Free it. */
guint8 *tt_choice_find_doubtful (TtMemberSets *sets, const GArray *chosen, TtChoice *choice);
