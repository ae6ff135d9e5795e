/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fine category of an operation, as name2sta and cat2sta name it: "operator.FW", "Comm.RECV", "I/O".
 */
#pragma once

#include "src/store/store.h"

/*
 * From op_cat and sub_op: FW, BW, UPDATE_, OUTPUT, COMP are operator.*, Comm is Comm.SEND, RECV, PUSH_REQ, PUSH_RES,
 * PULL_REQ, PULL_RES or other; I/O, ServerOp and virtual are themselves. Of an op_cat that standard names do not have
 * (neither these nor MEM, SYNC, RT, which are themselves too) the words are
 * searched for in the whole name. Static or interned.
 */
const char *tt_fine_category (const TtStoredName *name);
