/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNameParts: a standard name, op_cat.op_name[.sub_op][~>suffix], in its parts.
 *
 * Names travel in parts from the store's columns to the tables; nothing splits the text of a name again. Only names
 * that come from files as one text (the graph of a model, trail_dag.gml) are parsed, and only here.
 */
#pragma once

#include <glib.h>

typedef struct
{
  const char *op_cat;  /* "Comm" */
  const char *op_name; /* "3+4"; NULL: the text had no dot */
  const char *sub_op;  /* "SEND"; NULL: none */
  const char *suffix;  /* "0_1_6_0"; NULL: none */
} TtNameParts;

/* The parts of @text, copied into @chunk: "Comm.3+4.SEND~>0_1_6_0", "UPDATE_.x", "UPDATE_CAL", "OUTPUT0", "I/O_1".
 * Our own names have no dot in op_name; where a foreign one has, sub_op follows the last dot. */
TtNameParts tt_name_parts_parse (const char *text, GStringChunk *chunk);
/* @parts with texts that live as long as @chunk. */
TtNameParts tt_name_parts_copy (const TtNameParts *parts, GStringChunk *chunk);
