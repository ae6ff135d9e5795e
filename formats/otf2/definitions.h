/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2Definitions: the global definitions of an OTF2 archive.
 *
 * A definition is a row of integers: its own id where it has one, then its other values in the order of the file. Sources of these
 * facts: the definitions of OTF2 3.0.2 (OTF2_GlobalDefReader_inc.c, OTF2_Definitions.h), and for archives of releases
 * before 1.2 its otf2_attic.c. What the file does not have is TT_OTF2_UNDEFINED. Memory grows with the file, by a constant factor.
 */
#pragma once

#include "formats/otf2/chunks.h"
#include "src/trace/repairs.h"

/* Records by their numbers in the file; those that are not kept have no row here. */
typedef enum
{
  TT_OTF2_CLOCK_PROPERTIES = 5,
  TT_OTF2_PARADIGM = 6,
  TT_OTF2_IO_PARADIGM = 8,
  TT_OTF2_STRING = 10,
  TT_OTF2_ATTRIBUTE = 11,
  TT_OTF2_SYSTEM_TREE_NODE = 12,
  TT_OTF2_LOCATION_GROUP = 13,
  TT_OTF2_LOCATION = 14,
  TT_OTF2_REGION = 15,
  TT_OTF2_GROUP = 18,
  TT_OTF2_METRIC_MEMBER = 19,
  TT_OTF2_METRIC_CLASS = 20,
  TT_OTF2_METRIC_INSTANCE = 21,
  TT_OTF2_COMM = 22,
  TT_OTF2_PARAMETER = 23,
  TT_OTF2_RMA_WIN = 24,
  TT_OTF2_SYSTEM_TREE_NODE_PROPERTY = 26,
  TT_OTF2_SYSTEM_TREE_NODE_DOMAIN = 27,
  TT_OTF2_LOCATION_GROUP_PROPERTY = 28,
  TT_OTF2_LOCATION_PROPERTY = 29,
  TT_OTF2_SOURCE_CODE_LOCATION = 33,
  TT_OTF2_CALLING_CONTEXT = 34,
  TT_OTF2_INTERRUPT_GENERATOR = 36,
  TT_OTF2_IO_REGULAR_FILE = 38,
  TT_OTF2_IO_DIRECTORY = 39,
  TT_OTF2_IO_HANDLE = 40,
  TT_OTF2_INTER_COMM = 43,
  TT_OTF2_N_DEFINITIONS,
} TtOtf2Definition;

/* Values of a row; 0 is the id. A text is a string's id, a list where the values begin, and how many. */
enum
{
  TT_OTF2_ID = 0,
  TT_OTF2_NAME = 1,

  TT_OTF2_CLOCK_RESOLUTION = 0, /* of clock properties: ticks a second */
  TT_OTF2_CLOCK_OFFSET,         /* the first tick */
  TT_OTF2_CLOCK_LENGTH,
  TT_OTF2_CLOCK_REALTIME, /* of the first tick, in ns since 1970 */

  TT_OTF2_STRING_AT = 1, /* see tt_otf2_text() */

  TT_OTF2_ATTRIBUTE_TYPE = 2,
  TT_OTF2_ATTRIBUTE_DESCRIPTION,

  TT_OTF2_NODE_CLASS = 2,
  TT_OTF2_NODE_PARENT,

  TT_OTF2_LOCATION_GROUP_TYPE = 2, /* 1 process, 2 accelerator */
  TT_OTF2_LOCATION_GROUP_NODE,
  TT_OTF2_LOCATION_GROUP_CREATOR,

  TT_OTF2_LOCATION_TYPE = 2, /* 1 thread, 2 stream of an accelerator, 3 metrics */
  TT_OTF2_LOCATION_EVENTS,
  TT_OTF2_LOCATION_OF_GROUP,

  TT_OTF2_REGION_DESCRIPTION = 2,
  TT_OTF2_REGION_OLD_TYPE,
  TT_OTF2_REGION_FILE,
  TT_OTF2_REGION_BEGIN_LINE,
  TT_OTF2_REGION_END_LINE,
  TT_OTF2_REGION_CANONICAL,
  TT_OTF2_REGION_ROLE,
  TT_OTF2_REGION_PARADIGM,
  TT_OTF2_REGION_FLAGS,

  TT_OTF2_GROUP_OLD_TYPE = 2,
  TT_OTF2_GROUP_N,
  TT_OTF2_GROUP_AT, /* of its members in `lists` */
  TT_OTF2_GROUP_TYPE,
  TT_OTF2_GROUP_PARADIGM,
  TT_OTF2_GROUP_FLAGS,

