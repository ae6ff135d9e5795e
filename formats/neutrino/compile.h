/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNlProgram: a source in neutrino.language, compiled.
 *
 *   g_autoptr (TtNlProgram) program = tt_nl_program_new ("probe.py", text, len);
 *   if (!tt_nl_program_is_good (program) || !tt_nl_program_write (program, target, toml))
 *     tt_nl_program_print_messages (program, messages);
 *
 * The source is parsed, never run. Its language, and what it becomes, is described in docs/probes.md.
 */
#pragma once

#include "formats/neutrino/layout.h"
#include "formats/neutrino/target.h"

typedef struct _TtNlProgram TtNlProgram;

/* @name: of the source, for messages. The text is copied. */
TtNlProgram *tt_nl_program_new (const char *name, const char *text, gsize len);
void tt_nl_program_free (TtNlProgram *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNlProgram, tt_nl_program_free)

/* FALSE: there are errors, and nothing but messages. */
gboolean tt_nl_program_is_good (const TtNlProgram *self);
/* Errors and warnings. */
void tt_nl_program_print_messages (const TtNlProgram *self, GString *text);

const TtNlUnit *tt_nl_program_unit (const TtNlProgram *self);
/* On PTX a save under a condition has a guard ("@%np0 SAVE"), which Neutrino's engines drop, instead of a jump. */
void tt_nl_program_keep_guards (TtNlProgram *self);
/* On PTX for an injector that stores each value alone: records may have any size. */
void tt_nl_program_be_scalar (TtNlProgram *self);
/* Appends the TOML for @target. FALSE: the machine is too small for it, or an engine would not take
 * it, which is an error in its messages. */
gboolean tt_nl_program_write (TtNlProgram *self, const TtNlTarget *target, GString *toml);
/* The records that the program saves. */
TtNlLayout *tt_nl_program_layout (const TtNlProgram *self);
