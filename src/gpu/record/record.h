/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside a program of CUDA: its modules get a probe while they are loaded, its launches the memory for records.
 *
 * `probe record` preloads this library, and tells it by the environment where to write (TRACETOOL_PROBE_DIRECTORY), which
 * program weaves (TRACETOOL_PROBE_TOOL), and how many records each thread or warp has room for where a map's cap is
 * dynamic (TRACETOOL_PROBE_ROOM). Plain C, one lock around all.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TT_RECORD_MOST_MAPS 64u
#define TT_RECORD_ANY_SIZE SIZE_MAX /* of an image: the program did not say */

typedef int TtCuResult;
typedef void *TtCuHandle; /* of a module, library, function, kernel, stream */
typedef uint64_t TtCuAddress;

typedef struct
{
  int is_warp;
  uint64_t record_bytes, cap; /* cap 0: dynamic */
} TtRecordMap;

typedef struct
{
  char *name, *hash; /* of the name */
  char *folder;      /* of its files, under kernel/; NULL: not made yet */
  unsigned n_params; /* with the one of the table */
  uint64_t param_offset;
} TtRecordKernel;

/* What was woven into a module: read from the plan that `probe weave` writes. */
typedef struct
{
  TtRecordMap maps[TT_RECORD_MOST_MAPS];
  unsigned n_maps;
  TtRecordKernel *kernels;
  unsigned n_kernels;
  char *woven; /* path of the text */
} TtRecordPlan;

/* -- session.c -- */
/* Whether anything is to be recorded; the log is made when this is first asked. */
int tt_record_is_on (void);
/* Lines of the log, without the last end of line; nothing where there is none. */
void tt_record_note (const char *format, ...) __attribute__ ((format (printf, 1, 2)));
/* Records of a thread or warp where a map's cap is dynamic. */
uint64_t tt_record_room (void);
const char *tt_record_directory (void);
const char *tt_record_tool (void); /* NULL: nobody said */
double tt_record_seconds (void);   /* since the library was loaded */
void tt_record_lock (void);
void tt_record_unlock (void);
/* Not 0: this thread is within a call of ours, and the driver may call itself by the names that we have. */
extern __thread int tt_record_inside;
/* A function of the driver, past our own. NULL: there is none. */
void *tt_record_real (const char *name);
void *tt_record_real_dlsym (TtCuHandle handle, const char *name);

/* -- plan.c -- */
/* Decimal digits up to @end, behind which *@text is then; 0: something else stands there, or more than @most. */
int tt_record_number (const char **text, char end, uint64_t most, uint64_t *number);
/* NULL: the plan cannot be read; *@line is the one that is damaged, out of range or missing. */
TtRecordPlan *tt_record_plan_read (const char *path, const char *woven, unsigned *line);
void tt_record_plan_free (TtRecordPlan *plan);

/* -- image.c -- */
/* PTX of what is given to the driver: a text, or one within a fat binary. @n bytes of a file, with 16 zeros behind them, or
 * TT_RECORD_ANY_SIZE. Free it. NULL: *@why. */
char *tt_record_image_text (const void *image, size_t n, const char **why);

/* -- modules.c -- */
/* The text to load in the place of @image, as above; free it. NULL: nothing was woven, and the log says why. */
char *tt_record_weave (const void *image, size_t n, TtRecordPlan **plan);
void tt_record_add_module (TtCuHandle module, TtRecordPlan *plan);
void tt_record_add_function (TtCuHandle module, TtCuHandle function, const char *name);
void tt_record_same_function (TtCuHandle kernel, TtCuHandle function);
/* The handle is that of something else now, of which nothing is known. */
void tt_record_forget (TtCuHandle handle);
void tt_record_same_module (TtCuHandle library, TtCuHandle module);
/* NULL: it is not woven. */
TtRecordKernel *tt_record_find (TtCuHandle function, TtRecordPlan **plan);

/* -- lists.c -- */
/* Unless @result says that there is none. */
void tt_record_note_function (TtCuResult result, TtCuHandle module, TtCuHandle function, const char *name);

/* -- launches.c -- */
typedef struct
{
  TtCuHandle function, stream;
  unsigned grid[3], block[3], shared;
  void **params, **extra;
  int is_node; /* of a graph */
} TtRecordLaunch;

/* @launch, of a woven kernel with one parameter more; @call makes it. A launch into a graph is made, but not recorded. */
TtCuResult tt_record_launch (const TtRecordLaunch *launch,
                             TtCuResult (*call) (void *data, void **params, void **extra),
                             void *data);
