/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of TtVirtualEvents: shared by its files only.
 */
#pragma once

#include "src/store/block.h"
#include "src/store/table-pages.h"

typedef struct _TtVirtualEvents TtVirtualEvents;

/* Columns, in the order of the view. */
typedef enum
{
  TT_EVENT_ID,
  TT_EVENT_SOURCE,
  TT_EVENT_PID,
  TT_EVENT_TID,
  TT_EVENT_OP_CAT,
  TT_EVENT_OP_NAME,
  TT_EVENT_SUB_OP,
  TT_EVENT_SUFFIX,
  TT_EVENT_NAME,
  TT_EVENT_OP_LONG_NAME,
  TT_EVENT_RAW_NAME,
  TT_EVENT_NATIVE_GROUP,
  TT_EVENT_FILE,
  TT_EVENT_LINE,
  TT_EVENT_TS_NS,
  TT_EVENT_DUR_NS,
  TT_EVENT_SELF_NS,
  TT_EVENT_DEPTH,
  TT_EVENT_STEP,
  TT_EVENT_ARGS,
  TT_EVENT_FLAGS,
  TT_EVENT_OWN_TS_NS,
  TT_EVENT_OWN_DUR_NS,
  TT_EVENT_RUN,
  TT_EVENT_N,
} TtEventColumn;

typedef struct
{
  const char *name, *type, *view; /* type: of its affinity; view: how the temporary view has it */
} TtEventColumnKind;
extern const TtEventColumnKind tt_event_columns[TT_EVENT_N];

/* A value of any type. */
typedef struct
{
  int type; /* SQLITE_INTEGER ... */
  int len;  /* of a text or blob */
  union
  {
    gint64 integer;
    double real;
    const char *bytes;
  };
} TtVirtualCell;

/* Rows by their ids, looked up when they are first asked for. */
typedef struct
{
  sqlite3_stmt *lookup; /* ?1: the id */
  guint n_cells;
  TtVirtualCell **rows; /* by id; NULL: not asked for yet */
  gsize n_rows;
  TtVirtualCell *none; /* of no id: nulls */
  TtVirtualCell *last; /* that is not kept */
} TtVirtualRows;

typedef enum
{
  TT_THREAD_PID,
  TT_THREAD_TID,
  TT_THREAD_PROCESS,
  TT_THREAD_CELLS,
} TtThreadCell;

typedef struct
{
  gint64 first; /* id of its first event */
  TtVirtualCell source, run;
} TtVirtualRange;

typedef struct
{
  gint64 process, from_ns, until_ns, shift_ns, gain_ns;
} TtVirtualPiece;

struct _TtVirtualEvents
{
  TtStore *store;
  sqlite3 *db;
  TtVirtualRows names, threads, flags;
  GHashTable *long_names; /* of thread and name, gint64 -> TtVirtualCell */
  GArray *ranges;         /* of TtVirtualRange, ascending */
  GArray *pieces;         /* of TtVirtualPiece, by process and time */
  GPtrArray *memory;      /* of blocks that texts lie in */
  char *free;             /* the rest of the last one: n_free */
  gsize n_free, n_kept;   /* n_kept: of all */
  GPtrArray *idle_pages;  /* of TtTablePages that no cursor has */
  gint64 n_names;         /* at most */
  gint64 first, last;     /* ids of the events that are there */
  gboolean is_declined;
};

/* -- definitions.c ------------------------------------------------------------------------------------------------- */

gboolean tt_virtual_definitions_load (TtVirtualEvents *self);
void tt_virtual_definitions_forget (TtVirtualEvents *self);

/* The cells of a row. NULL: SQLite failed. *@is_kept: they stay, else until the next call. */
const TtVirtualCell *
tt_virtual_find (TtVirtualEvents *self, TtVirtualRows *rows, gint64 id, gboolean is_null, gboolean *is_kept);

typedef enum
{
  TT_CELL_KEPT,
  TT_CELL_PASSING, /* it stays until the next call */
  TT_CELL_ODD,     /* only the view has it */
  TT_CELL_FAILED,
} TtCellAnswer;

