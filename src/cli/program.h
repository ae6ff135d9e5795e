/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program, for its main().
 */
#pragma once

/* Runs the command of @argv as `tracetool` does; the exit status. Errors are told on standard error. */
int tt_program (int argc, char **argv);
