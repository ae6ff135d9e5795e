/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instants, and spans on no stack, of tracetool's own archives: parameters whose attributes tell what they are.
 */
#pragma once

#include "formats/otf2/location.h"

/* What the attributes of the event that is taken tell of a span or an instant. */
void tt_otf2_moment_tell (const TtOtf2Location *self, TtNestSpan *span);
/* FALSE: @event is a parameter and no more. */
gboolean tt_otf2_moment_take (TtOtf2Location *self, const TtOtf2Event *event);
