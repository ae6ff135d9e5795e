/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of functions that stand beyond what may be written of a runtime's table: their places are empty, and the process
 * would end by a signal, without a word of why.
 */
#pragma once

/* From now on a call of address 0 ends the process as one that is not in the recording does. Other faults stay the
 * program's, by the handler that it has had. */
void tt_replay_watch_empty_places (void);
