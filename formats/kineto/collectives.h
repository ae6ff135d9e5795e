/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of collectives in PyTorch's traces: TtCollectiveReader.
 *
 * Arguments of record_param_comms, and of the kernels that it starts (PyTorch 2.3 and later): torch/csrc/profiler/util.h
 * has their keys, libkineto/src/output_json.cpp writes them. Element counts are of the whole tensors of this rank. The
 * backends without a device (gloo:all_reduce and so on) have an annotation around the transfer, with the shape of the
 * input if shapes were recorded.
 */
#pragma once

#include "src/trace/collective-facts.h"

void tt_kineto_read_collective (const char *op_cat,
                                const char *native_group,
                                const char *raw_name,
                                const char *sub_op,
                                const char *args,
                                gsize args_len,
                                TtCollectiveFacts *facts);
