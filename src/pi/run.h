/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a program with a prepared environment and waits for it; on the way it sees which files the program and its
 * children open (ptrace with a seccomp filter, so that only those system calls stop), or has them open others.
 *
 * Where ptrace is not allowed the program runs all the same, and TtPiRan says why nothing was seen.
 */
#pragma once

#include <glib.h>

typedef struct
{
  const char *executable; /* to execute */
  char *const *argv, *const *envp;
  gboolean watch;          /* list what is opened */
  const char *ignore;      /* a directory whose files are not listed; NULL: none */
  GHashTable *redirects;   /* path -> the file to open in its place; NULL: none */
  GHashTable *redirect_so; /* base name -> the same for shared libraries found elsewhere; NULL: none */
} TtPiRun;

typedef struct
{
  int wait_status;
  char *unseen;     /* why no files were seen, or none redirected; NULL: all was well */
  GPtrArray *files; /* of char *: absolute paths in the order of opening, failed ones and repetitions too */
} TtPiRan;

/* FALSE with @error: the program could not be started. */
gboolean tt_pi_run (const TtPiRun *self, TtPiRan *ran, GError **error);
void tt_pi_ran_clear (TtPiRan *ran);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtPiRan, tt_pi_ran_clear)

/* The exit status to pass on. *@ending: "was killed by signal 11 (Segmentation fault)"; NULL: the program ended by
 * itself. Free it. */
int tt_pi_exit_status (int wait_status, char **ending);
