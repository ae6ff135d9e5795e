/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the framework reports of a call, when it begins and when it ends. Calls of a thread may nest.
 */
#pragma once

#include "formats/pi/recorder/function.h"

void tt_record_begin (TtPiApi api, uint64_t instance, const TtRecordPayload *payload);
void tt_record_end (TtPiApi api, uint64_t instance, const TtRecordPayload *payload);
