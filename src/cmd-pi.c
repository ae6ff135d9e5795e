#include "config.h"

#include "src/command.h"

static const TtCommand *const members[] = {
  &tt_command_pi_print,
  &tt_command_pi_record,
  NULL,
};

const TtCommand tt_command_pi = {
  .name = "pi",
  .summary = "Recordings of DPC++ PI and Unified Runtime calls",
  .members = members,
};
