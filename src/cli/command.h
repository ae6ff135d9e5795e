/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCommand: one command = one file = one descriptor, listed in commands.c.
 */
#pragma once

#include "src/base/error.h"
#include "src/cli/message.h"
#include "src/cli/option-values.h"

typedef struct _TtCommand TtCommand;

/* The options before the command. */
typedef struct
{
  const char *db_path;              /* --db, $TRACETOOL_DB, or trace.db */
  gboolean db_given;                /* by --db */
  const char *run;                  /* --run, or NULL */
  const char *clock;                /* --clock, or NULL */
  const TtCommand *const *commands; /* all, for what speaks of the others */
} TtContext;

struct _TtCommand
{
  const char *name;                 /* of a member of a group with the group's: "pi print" */
  const char *alias;                /* another name that works, or NULL */
  const char *summary;              /* one line for `tracetool --help` */
  const char *usage;                /* arguments after the options: "PATH..." */
  const char *details;              /* paragraphs for --help, or NULL; their lines are joined and wrapped anew */
  const char *example;              /* true command lines, one per line, run by a test */
  gboolean ignores_clock;           /* so does --clock, as where --run does */
  gboolean ignores_db, ignores_run; /* --db, --run mean nothing to it: its help leaves them out */
  const char *chooses;              /* what --run is to it, a list of runs; NULL: the run to read */
  /* @argv[0] is the command. Returns the exit status; -1 with @error for main to print. */
  int (*run) (const TtContext *context, int argc, char **argv, GError **error);
  /* Of its options, for completion: ends with an @option of NULL; NULL: only what all commands have. */
  const TtOptionValues *values;
  /* NULL-ended. A command with members is a group: it has neither `run` nor options, only the words that follow it. */
  const TtCommand *const *members;
};

extern const TtCommand tt_command_import, tt_command_remove, tt_command_convert, tt_command_info, tt_command_stats,
    tt_command_comm, tt_command_steps, tt_command_breakdown, tt_command_imbalance, tt_command_waits, tt_command_kernels,
    tt_command_compare, tt_command_tree, tt_command_params, tt_command_nccl, tt_command_depgraph,
    tt_command_critical_path, tt_command_export, tt_command_query, tt_command_simulate, tt_command_config,
    tt_command_pi, tt_command_pi_print, tt_command_pi_record, tt_command_pi_pack, tt_command_pi_drive,
    tt_command_pi_replay, tt_command_pi_unpack, tt_command_plot, tt_command_report, tt_command_probe,
    tt_command_probe_compile, tt_command_probe_record, tt_command_probe_run, tt_command_probe_weave,
    tt_command_completion;

extern const TtCommand *const tt_commands[]; /* NULL-ended */

/* The word of @command that is typed last: "print" of "pi print". */
const char *tt_command_word (const TtCommand *command);
/* By name or alias among @commands; NULL: none. */
const TtCommand *tt_command_find (const TtCommand *const *commands, const char *word);
/* Goes down from the group @command by the words of @argv, which it consumes, to the command to run. NULL: @status is the
 * exit status (help was printed, on stderr if the word of a member is missing), or -1 with @error. */
const TtCommand *tt_command_descend (const TtCommand *command, int *argc, char ***argv, int *status, GError **error);

/* --db, --run and --clock may also follow the command: tt_command_parse() then puts them into @context, where they
 * stand until another is bound. */
void tt_command_bind (TtContext *context);

/* Parses @entries and the options of every command; handles --help. FALSE: exit with *status (0 after
 * help) or @error. Remaining arguments stay in argv. */
gboolean tt_command_parse (const TtCommand *command,
                           const GOptionEntry *entries,
                           int *argc,
                           char ***argv,
                           int *status,
                           GError **error);

/* Calls @visit for each option of @command that its help shows; the entry lives until @visit returns. */
typedef void (*TtOptionVisit) (const GOptionEntry *entry, gpointer data);
void tt_command_list_options (const TtCommand *command, TtOptionVisit visit, gpointer data);
