/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One-sided operations: puts, gets and atomic operations on a window.
 *
 * On a host each is a message of which only its own side tells; the communicator is the window's, the tag the window. On a stream of an
 * accelerator it is a copy until it completes.
 */
#pragma once

#include "formats/otf2/location.h"

/* The messages of a put, get or atomic operation. */
void tt_otf2_transfer_tell (TtOtf2Location *self, const TtOtf2Event *event);
/* The far side of one in a tracetool archive, if that is what the event tells of; FALSE: it is not. */
gboolean tt_otf2_transfer_tell_pair (TtOtf2Location *self);
/* A copy begins, or ends. */
void tt_otf2_transfer_begin_copy (TtOtf2Location *self, const TtOtf2Event *event);
/* FALSE: none is open. */
gboolean tt_otf2_transfer_end_copy (TtOtf2Location *self, const TtOtf2Event *event);
