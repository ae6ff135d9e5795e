/*
 * Back ends: lists of instructions to the text of an assembler.
 *
 * A back end fills one TtNlOutput; toml.c writes it down. Text is one instruction a line, without a newline at the end.
 */
#pragma once

#include "formats/neutrino/unit.h"

typedef struct
{
  GString *before, *after; /* empty: there is none */
} TtNlSectionText;

typedef struct
{
  GString *comment;          /* of the whole file; empty: none */
  guint n_registers;         /* that the current dialect's injector declares */
  TtNlSectionText *sections; /* one for each of the unit */
  guint n_sections;
} TtNlOutput;

typedef struct _TtNlTarget TtNlTarget;
struct _TtNlTarget
{
  const char *name;
  const char *alias;        /* another name that works, or NULL */
  gboolean has_die_id;      /* a unit's number is unique only with that of its die */
  guint n_vector, n_scalar; /* registers that a program may have */
  /* FALSE: an error was said in the unit's messages. */
  gboolean (*emit) (const TtNlTarget *target, const TtNlUnit *unit, TtNlOutput *output);
};

/* By name or alias; NULL with @error if there is none. */
const TtNlTarget *tt_nl_target_find (const char *name, GError **error);

gboolean tt_nl_ptx_emit (const TtNlTarget *target, const TtNlUnit *unit, TtNlOutput *output);
gboolean tt_nl_gcn_emit (const TtNlTarget *target, const TtNlUnit *unit, TtNlOutput *output);

void tt_nl_output_init (TtNlOutput *self, const TtNlUnit *unit);
void tt_nl_output_clear (TtNlOutput *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtNlOutput, tt_nl_output_clear)

/* For the section of declarations: @head comes before what is there. */
void tt_nl_output_prepend (TtNlOutput *self, guint section, const GString *head);
/* A line, and a newline before it unless it is the first. */
void tt_nl_line (GString *text, const char *format, ...) G_GNUC_PRINTF (2, 3);
