/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes calls in the native format (formats/pi/native.h): a record when a call begins, one when it ends.
 */
#pragma once

#include "formats/pi/recorder/thread.h"

/* Sets @call->start_ns. */
void tt_record_native_begin (TtRecordThread *thread, TtRecordCall *call);
void tt_record_native_end (TtRecordThread *thread, const TtRecordCall *call, int32_t result, uint64_t end_ns);
