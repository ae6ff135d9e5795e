/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the command says of the recording, in the environment, which is read once; and what ids mean: of PI the list of
 * the runtime that made the recording, of UR see tt_replay_id_of().
 */
#pragma once

#include "formats/pi/api.h"

#include <stdbool.h>
#include <stddef.h>

/* Said once, before any call; PI if it is not said. */
void tt_replay_set_api (TtPiApi api);
TtPiIds tt_replay_ids (void);
/* Whether calls of no known backend were made to plugins that are not replaced. */
bool tt_replay_has_others (void);
/* Whether recorded handles are sure. */
bool tt_replay_has_handles (void);
/* Of all functions in the recording: the runtime's table may end there. */
uint32_t tt_replay_highest_id (void);
/* The name under that list: "piQueueCreate"; "pi#300", written to @room, where it has none. */
const char *tt_replay_name (uint32_t id, char *room, size_t size);
