/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files beside the calls of a recording (pi.md section 7).
 */
#pragma once

#include <glib.h>

/* replay_config.json, whole. @record_mode: "traceOnly", "default", "full". */
typedef struct
{
  const char *command, *executable, *record_mode;
  char *const *arguments; /* NULL-ended */
  gboolean has_opencl, has_level_zero, has_cuda, has_rocm;
} TtPiReplayConfig;

gboolean tt_pi_write_config (const char *directory, const TtPiReplayConfig *config, GError **error);
/* files_config.json; @files of char *. */
gboolean tt_pi_write_files (const char *directory, const GPtrArray *files, GError **error);
/* replay_file_map.json; @map: original path -> name in pack/, in order of the paths. */
gboolean tt_pi_write_map (const char *directory, GTree *map, GError **error);
/* env: a line each. */
gboolean tt_pi_write_environment (const char *directory, char *const *environment, GError **error);

/* @name=@value in the environment, where it may stand already: in front of that, with @separator between; NULL: in its
 * place. Takes and gives back the environment. */
char **tt_pi_environment_add (char **environment, const char *name, const char *value, const char *separator);

/* Whether the native recording in @directory is of the Unified Runtime, by the first call of each thread. */
gboolean tt_pi_recording_is_ur (const char *directory);

/* Deletes a directory with all in it, following no links. */
gboolean tt_pi_delete_directory (const char *path, GError **error);
