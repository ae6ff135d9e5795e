/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of the Plugin Interface (PI) and of the Unified Runtime (UR): names, ids, parameters.
 *
 * Plain C11, without GLib: the recorder and the replaying plugin use it inside foreign programs. The tables are made
 * from data/pi-api.tsv, pi-ids.tsv, pi-releases.tsv, pi-symbols.tsv, pi-results.tsv and, of UR, ur-releases.tsv, ur-functions.tsv,
 * ur-types.tsv and ur-tables.tsv when the project is built.
 *
 * UR differs from release to release, also where its version is the same. A release is a number of data/ur-releases.tsv,
 * which recordings contain; 0: not known, of PI or of a recording made before there were such numbers.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum
{
  TT_PI_API_PI,
  TT_PI_API_UR, /* since 2024; results are positive codes, function ids are stable */
} TtPiApi;

/* Which list the ids of a PI trace follow: a new entry in the list shifts all after it. Those with two numbers are lists
 * of releases, as their own plugins have them; the first three are lists of releases, too (tt_pi_versions); that of 2024
 * is of the sources after the last release with PI. */
typedef enum
{
  TT_PI_IDS_2021_SUMMER,
  TT_PI_IDS_2021_12,
  TT_PI_IDS_2022_05,
  TT_PI_IDS_2024,
  TT_PI_IDS_2021_1,
  TT_PI_IDS_2021_2,
  TT_PI_IDS_2021_3,
  TT_PI_IDS_2023_1,
  TT_PI_IDS_2023_2,
  TT_PI_IDS_2024_0,
  TT_PI_IDS_2024_2,
  TT_PI_N_IDS,
} TtPiIds;

/* What a parameter's value means; how it is shown. */
typedef enum
{
  TT_PI_KIND_UINT, /* u32, size_t, ...: decimal */
  TT_PI_KIND_INT,  /* signed */
  TT_PI_KIND_FLOAT,
  TT_PI_KIND_BOOL,   /* pi_bool, bool */
  TT_PI_KIND_HANDLE, /* of the object `type`: "queue" */
  TT_PI_KIND_NATIVE, /* a native handle */
  TT_PI_KIND_ENUM,   /* symbols of `type`: "platform_info" */
  TT_PI_KIND_FLAGS,
  TT_PI_KIND_STRING,
  TT_PI_KIND_POINTER,
  TT_PI_KIND_FUNCTION, /* a callback */
  TT_PI_KIND_STRUCT,   /* a structure or union of `type`, by value in another one */
} TtPiKind;

/* What a pointer is for. */
typedef enum
{
  TT_PI_ROLE_PLAIN,
  TT_PI_ROLE_OUT_HANDLE, /* where a new object of `type` goes */
  TT_PI_ROLE_OUT_VALUE,  /* where a number goes */
  TT_PI_ROLE_OUT_ARRAY,  /* where an array goes; `count` names the parameter with its length */
  TT_PI_ROLE_OUT_BYTES,  /* where bytes go; `count` names the parameter with their number */
  TT_PI_ROLE_IN_ARRAY,   /* an array of `type`, e.g. a wait list; `count` as above */
  TT_PI_ROLE_IN_BYTES,
  TT_PI_ROLE_WORK_SIZE, /* size_t[work_dim]; `count` is the parameter work_dim */
  TT_PI_ROLE_OUT_EVENT, /* where the event of an enqueue goes */
  TT_PI_ROLE_IN_VALUE,  /* where one `type` is: a "rect" of three size_t, a "mem", a structure */
  TT_PI_ROLE_NEXT,      /* in a structure: the next one of a chain, which says what it is */
} TtPiRole;

typedef struct
{
  const char *name;
  const char *type; /* without prefix and suffix: "queue", "mem_flags", "uint32", "size"; enums and flags of UR keep
                     * theirs: "ur_device_info"; of a pointer: what it points to, "void" if that is not known */
  uint8_t kind;     /* TtPiKind */
  uint8_t role;     /* TtPiRole */
  uint8_t size;     /* bytes in packed arguments: 1, 4 or 8; 24 for UR's rectangles, which go by value */
  int8_t count;     /* index of the parameter that says how many; -1: none, a list of properties ends with 0 */
} TtPiParam;

#define TT_PI_MAX_PARAMS 32

typedef struct
{
  const char *name;
  uint8_t api; /* TtPiApi */
  uint8_t n_params;
  uint16_t packed;          /* E of pi.md 10.1: bytes of all parameters; other runtime versions may differ */
  uint16_t index;           /* among all functions of both APIs: dense, from 0, for tables of the caller's own */
  int32_t ids[TT_PI_N_IDS]; /* -1: not in that list; UR: the same id in all */
  const TtPiParam *params;  /* NULL: the table knows only the name */
  const char *releases;     /* that have these parameters; NULL: any */
} TtPiFunction;

typedef struct
{
  TtPiParam param; /* `count` is an index among members */
  uint16_t offset;
} TtPiMember;

typedef struct
{
  const char *name; /* "ur_queue_properties" */
  const char *releases;
  uint16_t size;
  uint8_t n_members;
  bool is_union; /* the member with the number or the name of `type` or `id` beside it counts */
  const TtPiMember *members;
} TtPiStruct;