/* A column of a row but those of arguments and flags. */
TtCellAnswer
tt_virtual_cell (TtVirtualEvents *self, TtEventColumn column, const TtEventValues *row, TtVirtualCell *cell);
/* Which of the ranges has an event; G_MAXUINT: none. */
guint tt_virtual_find_range (const TtVirtualEvents *self, gint64 id);

/* -- scan.c -------------------------------------------------------------------------------------------------------- */

#define TT_MAX_EQUAL 8u

typedef struct
{
  TtEventColumn column;
  char *text;
  int len;
} TtVirtualEqual;

/* Rows from pages by their ids. */
typedef struct
{
  TtVirtualEvents *events;
  TtTablePages *pages;
  TtEventLeaf leaf;
  guint at, end; /* of its rows, in the order of the scan */
  gint64 first, last;
  gint64 next; /* id from where on the next page is to be had */
  gboolean is_reverse, is_over;
  TtVirtualEqual equal[TT_MAX_EQUAL]; /* what all rows have */
  guint n_equal;
} TtVirtualScan;

/* Not a code of SQLite: only the view can go on, from scan->next on. */
#define TT_SCAN_ODD (-1)

void tt_virtual_scan_begin (TtVirtualScan *self, TtVirtualEvents *events);
/* From the beginning again. */
void tt_virtual_scan_rewind (TtVirtualScan *self);
/* SQLITE_ROW with *@row, which stays until the next call, SQLITE_DONE, an error, or TT_SCAN_ODD. */
int tt_virtual_scan_next (TtVirtualScan *self, const TtEventValues **row);
void tt_virtual_scan_end (TtVirtualScan *self);

/* -- plan.c -------------------------------------------------------------------------------------------------------- */

/* What a cursor is to do, as xBestIndex tells xFilter in a text: for each argument a letter and, after 't', a column; a
 * space; for each column of the order 'a' or 'd' and the column; a space; the columns used, in hex. */
#define TT_PLAN_ID_IS 'e'
#define TT_PLAN_ID_FROM 'G'
#define TT_PLAN_ID_AFTER 'g'
#define TT_PLAN_ID_TO 'L'
#define TT_PLAN_ID_BEFORE 'l'
#define TT_PLAN_TEXT_IS 't'
#define TT_PLAN_REVERSE 1 /* of idxNum */
#define TT_PLAN_DISTINCT 2

int tt_virtual_plan (TtVirtualEvents *events, sqlite3_index_info *info);

/* -- columns.c ----------------------------------------------------------------------------------------------------- */

/* Columns of a row that the value in @column is made of, a bit each. */
guint tt_virtual_column_needs (const TtVirtualEvents *events, TtEventColumn column);

/* What rows have in common that have the same value in @column, a bit each: columns of a row, and besides these the range
 * that the id lies in, and the flags. 0: such a column has too many values. */
guint tt_virtual_column_keys (TtEventColumn column);
#define TT_KEY_RANGE TT_EVENT_COLUMNS
#define TT_KEY_FLAGS (TT_EVENT_COLUMNS + 1)

gboolean tt_virtual_can_group (TtEventColumn column);

/* -- groups.c ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  guint columns[TT_EVENT_N]; /* TtEventColumn */
  gboolean is_descending[TT_EVENT_N];
  guint n;
  gboolean is_distinct; /* one row of each group, groups in the order of their first rows */
} TtVirtualOrder;

typedef struct _TtVirtualGroups TtVirtualGroups;

/* Rows of @scan, those with the same values in the columns of @order one after the other, sorted by these, then by id;
 * @scan stays the caller's. @used: columns, a bit each. */
TtVirtualGroups *tt_virtual_groups_new (TtVirtualScan *scan, const TtVirtualOrder *order, guint64 used);
/* Reads all rows. SQLITE_OK, an error, or TT_SCAN_ODD, also if there are too many groups. */
int tt_virtual_groups_read (TtVirtualGroups *self);
/* As tt_virtual_scan_next(); what is not used in a row is not filled. */
int tt_virtual_groups_next (TtVirtualGroups *self, const TtEventValues **row);
void tt_virtual_groups_free (TtVirtualGroups *self);
