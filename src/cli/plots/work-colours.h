/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names and colours of classes of work: the same in all pictures.
 */
#pragma once

#include "analyzers/work-class.h"
#include "pictures/frame.h"

/* By TtWorkClass; the last is what is idle. */
extern const TtLegendEntry tt_work_colours[TT_N_WORK_CLASSES + 1];