  TT_OTF2_MEMBER_TYPE = 3,
  TT_OTF2_MEMBER_MODE,
  TT_OTF2_MEMBER_VALUE_TYPE,
  TT_OTF2_MEMBER_BASE,
  TT_OTF2_MEMBER_EXPONENT,
  TT_OTF2_MEMBER_UNIT,

  TT_OTF2_CLASS_N = 1,
  TT_OTF2_CLASS_AT,
  TT_OTF2_CLASS_OCCURRENCE, /* 0 synchronous, strict; 1 synchronous; 2 asynchronous */

  TT_OTF2_INSTANCE_CLASS = 1,

  TT_OTF2_COMM_GROUP = 2,
  TT_OTF2_COMM_PARENT,
  TT_OTF2_INTER_COMM_A = 2,
  TT_OTF2_INTER_COMM_B,

  TT_OTF2_RMA_WIN_COMM = 2,

  TT_OTF2_DOMAIN = 1, /* of a node: 1 is one that shares memory */

  TT_OTF2_SOURCE_FILE = 1,
  TT_OTF2_SOURCE_LINE,

  TT_OTF2_CONTEXT_REGION = 1,
  TT_OTF2_CONTEXT_SOURCE,
  TT_OTF2_CONTEXT_PARENT,

  TT_OTF2_HANDLE_FILE = 2,

  TT_OTF2_PROPERTY_TYPE = 3, /* and its name, and owner in place of the id */
  TT_OTF2_PROPERTY_VALUE,
};

#define TT_OTF2_GROUP_LOCATIONS 4u /* the locations that take part in a paradigm, in the order of their ranks */
#define TT_OTF2_GROUP_RANKS 5u     /* ranks among them, unless a flag says that they are locations */
#define TT_OTF2_GROUP_SELF 6u
#define TT_OTF2_PARADIGM_OPENMP 3u
#define TT_OTF2_PARADIGM_MPI 4u
#define TT_OTF2_PARADIGM_GASPI 11u /* and UPC */
#define TT_OTF2_PARADIGM_SHMEM 13u
/* Roles of regions. */
#define TT_OTF2_ROLE_BARRIER 15u
#define TT_OTF2_ROLE_ONE_TO_ALL 23u /* and all to one, all to all */
#define TT_OTF2_ROLE_COLLECTIVE 26u /* any other */
#define TT_OTF2_ROLE_ARTIFICIAL 31u /* of the recorder itself */

typedef struct
{
  GArray *rows[TT_OTF2_N_DEFINITIONS]; /* of guint64, width[kind] values a row; sorted by id */
  guint width[TT_OTF2_N_DEFINITIONS];
  GString *text;
  GArray *lists; /* of guint64 */
  guint64 n_records;
  gboolean has_no_clock; /* it is not told what a tick is: the row says as many as a second has ns */
} TtOtf2Definitions;

/* Reads @chunks, which are open. What is damaged ends the reading and is counted in @repairs; FALSE with @error: it cannot be read,
 * or too little of it for events to be read. */
TtOtf2Definitions *
tt_otf2_definitions_read (TtOtf2Chunks *chunks, const char *path, TtRepairs *repairs, GError **error);
void tt_otf2_definitions_free (TtOtf2Definitions *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtOtf2Definitions, tt_otf2_definitions_free)

guint tt_otf2_count (const TtOtf2Definitions *self, TtOtf2Definition kind);
const guint64 *tt_otf2_row (const TtOtf2Definitions *self, TtOtf2Definition kind, guint i);
/* By id; NULL: none is defined. */
const guint64 *tt_otf2_find (const TtOtf2Definitions *self, TtOtf2Definition kind, guint64 id);
/* The place of a row among those of its kind; G_MAXUINT: none is defined. */
guint tt_otf2_place (const TtOtf2Definitions *self, TtOtf2Definition kind, guint64 id);
/* Of the string @id; NULL: it is not defined. Borrowed. */
const char *tt_otf2_text (const TtOtf2Definitions *self, guint64 id);
/* The name (value 1) of a definition; NULL likewise. */
const char *tt_otf2_name (const TtOtf2Definitions *self, TtOtf2Definition kind, guint64 id);
/* The values of a list: @n, @at as in a row; NULL and *n 0: none. */
const guint64 *tt_otf2_list (const TtOtf2Definitions *self, const guint64 *row, guint n, guint at, guint64 *n_values);

/* "MPI", "OpenMP" ...; what a role of regions is called, NULL: it says nothing ("function"). */
const char *tt_otf2_paradigm_text (guint64 paradigm);
const char *tt_otf2_role_text (guint64 role);
