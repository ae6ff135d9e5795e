/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtConfig: a PInsight trace configuration: its sections, their meaning, and its mistakes.
 *
 * The language has two forms of section headers, "[target : inheritance : constraints]" and the newer "[ACTION
 * target] : inheritance : constraints"; both are read. Reading is one pass in file order: what a section inherits is
 * a copy made at its header. A mistake never ends the reading: it is kept as a TtConfigFault, the section is left out
 * if its header is wrong, and the next is read. A configuration with errors answers questions about what is right in
 * it, but nothing should be done by it. Facts of the language: the page of the format that PInsight publishes, and
 * what its parser was seen to do.
 */
#pragma once

#include "formats/pinsight/domains.h"
#include "formats/pinsight/sampling.h"

/* -- what is wrong ---------------------------------------------------------------------------------- */

typedef struct
{
  guint line, column; /* from 1; columns are bytes */
  gboolean is_error;
  const char *code; /* "E-RANGE"; static */
  char *text;
  char *hint; /* what to do; NULL: nothing to say */
} TtConfigFault;

/* -- whose rules --------------------------------------------------------------------------------------- */

/* The library changed the form of headers in February 2026 and reads the older one otherwise, without a word. */
typedef enum
{
  TT_PINSIGHT_SEED,    /* the document of the format: both forms mean what they say */
  TT_PINSIGHT_2026_02, /* the library up to 12 February 2026 */
  TT_PINSIGHT_HEAD,    /* the library since then, as of August 2026 */
  TT_N_PINSIGHTS,
} TtPInsight;

/* -- the file, statement by statement ---------------------------------------------------------------- */

typedef enum
{
  TT_CONFIG_NO_ACTION, /* means set */
  TT_CONFIG_SET,
  TT_CONFIG_RESET,
  TT_CONFIG_REMOVE,
} TtConfigAction;

typedef enum
{
  TT_CONFIG_DOMAIN_DEFAULT,
  TT_CONFIG_PUNITS,
  TT_CONFIG_ALL_PUNITS, /* D.kind(*) */
  TT_CONFIG_LEXGION_DEFAULT,
  TT_CONFIG_LEXGION_DOMAIN_DEFAULT,
  TT_CONFIG_LEXGIONS,
  TT_CONFIG_KNOB,
  TT_CONFIG_ENERGY,
  TT_CONFIG_MANIFEST,
} TtConfigTarget;

/* Both ends included. A set is an array of these, in order, without neighbours that touch. */
typedef struct
{
  guint32 low, high;
} TtIdRange;

typedef struct
{
  guint kind;
  guint line, column;
  GArray *ids; /* of TtIdRange; empty: never matches */
} TtPunitSet;

typedef struct
{
  gboolean is_address;
  guint64 address;
  int domain; /* of a named one; -1: any */
  char *file; /* NULL: any */
  char *name;
  guint column;
} TtLexId;

/* What is inherited from: the default of a domain, or Lexgion.default. */
#define TT_CONFIG_BASE_LEXGION (-1)
#define TT_CONFIG_NO_DOMAIN (-1)

typedef struct
{
  TtConfigAction action;
  TtConfigTarget target;
  int domain;             /* of defaults and punits; TT_CONFIG_NO_DOMAIN */
  guint kind;             /* of TT_CONFIG_ALL_PUNITS */
  GPtrArray *punits;      /* of TtPunitSet: targets, one a kind */
  GPtrArray *ids;         /* of TtLexId */
  GArray *bases;          /* of int */
  GPtrArray *constraints; /* of TtPunitSet, one a kind */
  gboolean has_bases, has_constraints;
  guint line, column; /* of the target */
} TtConfigHeader;

typedef enum
{
  TT_STATEMENT_BLANK,
  TT_STATEMENT_COMMENT,
  TT_STATEMENT_HEADER,
  TT_STATEMENT_ASSIGNMENT,
} TtStatementKind;

