/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The members of `tracetool config`.
 */
#pragma once

#include "src/cli/command.h"

extern const TtCommand tt_command_config_check, tt_command_config_show, tt_command_config_explain,
    tt_command_config_fmt, tt_command_config_suggest;

/* --domains, which all have. */
#define TT_CONFIG_DOMAINS_ENTRY(place)                                                                          \
  {                                                                                                             \
    "domains", 0, 0, G_OPTION_ARG_FILENAME, (place), "More domains, units and events than PInsight has", "FILE" \
  }
