/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2Facts: values and attributes of events as arguments (JSON): references as the names they stand for.
 */
#pragma once

#include "formats/otf2/session.h"

/* The id of the arguments that hold the values of @event and its attributes; 0: it has none. */
guint64 tt_otf2_event_args (TtOtf2Session *self, const TtOtf2Event *event);
/* Its attributes alone. */
guint64 tt_otf2_attribute_args (TtOtf2Session *self, const TtOtf2Event *event);
/* Alike for attributes that are; 0: it has none. */
guint64 tt_otf2_attributes_mark (const TtOtf2Event *event);
/* {"left_as": "solve"}: the region of a leave that ends a span of another name. */
guint64 tt_otf2_left_args (TtOtf2Session *self, guint64 region);
/* A parameter's name and value. */
guint64 tt_otf2_parameter_args (TtOtf2Session *self, const TtOtf2Event *event);
/* {"path": "main/solve", ...}: the calling context @id. */
guint64 tt_otf2_sample_args (TtOtf2Session *self, const TtOtf2Event *event);
