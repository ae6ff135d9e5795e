/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The formats of a report: each writes all rows, header first. table.c has those for people, data.c those for programs.
 */
#pragma once

#include "src/base/report/report.h"
#include "src/base/report/target.h"

void tt_report_write_table (const TtReport *self, guint width, gboolean bold, TtReportTarget *target);
void tt_report_write_markdown (const TtReport *self, TtReportTarget *target);
/* csv or tsv */
void tt_report_write_separated (const TtReport *self, TtReportFormat format, TtReportTarget *target);
void tt_report_write_json (const TtReport *self, TtReportTarget *target);
