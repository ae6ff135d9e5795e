/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines for `tracetool pi replay`, and the end of a process that no longer follows its recording.
 */
#pragma once

/* Adds a line to the report: a kind, a tabulator, text. */
void tt_replay_report (const char *kind, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

#define TT_REPLAY_STATUS 99
/* Ends the process with TT_REPLAY_STATUS. */
_Noreturn void tt_replay_give_up (void);