typedef struct
{
  TtStatementKind kind;
  guint line;
  char *text;             /* of a comment, without white space around it; key of an assignment */
  char *value;            /* of an assignment, as it is written canonically */
  TtConfigHeader *header; /* or NULL */
} TtStatement;

/* -- what it means ----------------------------------------------------------------------------------- */

typedef enum
{
  TT_MODE_OFF,
  TT_MODE_STANDBY,    /* as off, until something turns it on */
  TT_MODE_MONITORING, /* counts, records nothing */
  TT_MODE_TRACING,
} TtConfigMode;

typedef struct
{
  guint32 low, high;
  gboolean is_declared; /* by the file; otherwise PInsight's own */
} TtConfigScope;

typedef struct
{
  TtConfigMode mode;
  guint64 events;
  char *device_activity; /* "off", "on", "leader_per_node" ...; NULL: off */
  guint line;            /* of the first section; 0: the file has none */
} TtDomainDefault;

typedef struct
{
  guint domain;
  GPtrArray *targets, *constraints; /* of TtPunitSet: all must match */
  gboolean has_constraints;
  guint64 events;
  gboolean inherits;
  guint line;
} TtPunitSection;

/* One of Lexgion.default, Lexgion(D).default, Lexgion(address), Lexgion(name). */
typedef struct
{
  TtLexId *id; /* NULL: a default */
  int domain;  /* of Lexgion(D).default; TT_CONFIG_NO_DOMAIN */
  TtSamplingRule rule;
  gboolean *has_mask; /* by domain: without a mask all of the domain's events pass */
  guint64 *mask;
  guint64 *sets; /* by domain: the events that sections of lexgions turn on or off themselves */
  gboolean has_constraints;
  GPtrArray *constraints;
  char *end_action, *end_trigger; /* of the window; NULL: none */
  gint64 timeout_s;
  gboolean is_removed;
  guint line; /* 0: not in the file */
} TtConfigLexgion;

typedef struct
{
  char *name, *value;
} TtKnob;

typedef struct
{
  const TtConfigDomains *domains; /* borrowed */
  char *path;
  GPtrArray *statements; /* of TtStatement */
  GPtrArray *faults;     /* of TtConfigFault, in order of place */
  guint n_errors, n_warnings;
  gboolean is_newer;        /* the file uses what only the newer form has */
  gboolean ignores_windows; /* window_... keys mean nothing: PInsight does not know them yet */
  gboolean skips_sections;  /* sections of units and scopes turn nothing off: PInsight reads and does not ask them */

  TtDomainDefault *defaults;        /* by domain */
  TtConfigScope *scopes;            /* by kind */
  GPtrArray *sections;              /* of TtPunitSection, in file order */
  TtConfigLexgion *lexgion_default; /* never NULL */
  GPtrArray *domain_lexgions;       /* of TtConfigLexgion, by domain; never NULL once the file is read */
  GPtrArray *lexgions;              /* of TtConfigLexgion, in file order */
  GPtrArray *knobs;                 /* of TtKnob */
  char *measure;                    /* [Energy]; NULL: off */
  gint64 manifest_interval_s;
} TtConfig;

/* Always gives one; look at n_errors. @path: what faults call it. By the rules of TT_PINSIGHT_SEED. */
TtConfig *tt_config_parse (const TtConfigDomains *domains, const char *path, const char *text, gsize len);
/* By those of @pinsight; each header that it reads otherwise than it says is a warning W-DIALECT. */
TtConfig *
tt_config_parse_as (const TtConfigDomains *domains, TtPInsight pinsight, const char *path, const char *text, gsize len);
/* NULL with @error: the file cannot be read. */
TtConfig *tt_config_load (const TtConfigDomains *domains, const char *path, GError **error);
void tt_config_free (TtConfig *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtConfig, tt_config_free)

/* "file:line:column: error: text [CODE]", the line, a caret below, the hint, for each fault. @text: as parsed. */
void tt_config_describe_faults (const TtConfig *self, const char *text, gsize len, GString *out);

