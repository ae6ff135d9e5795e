/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks of one host share its clock, where the source names hosts: what ties any of them to another host ties all.
 *
 * Not where this is contradicted: a message between two ranks of the host comes before it was sent, or they leave
 * collectives steadily apart. A collective in which ranks of one host contradict each other, of which the source does
 * not say who takes part, is none.
 */
#pragma once

#include "analyzers/clocks/ties.h"

gboolean tt_clock_ties_join_hosts (TtClockTies *self, TtStore *store, GError **error);
