/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of ids of the runtime that made the recording, from TRACETOOL_PI_IDS.
 */
#pragma once

#include "formats/pi/api.h"

#include <stddef.h>

TtPiIds tt_replay_ids (void);
/* The name under that list: "piQueueCreate"; "pi#300", written to @room, where it has none. */
const char *tt_replay_name (uint32_t id, char *room, size_t size);
