/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What lies beside the calls of a trace: configuration, files, device images with their descriptors, the SYCL task
 * graph. pi.md sections 6, 7, 9. A missing file gives NULL without an error; a damaged one an error with its name,
 * offset and reason, which callers turn into a warning: side files never stop an import. Texts are UTF-8: other bytes
 * have become U+FFFD. They may hold control characters.
 */
#pragma once

#include "formats/pi/trace.h"

typedef struct
{
  char *command, *executable, *record_mode; /* NULL: not there */
  GStrv arguments;
  gboolean has_opencl, has_level_zero, has_cuda, has_rocm;
} TtPiConfig;

TtPiConfig *tt_pi_config_read (TtPiTrace *trace, GError **error);
void tt_pi_config_free (TtPiConfig *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPiConfig, tt_pi_config_free)

/* Opened files in open order (none: an empty vector); NAME=VALUE lines of the environment. */
GStrv tt_pi_files_read (TtPiTrace *trace, GError **error);
GStrv tt_pi_environment_read (TtPiTrace *trace, GError **error);

typedef struct
{
  guint64 address, size;
  char *name; /* the mangled kernel name */
  gint32 flags;
} TtPiEntry;

typedef struct
{
  char *name;
  guint32 type; /* 0 unknown, 1 uint32, 2 byte array, 3 string */
  GBytes *data; /* NULL in the raw layout, which has only its address */
  guint64 size; /* of the data; of a uint32 in the raw layout it is the value, which protobuf ones lost */
} TtPiProperty;

typedef struct
{
  char *name;
  GPtrArray *properties; /* of TtPiProperty */
} TtPiPropertySet;

typedef struct
{
  guint index;     /* i of <i>.desc */
  char *path;      /* to name it: "ex_pb/0.desc" */
  gboolean is_raw; /* layout before 2021-08-07 */
  guint32 version, kind, format;
  char *target, *compile_options, *link_options;
  GPtrArray *entries;       /* of TtPiEntry */
  GPtrArray *property_sets; /* of TtPiPropertySet */
  char *image;              /* name of the image file; NULL: not there */
} TtPiImage;

/* All descriptors, by index (GPtrArray of TtPiImage). Damaged ones are left out and named in @warnings (char *). */
GPtrArray *tt_pi_images_read (TtPiTrace *trace, GPtrArray *warnings);

typedef struct
{
  gint64 id;
  gboolean is_edge;
  gint64 source, target; /* of an edge: source must finish before target may start */
  gboolean has_source, has_target;
  char *name;                          /* graph.json's, or what the metadata call it; never NULL */
  guint64 create_us, start_us, end_us; /* on a clock of the graph's own */
  gboolean has_start, has_end;         /* edges, tasks that never ran and graph.json have none */
  GPtrArray *metadata;                 /* of char *: name, value, name, value ... */
} TtPiGraphItem;

/* sycl.graph_trace or graph.json (GPtrArray of TtPiGraphItem, in creation order); NULL without @error: neither. */
GPtrArray *tt_pi_graph_read (TtPiTrace *trace, GError **error);

/* The value of the metadata @name; NULL: not there. */
const char *tt_pi_graph_metadata (const TtPiGraphItem *item, const char *name);
