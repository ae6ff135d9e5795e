/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

static const TtCommand *const members[] = { &tt_command_probe_compile, &tt_command_probe_record, &tt_command_probe_run,
                                            &tt_command_probe_weave, NULL };

const TtCommand tt_command_probe = {
  .name = "probe",
  .summary = "Probes for GPU kernels: programs in neutrino.language",
  .details = "A probe says in a few lines of Python's syntax what to measure at the beginning and end of a kernel, or\n"
             "at its instructions; docs/probes.md describes the language.",
  .members = members,
};
