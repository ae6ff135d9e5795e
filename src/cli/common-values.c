/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/common-values.h"

#include "formats/pi/options.h"
#include "src/base/report/report.h"
#include "src/base/units.h"
#include "src/cli/config-apply.h"
#include "src/cli/export-options.h"
#include "src/cli/import-options.h"
#include "src/select/filter.h"

static const char *const run_words[] = { "all", NULL };
static const char *const clock_words[] = { "original", "linear", "logical", NULL };
static const char *const args_words[] = { "all", "none", NULL };

static char **
list_filter_fields (const TtValuesQuestion *question)
{
  return tt_filter_fields ();
}

const TtOptionValues tt_common_values[] = {
  { "run", TT_VALUES_ONE, run_words },
  { "clock", TT_VALUES_ONE, clock_words },
  { "unit", TT_VALUES_ONE, tt_unit_choice_words },
  { "format", TT_VALUES_ONE, tt_report_format_words },
  { "filter", TT_VALUES_FIELDS, .list = list_filter_fields },
  { "args", TT_VALUES_ONE, args_words },
  { "names", TT_VALUES_ONE, tt_export_names_words },
  { "step-rule", TT_VALUES_ONE, tt_step_rule_words },
  { "pi-generation", TT_VALUES_ONE, tt_pi_generation_words },
  { "pi-ids", TT_VALUES_ONE, tt_pi_ids_words },
  { "config-others", TT_VALUES_ONE, tt_config_others_words },
  { "missing-punit", TT_VALUES_ONE, tt_missing_punit_words },
  { "pinsight", TT_VALUES_ONE, tt_pinsight_words },
  { NULL },
};
