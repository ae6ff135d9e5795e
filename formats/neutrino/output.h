/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNlOutput: the text of all sections, as a back end fills it and toml.c writes it. One instruction a line, without a
 * newline at the end.
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

void tt_nl_output_init (TtNlOutput *self, const TtNlUnit *unit);
void tt_nl_output_clear (TtNlOutput *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtNlOutput, tt_nl_output_clear)

/* Puts @head before the text of the section, for declarations. */
void tt_nl_output_prepend (TtNlOutput *self, guint section, const GString *head);
/* Appends a line, after a newline unless it is the first. */
void tt_nl_line (GString *text, const char *format, ...) G_GNUC_PRINTF (2, 3);
