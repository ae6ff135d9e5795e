/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether one communicator of all ranks explains all calls of a run: what most runs have, and what can be told as the calls are read.
 *
 * Memory: 24 bytes for each call that a rank makes of a function, of one function at a time; calls are neither kept nor sorted.
 */
#pragma once

#include "src/store/store.h"

/* *@agree: tt_rank_calls_take_out_agreeing() would leave none. FALSE also where a rank's calls of a function are not read in the
 * order of their begins, as when threads of it call at the same time. */
gboolean tt_rank_calls_agree (TtStore *store, gboolean *agree, GError **error);
