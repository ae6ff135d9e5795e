/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the process that decodes a trace may take. Lengths in a damaged trace ask for any amount; what is sound needs
 * memory and time in proportion to the bytes that are there (docs/limits.md).
 */
#pragma once

#include <glib.h>

/* They replace what is computed; the unit is in the name. */
#define TT_CTF_MEMORY_VARIABLE "TRACETOOL_CTF_MEMORY_MIB"
#define TT_CTF_SECONDS_VARIABLE "TRACETOOL_CTF_SECONDS"

typedef struct
{
  guint64 bytes;   /* of the files of the trace */
  guint64 memory;  /* bytes that may be allocated */
  guint64 mapped;  /* bytes of address space, with libraries and mapped files */
  guint64 seconds; /* of processor time */
} TtCtfLimits;

/* Of the trace in the directory @path. */
TtCtfLimits tt_ctf_limits_of (const char *path);
/* For this process. */
void tt_ctf_limits_set (const TtCtfLimits *self);
