#include "config.h"

#include "src/command.h"

static const TtCommand *const members[] = {
  &tt_command_pi_record,
  NULL,
};

const TtCommand tt_command_pi = {
  .name = "pi",
  .summary = "Calls of DPC++ runtimes to their plugins: record, pack, replay",
  .ignores_db = TRUE,
  .ignores_run = TRUE,
  .members = members,
};
