/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The flags with which a call makes a queue: of PI a number or a list of names and values, of UR a structure.
 */
#pragma once

#include "formats/pi/call.h"

#define TT_PI_QUEUE_OUT_OF_ORDER 1u
#define TT_PI_QUEUE_PROFILING 2u

/* FALSE: the recording does not have them. */
gboolean tt_pi_queue_flags (const TtPiCall *call, guint64 *flags);
