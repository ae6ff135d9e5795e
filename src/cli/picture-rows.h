/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The numbers of a picture for programs: a row of each shape that has some, from its attributes data-*, in the order in
 * which they were drawn. A column is an attribute of any of them.
 */
#pragma once

#include "src/base/report/report.h"

/* Declares the columns and adds the rows; @svg: a picture of pictures/. Returns how many rows. */
guint tt_picture_rows (const char *svg, TtReport *report);
