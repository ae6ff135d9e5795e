/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The third stage: the syntax tree to a unit, with every name resolved and every width known.
 *
 * The checks rewrite the tree in place (names become variables, calls become functions and casts, constants are
 * folded), so that lowering has nothing left to find out. All mistakes are reported; a unit with errors goes no
 * further.
 */
#pragma once

#include "formats/neutrino/syntax.h"
#include "formats/neutrino/unit.h"

typedef struct
{
  TtNlUnit *unit;
  TtNlMessages *messages;
  const char *space;                 /* the name of neutrino.language: "nl"; NULL: not imported */
  const char *probe_word, *map_word; /* as imported from neutrino; NULL: not */
  GHashTable *names;                 /* of variables -> index + 1; of an array that of its first element */
  GHashTable *arrays;                /* by name -> how many elements */
  GHashTable *maps, *probes;         /* by name -> index + 1 */
  GHashTable *unknown;               /* undeclared names already reported */
  gboolean has_dialect;
  const TtNlProbe *probe; /* whose body is checked */
} TtNlCheck;

/* Fills @unit from @items. */
void tt_nl_check (TtNlUnit *unit, TtNlItem *items);

/* -- between the files of the checks -- */

/* The text of NAME.text, if NAME is the namespace; else NULL. */
const char *tt_nl_check_space_name (const TtNlCheck *self, const TtNlExpr *expr);
/* nl.u32 or nl.u64: the width; 0: neither. */
guint tt_nl_check_width (const TtNlCheck *self, const TtNlExpr *expr);

/* FALSE: an error was reported. */
gboolean tt_nl_check_value (TtNlCheck *self, TtNlExpr *expr);
/* Also one that is an f32 or f64: expr->is_float. */
gboolean tt_nl_check_any (TtNlCheck *self, TtNlExpr *expr);
/* That a float has @width bits. */
gboolean tt_nl_check_float_width (TtNlCheck *self, const TtNlExpr *expr, guint width);
/* 1.5 or -1.5, and those or integers; not checked yet. */
gboolean tt_nl_is_decimal (const TtNlExpr *expr);
gboolean tt_nl_is_number (const TtNlExpr *expr);
/* Makes such a number the nearest float of @width bits. */
gboolean tt_nl_make_float (TtNlCheck *self, TtNlExpr *expr, guint width);
/* That a value is no float; that both sides of @expr, which becomes one then, are floats of a width or none. */
gboolean tt_nl_check_no_float (TtNlCheck *self, const TtNlExpr *expr);
gboolean tt_nl_join_floats (TtNlCheck *self, TtNlExpr *expr);
/* nl.bits (@value), nl.f32 (@value) and nl.f64 (@value) of what is checked. */
gboolean tt_nl_float_bits (TtNlCheck *self, TtNlExpr *expr, const TtNlExpr *value);
gboolean tt_nl_float_read (TtNlCheck *self, TtNlExpr *expr, TtNlExpr *value, guint width);
/* Makes @expr the integer that the float @value is cut to: of 64 bits (ZEXT), of 32 (TRUNC), with a sign (SEXT). */
void tt_nl_check_from_float (TtNlCheck *self, TtNlExpr *expr, TtNlExpr *value, TtNlOp op);
gboolean tt_nl_check_condition (TtNlCheck *self, TtNlExpr *expr);
/* Checks that a constant @expr fits @width bits; the error is reported at @offset. */
gboolean tt_nl_check_fits (TtNlCheck *self, const TtNlExpr *expr, guint width, guint32 offset);
/* Index + 1, or 0 after an error. */
guint tt_nl_check_variable (TtNlCheck *self, const char *name, guint32 offset);

gboolean tt_nl_check_is_array (const TtNlCheck *self, const char *name);
/* Of an array with an index that is checked: the first element, and how many there are; with a constant index that
 * element, and 0. FALSE: an error was reported. */
gboolean tt_nl_check_element (TtNlCheck *self, const char *name, const TtNlExpr *index, guint *first, guint *n);
/* NAME: nl.u32[N]: how many; 1: it is no array. 0: an error was reported. */
guint tt_nl_check_array_size (TtNlCheck *self, const TtNlExpr *annotation);

void tt_nl_check_body (TtNlCheck *self, TtNlStatement *body);
/* Bytes saved by the probes, once the sections are known. */
void tt_nl_check_sizes (TtNlUnit *unit);

/* Arguments of "@nl.probe (...)", "@probe (...)", "@Map (...)". */
gboolean tt_nl_check_probe_decorator (TtNlCheck *self, const TtNlItem *item, TtNlProbe *probe);
gboolean tt_nl_check_map_decorator (TtNlCheck *self, const TtNlItem *item, TtNlMap *map);
