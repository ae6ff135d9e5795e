/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

/*
 * The master list: `tracetool --help` and the completion follow its order.
 * To add a command: write src/cli/commands/NAME.c, declare it in command.h, list it here and in src/cli/local.mk.
 */
const TtCommand *const tt_commands[] = {
  &tt_command_import,
  &tt_command_remove,
  &tt_command_convert,
  &tt_command_info,
  &tt_command_stats,
  &tt_command_tree,
  &tt_command_comm,
  &tt_command_steps,
  &tt_command_breakdown,
  &tt_command_imbalance,
  &tt_command_waits,
  &tt_command_kernels,
  &tt_command_compare,
  &tt_command_params,
  &tt_command_nccl,
  &tt_command_depgraph,
  &tt_command_critical_path,
  &tt_command_simulate,
  &tt_command_report,
  &tt_command_plot,
  &tt_command_export,
  &tt_command_query,
  &tt_command_config,
  &tt_command_pi,
  &tt_command_probe,
  &tt_command_completion,
  NULL,
};
