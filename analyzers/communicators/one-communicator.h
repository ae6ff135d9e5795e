/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which kinds of calls one communicator of all who make them explains: by how the k-th calls of the ranks lie to each
 * other. What it explains needs no inference.
 */
#pragma once

#include "analyzers/communicators/rank-calls.h"

/* Forgets the calls of functions that all ranks that call them call as often, their k-th calls overlapping: one
 * communicator explains these. FALSE: none are left. */
gboolean tt_rank_calls_take_out_agreeing (TtRankCalls *self);
/* By kind: whether the k-th calls of all ranks that make such calls end apart by the same over and over, which only calls of
 * one communicator do. By times of the ranks' own clocks, which may be wrong, and set now and then. */
guint8 *tt_rank_calls_find_steady (const TtRankCalls *self);
