/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Standard names for raw names of MXNet's profiler.
 *
 * "conv0_fwd" is FW.conv0, "conv0_backward" BW.conv0, the imperative "Convolution" FW.Convolution and
 * "_backward_Convolution" BW.Convolution; of "...name=conv0_fwd;..." only that name counts. What the engine does by
 * itself (copies, waits, freeing) is no operator of the model: MEM and SYNC.
 */
#pragma once

#include <glib.h>

typedef enum
{
  TT_MXNET_OPERATOR,    /* FW or BW */
  TT_MXNET_UPDATE,      /* has "update" in its name: UPDATE_<k>, unless it is a node of the graph */
  TT_MXNET_CALCULATION, /* "dot", "add_n": part of UPDATE_CAL where it stands after the last BW of a graph */
  TT_MXNET_ENGINE,
} TtMxnetKind;

typedef struct
{
  TtMxnetKind kind;
  const char *op_cat; /* static; FW for an update and a calculation, where they turn out to be nodes */
  const char *sub_op; /* static, or NULL */
} TtMxnetName;

/* Puts the op_name of @raw into @op_name; never empty unless @raw is. */
TtMxnetName tt_mxnet_name (const char *raw, GString *op_name);

/* A name of an output or argument (symbol_debug_str.txt, metadata.json) as standard name: "conv0_output" is FW.conv0,
 * "data" I/O_, "data0" I/O_0, "conv0_weight" Comm.conv0_weight. Free it. */
char *tt_mxnet_output_name (const char *output);
