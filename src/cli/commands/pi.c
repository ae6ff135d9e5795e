/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

static const TtCommand *const members[] = {
  &tt_command_pi_print,
  &tt_command_pi_record,
  &tt_command_pi_replay,
  &tt_command_pi_drive,
  &tt_command_pi_pack,
  &tt_command_pi_unpack,
  NULL,
};

const TtCommand tt_command_pi = {
  .name = "pi",
  .summary = "Recordings of DPC++ PI and Unified Runtime calls",
  .members = members,
};
