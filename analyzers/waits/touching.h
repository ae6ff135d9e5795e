/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits of the spans that touch a time window, whole, without the spans that are far from it.
 *
 * A wait lies in its span, so that a wider window is enough: from the first begin to the last end of the spans that touch
 * the window and can wait. That does not hold of polls, which wait since the first of them (polls.h), and of devices, which
 * wait before their work: of these all waits of the run are found.
 */
#pragma once

#include "analyzers/waits/waits.h"

/* @selection: bound, or NULL. All waits of the spans that touch its window, and others; not clipped to it. */
TtWaits *tt_waits_touching (TtStore *store, const TtSelection *selection, GError **error);