/* A release of the runtime with PI, oldest first. */
typedef struct
{
  const char *release; /* "2023.1" */
  uint16_t minor;      /* of its version of PI, which counts through all versions */
  uint8_t ids;         /* TtPiIds */
  uint16_t n_functions;
} TtPiVersion;

extern const TtPiVersion tt_pi_versions[];
extern const unsigned tt_pi_n_versions;
/* The list of ids of the release with version ?.@minor of PI; -1: none has it. */
int tt_pi_ids_of_minor (unsigned minor);

/* Sorted by name. */
extern const TtPiFunction tt_pi_functions[];
extern const unsigned tt_pi_n_functions;

/* NULL: no such function. */
const TtPiFunction *tt_pi_function_by_name (const char *name);
const TtPiFunction *tt_pi_function_by_id (TtPiApi api, TtPiIds ids, uint32_t id);

/* The signature of @function that another runtime version has, by number of parameters and packed size (0: any); it has
 * name and index of @function, and may be @function itself. NULL: none is known. */
const TtPiFunction *tt_pi_function_variant (const TtPiFunction *function, unsigned n_params, unsigned packed);

/* The signature of @function in @release; NULL: it is not in that release. */
const TtPiFunction *tt_pi_function_of_release (const TtPiFunction *function, unsigned release);
/* The one of the release that is nearest to @release among those that have @function. */
const TtPiFunction *tt_pi_function_near_release (const TtPiFunction *function, unsigned release);
bool tt_pi_function_has_sizes (const TtPiFunction *function, const uint8_t *sizes, unsigned n_params);
/* The signature whose parameters have these sizes, the newest of several; NULL: none. */
const TtPiFunction *tt_pi_function_of_sizes (const TtPiFunction *function, const uint8_t *sizes, unsigned n_params);
/* The signature that a recording means: that of its release, or, of PI (@release is 0) and of a branch of UR, the one whose
 * parameters have these sizes. NULL: none is known. */
const TtPiFunction *
tt_pi_function_as_recorded (const TtPiFunction *function, unsigned release, const uint8_t *sizes, unsigned n_params);

/* The release of version @major.@minor that has the functions for which @has is true, or nearly so; *@n_other: how many
 * are in one and not in the other. Where @has knows none, the one that was published. 0: no such version. */
unsigned tt_pi_release_find (unsigned major,
                             unsigned minor,
                             bool (*has) (const char *name, void *data),
                             void *data,
                             unsigned *n_other);
/* clang-format off */
/* All tables of data/ur-tables.tsv. */
#define TT_PI_UR_TABLES(F) \
  F (Adapter) F (BindlessImagesExp) F (CommandBufferExp) F (Context) F (Device) F (DeviceExp) \
  F (Enqueue) F (EnqueueExp) F (Event) F (EventExp) F (Global) F (GraphExp) F (IPCExp) F (Kernel) \
  F (KernelExp) F (Mem) F (MemoryExportExp) F (PhysicalMem) F (Platform) F (Program) F (ProgramExp) \
  F (Queue) F (QueueExp) F (Sampler) F (TensorMapExp) F (USM) F (USMExp) F (UsmP2PExp) \
  F (VirtualMem)
/* clang-format on */
#define TT_PI_UR_TABLE_PLACES 128 /* no table has more */

/* The function that an adapter of UR gives its loader at @place of a table: ("Kernel", 0) is urKernelCreate. NULL: the
 * table of @release ends before, or its function is not known. */
const TtPiFunction *tt_pi_table_function (const char *table, unsigned place, unsigned release);
/* "0.12 of 2025-06-02"; false: no such release. */
bool tt_pi_release_name (unsigned release, char *name, unsigned size);

/* A structure of UR; NULL: none of that name. */
const TtPiStruct *tt_pi_struct (const char *name, unsigned release);
/* The structure that begins with @stype: "ur_usm_desc" for USM_DESC. */
const TtPiStruct *tt_pi_struct_by_type (uint32_t stype, unsigned release);
/* The member of a union that counts, by the value of the enum of @type beside it; NULL: none. */
const TtPiMember *tt_pi_union_member (const TtPiStruct *self, const char *type, uint64_t value, unsigned release);

/* Whether the tables know more than one. */
bool tt_pi_function_has_variants (const TtPiFunction *function);

/* The name after PI_ or UR_RESULT_ of a result: "INVALID_VALUE"; NULL: unknown code. */
const char *tt_pi_result_name (TtPiApi api, int32_t result, unsigned release);
/* Not a failure of the program but normal probing (pi.md 10.3): queries that answer "invalid value". */
bool tt_pi_result_is_probing (const TtPiFunction *function, int32_t result, unsigned release);

/* A value of an enum type: "VERSION" for (platform_info, 0x901); also a whole value of a flags type: "ALL" for
 * (device_type, 0xffffffff). NULL: unknown. */
const char *tt_pi_enum_name (const char *type, uint64_t value, unsigned release);
/* What a query for a value of an enum type of UR answers: "size[]", "char[]", "ur_queue_flags"; NULL: unknown. */
const char *tt_pi_enum_answer (const char *type, uint64_t value, unsigned release);
/* Bit @bit of a flags type; NULL: unknown. */
const char *tt_pi_flag_name (const char *type, unsigned bit, unsigned release);
/* "opencl"; NULL: unknown. */
const char *tt_pi_backend_name (int backend);
