/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStragglers as bytes, for another process that reads the same run.
 */
#pragma once

#include "analyzers/imbalance/stragglers.h"
#include "src/base/packed.h"

void tt_stragglers_pack (const TtStragglers *self, GByteArray *bytes);
/* What cannot be right is bad. */
TtStragglers *tt_stragglers_unpack (TtUnpack *from);
/* Whether all that it names is in @store. */
gboolean tt_stragglers_are_known (const TtStragglers *self, TtStore *store);
