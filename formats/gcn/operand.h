/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operands and modifiers of one instruction.
 */
#pragma once

#include "formats/gcn/module.h"

/* What follows the name of @instruction. NULL: all was read; else what could not be. */
char *tt_gcn_operands_read (TtGcnModule *self, const char *text, TtGcnInstruction *instruction);
