/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Begins and ends of spans: which end belongs to which begin, and where to close spans that have none.
 */
#pragma once

#include "formats/ctf/session.h"

void tt_ctf_begin_span (TtCtfSession *self, TtCtfThread *thread, TtCtfBinding *binding, const TtCtfEvent *event);
void tt_ctf_end_span (TtCtfSession *self, TtCtfThread *thread, TtCtfBinding *binding, const TtCtfEvent *event);
