/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of ProbeSource share: the tree of a random program.
 */
#pragma once

#include "tests/formats/probe-source.h"

#define MOST_VARIABLES 6u
#define N_ELEMENTS 3u /* of the array, whose values are behind those of the variables */
#define N_COMPARE 6u

typedef enum
{
  NODE_CONSTANT,
  NODE_VARIABLE,
  NODE_HELPER,
  NODE_TIME,
  NODE_CLOCK,
  NODE_SMID,
  NODE_CAST,
  NODE_POPC,
  NODE_SEXT,
  NODE_FLOAT,        /* an f32 or f64: bits in a */
  NODE_FLOAT_NUMBER, /* a decimal: bits in value */
  NODE_FLOAT_CHOICE,
  NODE_FLOAT_COMPARE, /* of floats a and b that have `width` bits */
  NODE_FLOAT_CUT,     /* a to an integer; op 1: with a sign; 2: its bits */
  NODE_ELEMENT,       /* of the array: a says which */
  NODE_UNARY,
  NODE_BINARY,
  NODE_CHOICE,
  NODE_COMPARE,
  NODE_AND,
  NODE_OR,
  NODE_NOT,
} NodeKind;

/* A width of 0 is that of a constant: any that it fits. */
typedef struct _Node Node;
struct _Node
{
  NodeKind kind;
  guint width;
  guint64 value; /* of a constant; index of a variable or helper */
  guint op, style;
  Node *a, *b, *c;
};

typedef enum
{
  STEP_ASSIGN,
  STEP_IF,
  STEP_SAVE,
} StepKind;

typedef struct _Step Step;
struct _Step
{
  Step *next;
  StepKind kind;
  guint variable, width;
  Node *index;    /* an element of the array is assigned */
  guint op;       /* of an augmented assignment; N_BINARY: a plain one */
  Node *value;    /* what is assigned, or the condition */
  Node *items[4]; /* what is saved, NULL-ended */
  Step *then, *otherwise;
};

enum
{
  FIRST_DIVISION = 3,
  FIRST_AND = 6,
  OP_OR = 7,
  FIRST_SHIFT = 9,
  N_BINARY = 11,
};

struct _ProbeSource
{
  GRand *rand;
  TtNlDialect dialect;
  GString *text;
  TtNlArena *arena;
  guint n_variables;
  guint widths[MOST_VARIABLES];
  guint64 initial[MOST_VARIABLES + N_ELEMENTS];
  guint element_width;
  Step *steps[3]; /* at the beginning, at the instruction, at the end */
  gboolean at_instruction, may_save;
};

/* The text of decimal @i, in NODE_FLOAT_NUMBER.op. */
const char *probe_source_decimal (guint64 i);
/* @step and what follows it, at @indent blanks. */
void probe_source_print (const ProbeSource *self, const Step *step, int indent, GString *text);
