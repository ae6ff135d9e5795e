/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNames: standard names (op_cat.op_name[.sub_op][~>suffix]) for raw ones, and their ids.
 *
 * An id stands for one (raw name, group, suffix, op_cat, sub_op, communicator). `text` is op_cat.op_name[.sub_op] made once, with
 * ".", "->", "~>" and control characters of the raw op_name replaced by "_"; when two different raw
 * names would give one text, the later gets "#2", "#3". Rules (data/name-rules.ini and
 * --name-rules) decide op_cat and sub_op where the source does not.
 * Memory is bounded: above a cap everything spills to a temporary file (spill.h).
 */
#pragma once

#include "src/trace/event.h"

typedef struct _TtNames TtNames;
typedef struct _TtNameRules TtNameRules;

/* What an importer knows. All borrowed; lengths by NUL; NULL = not there. */
typedef struct
{
  const char *raw;         /* as in the source; compared and stored trimmed */
  const char *op;          /* raw without location and callpath, "MPI_Send()"; NULL = raw */
  gboolean op_follows_raw; /* a raw name of this source has the same op always; so it is where that is NULL */
  const char *group;       /* the source's own category: TAU group, Chrome cat */
  const char *suffix;      /* without the "~>" */
  const char *op_cat;      /* given by sources with standard names: no rule is asked */
  const char *sub_op;
  const char *file;
  gint64 line;            /* 0 = unknown */
  gboolean is_collective; /* the source says so, whatever the rules say */
  guint64 communicator;   /* whose collective it is: part of what identifies the name; 0 = not said */
  gboolean is_asked_once; /* the caller remembers the id: nobody is likely to ask again */
} TtRawName;

/* Who has the text of a name. A name that shares its suffix, too, cannot be told from another in tables. */
typedef enum
{
  TT_TEXT_IS_FIRST,  /* no name before it */
  TT_TEXT_IS_COMMON, /* the first one with that text has another suffix */
  TT_TEXT_IS_SHARED, /* that has the same suffix, or it is not known */
} TtTextUse;

/* A resolved name. Strings belong to TtNames and live until the next call on it. */
typedef struct
{
  guint32 id;
  const char *op_cat, *op_name, *sub_op, *suffix, *text, *raw, *group, *file;
  gint64 line;
  gboolean is_collective;
  guint64 communicator;
  int rule; /* number of the rule that named it, 0 = none; negative = --name-rules */
  TtTextUse text_use;
} TtName;

/* -- rules ------------------------------------------------------------------------------------ */

/* Loads the shipped rules (src/base/shipped.h), and
 * @extra_path, whose rules are asked first; NULL: none. */
TtNameRules *tt_name_rules_load (const char *extra_path, GError **error);
/* For another user, in the same thread. */
TtNameRules *tt_name_rules_ref (TtNameRules *self);
void tt_name_rules_unref (TtNameRules *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNameRules, tt_name_rules_unref)

typedef struct
{
  int number;         /* as in its file; negative when from the extra file */
  const char *op_cat; /* never NULL: the default is COMP */
  const char *sub_op; /* may be NULL */
  gboolean is_collective;
} TtNameRule;

/* First rule that fits; @op is trimmed. Always answers: without a rule number is 0, op_cat COMP. */
TtNameRule tt_name_rules_match (const TtNameRules *self, const char *source, const char *group, const char *op);

/* What they say of names of one source and group, for many names. Borrows @rules, for one thread. */
typedef struct _TtNameRulesOf TtNameRulesOf;

TtNameRulesOf *tt_name_rules_of_new (const TtNameRules *rules, const char *source, const char *group);
void tt_name_rules_of_free (TtNameRulesOf *self);
TtNameRule tt_name_rules_of_match (TtNameRulesOf *self, const char *op);

/* Two events of which a user says that they begin and end a span. */
typedef struct
{
  const char *begin, *end; /* one '*' in each stands for the same text */
  const char *field;       /* whose value is the name; NULL: what '*' stands for, or `begin` */
  const char *op_cat;      /* NULL: the rules for names decide */
} TtPairRule;

/* All of @self, in the order they are asked; of TtPairRule. */
const GArray *tt_name_rules_pairs (const TtNameRules *self);

/* -- names ------------------------------------------------------------------------------------ */

/* @rules: taken; NULL: everything is COMP. @source: the format's name for rules ("tau"); may change between inputs. */
TtNames *tt_names_new (TtNameRules *rules);
void tt_names_free (TtNames *self);
void tt_names_set_source (TtNames *self, const char *source);
const char *tt_names_source (const TtNames *self); /* may be NULL */
/* NULL: there are no rules. */
const TtNameRules *tt_names_rules (const TtNames *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNames, tt_names_free)

/* Continues a database: its names, in id order, before the first intern. */
void tt_names_seed (TtNames *self, const TtName *name);
/* The id for the next new name; ids are consecutive. */
void tt_names_set_next_id (TtNames *self, guint32 next_id);

/* Id for @raw; *is_new: it was made now (then tt_names_get() has it at hand). */
guint32 tt_names_intern (TtNames *self, const TtRawName *raw, gboolean *is_new);
/* After the last name: frees what only tt_names_intern() needs. */
void tt_names_seal (TtNames *self);
/* Fills @name. FALSE: no such id. */
gboolean tt_names_get (TtNames *self, guint32 id, TtName *name);

/* A bit for each name from `first_id` on, for who asks for every row. */
typedef struct
{
  const guint8 *bits;
  guint32 first_id, n_bytes;
} TtNameMarks;

/* Of names of collectives. Lives as @self does, which may be NULL, and goes on with it. */
const TtNameMarks *tt_names_collectives (const TtNames *self);

static inline gboolean
tt_name_is_marked (const TtNameMarks *marks, guint32 id)
{
  const guint32 i = id - marks->first_id;

  return i / 8 < marks->n_bytes && (marks->bits[i / 8] >> (i % 8) & 1) != 0;
}

static inline gboolean
tt_names_is_collective (const TtNames *self, guint32 id)
{
  return tt_name_is_marked (tt_names_collectives (self), id);
}

guint32 tt_names_count (const TtNames *self);
/* Whether the temporary files of a large table have held so far. Once per block of input. */
gboolean tt_names_check (const TtNames *self, GError **error);
