/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The export of a run in Perfetto's own format: the language of chrome-export that writes its protobuf.
 *
 * What is shown is what Chrome trace JSON shows, with the same names, arguments and order:
 *  - A process or thread has the title of the JSON. A process whose number would be 0 has the lowest free one instead,
 *    and its thread 0 the same: Perfetto takes pid 0 and tid 0 for the idle process and does not show them.
 *  - Further lines of a thread are tracks within the thread's, lanes of asynchronous spans within the process'.
 *  - Instants of a process are on its own track, those of everything on a track beside the processes.
 *  - Arrows are flows from slice to slice, without times of their own. The facts of a message stand in the arguments of
 *    its slices, message_sent and message_received, which are arrays.
 *  - A counter belongs to its process, or to its thread if several threads of the process have it.
 *  - Times are nanoseconds; ticks are written as if they were, and the title of the process says so. With --absolute
 *    nothing is taken away from them, unless the first is negative: that one is 0 then.
 *  - The version and the first time of each clock are attributes of the trace (trace_attribute.tool, .version,
 *    .epoch.first_ns, ...).
 */
#pragma once

#include "formats/chrome-export/chrome-export.h"

#define TT_PERFETTO_SUFFIX ".pftrace"
/* How to look at it, for the message after an export. */
#define TT_PERFETTO_OPENER "open in https://ui.perfetto.dev"

extern const ChromeLanguage tt_perfetto_language;
