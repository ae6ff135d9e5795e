/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNlUnit: one checked source file, and what later stages make of it.
 *
 *   tokens -> tree (parser) -> unit (checks) -> lists of instructions (lower) -> sections -> text (ptx, gcn) -> TOML
 *
 * Everything in it belongs to its arena or to its arrays. Order is that of the source everywhere.
 */
#pragma once

#include "formats/neutrino/arena.h"
#include "formats/neutrino/ir.h"
#include "formats/neutrino/messages.h"
#include "formats/neutrino/types.h"

typedef struct
{
  const char *name;
  TtNlWidth width;
  guint64 initial;
  guint32 offset;
  gboolean is_bad;        /* its declaration is wrong: it is kept only so that nothing more is reported about it */
  gboolean needs_initial; /* may be read before it is written */
  const char *copy;       /* name of the 32-bit register for a save() of it; NULL: none is needed */
} TtNlVariable;

typedef struct
{
  const char *name;
  TtNlWidth width;
} TtNlMapField;

typedef struct
{
  const char *name;
  guint32 offset;
  TtNlLevel level;
  guint64 size; /* bytes of one record */
  guint64 cap;  /* records for a thread or warp; 0: as many as a first launch counts */
  guint n_fields;
  TtNlMapField *fields; /* in memory: those of 64 bits first */
  guint *field_of;      /* which field an argument of save() goes to */
  gboolean is_bad;      /* its declaration is wrong: nothing more is reported about it */
} TtNlMap;

typedef struct
{
  const char *name;
  guint32 offset;
  TtNlLevel level;
  const char *position;
  gboolean is_kernel; /* not at instructions */
  gboolean is_before;
  guint64 size; /* bytes that it saves; seed's dialect only */
  guint64 cap;  /* as of a map; seed's dialect only */
  TtNlStatement *body;
  TtNlCode *code;
} TtNlProbe;

/* Probes of one level and position: a table of the output. */
typedef struct
{
  const char *name;
  TtNlLevel level;
  const char *position;
  gboolean is_kernel;
  guint64 size, cap;
  GPtrArray *before, *after; /* of TtNlProbe */
} TtNlSection;

typedef struct
{
  TtNlArena *arena;
  TtNlMessages *messages;
  TtNlDialect dialect;
  const char *callback;
  GArray *variables;     /* of TtNlVariable */
  GPtrArray *maps;       /* of TtNlMap */
  GPtrArray *probes;     /* of TtNlProbe */
  GPtrArray *sections;   /* of TtNlSection */
  gboolean keeps_guards; /* PTX: a save under a condition has a guard, no jump around it */
  gboolean is_scalar;    /* PTX: each value is stored alone, so that records may have any size */
  guint home;            /* the section whose `before` begins with declarations and initial values */
} TtNlUnit;

/* Both are borrowed. */
TtNlUnit *tt_nl_unit_new (TtNlArena *arena, TtNlMessages *messages);
void tt_nl_unit_free (TtNlUnit *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNlUnit, tt_nl_unit_free)

/* The name of the 32-bit register that saves of a variable of 64 bits go through. */
const char *tt_nl_unit_copy_name (TtNlUnit *self, guint index);

#define tt_nl_unit_variable(self, i) (&g_array_index ((self)->variables, TtNlVariable, (i)))
#define tt_nl_unit_map(self, i) ((TtNlMap *) g_ptr_array_index ((self)->maps, (i)))
#define tt_nl_unit_probe(self, i) ((TtNlProbe *) g_ptr_array_index ((self)->probes, (i)))
#define tt_nl_unit_section(self, i) ((TtNlSection *) g_ptr_array_index ((self)->sections, (i)))

/* The largest value of @width bits. */
static inline guint64
tt_nl_mask (guint width)
{
  return width == TT_NL_U32 ? G_MAXUINT32 : G_MAXUINT64;
}