/* -- questions --------------------------------------------------------------------------------------- */

gboolean tt_id_set_has (const GArray *ids, guint32 id);

/* Where something runs: the id by kind, -1: not known. */
typedef const gint64 *TtPunits;

typedef enum
{
  TT_MATCH_NO,
  TT_MATCH_YES,
  TT_MATCH_UNKNOWN, /* an id that is asked for is not known */
} TtPunitMatch;

/* Whether all of @sets hold for @punits; *which, if asked for, becomes the set that decided against it. */
TtPunitMatch tt_config_match (const TtConfig *self, const GPtrArray *sets, TtPunits punits, const TtPunitSet **which);

typedef enum
{
  TT_EVENT_BY_DEFAULT, /* no punit section matches: D.default */
  TT_EVENT_BY_SECTION,
  TT_EVENT_OUT_OF_SCOPE, /* no section matches, and an id is outside a declared scope */
  TT_EVENT_BY_MODE,      /* the domain is off or on standby */
  TT_EVENT_BY_LEXGION,   /* the lexgion has a mask of the domain */
  TT_EVENT_UNFILTERED,   /* it has a section, and no mask: all that PInsight can record is on */
} TtEventReason;

typedef struct
{
  gboolean is_on;
  TtEventReason reason;
  guint section; /* index, of TT_EVENT_BY_SECTION */
  guint kind;    /* of TT_EVENT_OUT_OF_SCOPE */
} TtEventAnswer;

/* Whether an event is on where it runs, before any lexgion is asked: the first punit section in file order whose
 * targets and constraints all match decides by its own bit, else D.default. @unknown_matches: an id that is not known
 * satisfies what is asked of it. */
TtEventAnswer
tt_config_ask_event (const TtConfig *self, guint domain, guint event, TtPunits punits, gboolean unknown_matches);

/* The same in a lexgion: its mask takes the place of what the domain says, on and off; a default of lexgions has only
 * what it sets itself. An entry without a mask asks nothing, but for sections of units. */
TtEventAnswer tt_config_ask_lexgion (const TtConfig *self,
                                     const TtConfigLexgion *lexgion,
                                     guint domain,
                                     guint event,
                                     TtPunits punits,
                                     gboolean unknown_matches);
/* Whether the constraints of a lexgion hold, which defaults do not have; *which as for tt_config_match(). */
gboolean tt_config_holds (const TtConfig *self,
                          const TtConfigLexgion *lexgion,
                          TtPunits punits,
                          gboolean unknown_matches,
                          const TtPunitSet **which);

/* The entry that configures a site: its address, else its name, else the domain's default. @address 0, @name NULL,
 * @file NULL: not known. Never NULL. */
const TtConfigLexgion *
tt_config_find_lexgion (const TtConfig *self, guint domain, guint64 address, const char *name, const char *file);

/* -- writing ----------------------------------------------------------------------------------------- */

/* The file again in one style: one form of headers, ids merged, words in lower case, two spaces before keys, one
 * empty line between sections. Reads back to the same meaning; only of a file without errors. */
void tt_config_write_canonical (const TtConfig *self, gboolean with_comments, GString *out);
/* What it means, as JSON. */
void tt_config_write_json (const TtConfig *self, GString *out);

/* "0,2-4,6"; "none" for an empty set. */
void tt_id_set_append (const GArray *ids, GString *out);
/* "OpenMP.thread(0-3), MPI.rank(0)". */
void tt_punit_sets_append (const TtConfigDomains *domains, const GPtrArray *sets, GString *out);
/* "Lexgion(0x4010bd)", "Lexgion(MPI).default" ... Free it. */
char *tt_config_lexgion_text (const TtConfig *self, const TtConfigLexgion *lexgion);
/* "OpenMP.thread(0-3)". Free it. */
char *tt_punit_section_text (const TtConfig *self, const TtPunitSection *section);
const char *tt_config_mode_text (TtConfigMode mode);
