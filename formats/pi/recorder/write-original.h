/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes calls in the formats of the original tool: protobuf (pi.md 3) and the layout of its description (pi.md 4.1). A
 * record is written in one piece when its call has ended.
 */
#pragma once

#include "formats/pi/recorder/thread.h"

void tt_record_original_end (TtRecordThread *thread, const TtRecordCall *call, int32_t result, uint64_t end_ns);
