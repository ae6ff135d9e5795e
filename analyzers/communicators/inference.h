/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The communicators that explain a run's collective calls best.
 *
 * Begins with one of all ranks, and adds the family of sets that lowers the price most (choice.h) until none does.
 */
#pragma once

#include "analyzers/communicators/choice.h"

/* @chosen: guint32, empty; gets the sets that are used. */
TtChoice *tt_inference_new (TtMemberSets *sets, GArray *chosen);
