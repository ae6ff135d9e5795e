/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtGpuProbe: a compiled probe (TOML for PTX, of either dialect), as the weaver and the launch need it.
 *
 * A section is code at a position; a map is memory for records. In the seed's dialect a section that saves is its own
 * map.
 */
#pragma once

#include "formats/neutrino/layout.h"

#include <glib.h>

#define TT_GPU_MAX_MAPS 64u

typedef struct
{
  char *name;
  gboolean is_warp;
  guint64 record_bytes;
  guint64 cap;    /* records of a thread or warp; 0: counted by a first launch */
  guint *offsets; /* of fields in a record, in the order of SAVE; the seed's dialect has none */
  guint *widths;
  guint n_fields;
} TtGpuMap;

typedef struct
{
  char *name;
  gboolean is_warp, is_kernel;
  char **parts;         /* of the position */
  gboolean is_narrow;   /* ADDR has 32 bits */
  char *before, *after; /* NULL: none */
  int map;              /* seed's dialect: of its own; -1: none */
} TtGpuSection;

typedef struct
{
  char *toml;
  GPtrArray *sections; /* of TtGpuSection */
  GPtrArray *maps;     /* of TtGpuMap */
  guint64 n_registers; /* %NR, of the current dialect */
} TtGpuProbe;

/* @name: of the file, for messages. */
TtGpuProbe *tt_gpu_probe_new (const char *name, const char *toml, gsize len, GError **error);
void tt_gpu_probe_free (TtGpuProbe *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtGpuProbe, tt_gpu_probe_free)

#define tt_gpu_probe_map(self, i) ((TtGpuMap *) g_ptr_array_index ((self)->maps, (i)))
#define tt_gpu_probe_section(self, i) ((TtGpuSection *) g_ptr_array_index ((self)->sections, (i)))
