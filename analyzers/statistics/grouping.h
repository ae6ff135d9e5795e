/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtGrouping: which group of `--by KEY,KEY...` an event belongs to.
 *
 * Groups are dense numbers from 0 in order of first sight. Names and threads are first folded into
 * small numbers of their own (equal keys, equal number), so that a row costs no string work.
 */
#pragma once

#include "src/store/store.h"

typedef enum
{
  TT_KEY_NAME,
  TT_KEY_OP_LONG_NAME,
  TT_KEY_OP_CAT,
  TT_KEY_OP_NAME,
  TT_KEY_SUB_OP,
  TT_KEY_RANK, /* a program with its devices: TtProcess.rank_name */
  TT_KEY_PID,
  TT_KEY_TID,
  TT_KEY_SM, /* SM or CU of a device: its tracks "SM 3", "SM 3:1" ... are one */
  TT_KEY_STEP,
  TT_KEY_NATIVE_GROUP,
  TT_KEY_FILE,
  TT_KEY_PATH, /* the names of all spans that it is inside of on its thread, from the outermost on */
  TT_N_KEYS,
} TtGroupKey;

typedef struct
{
  guint n;
  TtGroupKey key[TT_N_KEYS];
} TtGroupKeys;

extern const char *const tt_group_key_words[TT_N_KEYS + 1]; /* NULL-ended */
const char *tt_group_key_text (TtGroupKey key);
/* "name,pid"; an error names the nearest key. */
gboolean tt_group_keys_parse (TtGroupKeys *self, const char *text, GError **error);
gboolean tt_group_keys_has (const TtGroupKeys *self, TtGroupKey key);
gboolean tt_group_keys_is (const TtGroupKeys *self, TtGroupKey only);

/* Whether a span that only names a stretch of time (flag `window`) counts: where groups are its name or what its source
 * calls its like, but not as work of a category, a rank or a step. */
gboolean tt_group_keys_take_windows (const TtGroupKeys *self);

/* Whether TT_KEY_SM says anything of @thread. */
gboolean tt_group_thread_has_sm (const TtThread *thread);

/* A member that stands for its group. */
typedef struct
{
  guint32 name, thread;
  gint32 step;
  guint32 path; /* of TtGrouping, where groups are by path; else 0 */
} TtGroupMember;

typedef struct _TtGrouping TtGrouping;

/* @store is borrowed and must stay on its runs. */
TtGrouping *tt_grouping_new (TtStore *store, const TtGroupKeys *keys);
void tt_grouping_free (TtGrouping *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtGrouping, tt_grouping_free)

guint32 tt_grouping_group (TtGrouping *self, guint32 thread, guint32 name, gint32 step);

/* With TT_KEY_PATH: paths are numbers from 1; 0 is outside of all spans. The path of @name inside @parent; 0: there are
 * more than TT_MAX_PATHS. Some 40 bytes each. */
#define TT_MAX_PATHS (1u << 20)
guint32 tt_grouping_path (TtGrouping *self, guint32 parent, guint32 name);
/* Sets the error that says so. */
void tt_grouping_fail_paths (GError **error);
/* Paths are 1 to this. */
guint32 tt_grouping_n_paths (const TtGrouping *self);
/* The path that @path is inside of, and its last name. */
guint32 tt_grouping_path_parent (const TtGrouping *self, guint32 path, guint32 *name);
/* The group of an event on @path, which ends with its name. */
guint32 tt_grouping_group_on (TtGrouping *self, guint32 thread, guint32 path, guint32 name, gint32 step);
/* "main => solve => MPI_Send". Free it. */
char *tt_grouping_path_text (const TtGrouping *self, guint32 path);
guint32 tt_grouping_count (const TtGrouping *self);
TtGroupMember tt_grouping_member (const TtGrouping *self, guint32 group);

/* The text of @key (not TT_KEY_PATH) for a member, whose name is @name; NULL: it has none. Free it. */
char *
tt_group_key_label (TtStore *store, TtGroupKey key, guint32 process, TtGroupMember member, const TtStoredName *name);
