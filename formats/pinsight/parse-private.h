/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of the parser of PInsight configurations share. From the bottom: piece.c takes text apart,
 * punit-set.c has sets of ids, faults.c reports mistakes, values.c reads values, keys-lexgion.c and keys.c carry out
 * keys, parse-punits.c, parse-lexgion.c and parse-header.c read headers, sections.c carries out headers, parse.c
 * reads lines.
 */
#pragma once

#include "formats/pinsight/piece.h"
#include "formats/pinsight/trace-config.h"

/* Numbers of the language are ints of C. */
#define MOST_INT 2147483647u

/* The parts of a header: target, inheritance, constraints. `at` NULL: not there. */
#define N_HEADER_PARTS 3

typedef struct
{
  TtPiece part[N_HEADER_PARTS];
  TtConfigAction action;
  TtPiece inside;        /* the brackets */
  gboolean is_outside;   /* parts follow the bracket */
  gboolean skips_second; /* by "::" */
} HeaderParts;

typedef enum
{
  SECTION_NONE, /* before the first header */
  SECTION_LEFT_OUT,
  SECTION_OPEN,
} SectionState;

typedef struct
{
  TtConfig *config;
  const TtConfigDomains *domains;
  const char *line; /* first byte */
  gsize line_len;
  guint line_number;
  TtPInsight pinsight;
  gboolean is_stopped; /* the library reads no further */

  SectionState state;
  const TtConfigHeader *header; /* of the open section; borrowed */
  TtPunitSection *section;      /* of TT_CONFIG_PUNITS */
  GPtrArray *lexgions;          /* of TtConfigLexgion: those that the open section configures; borrowed */
  GHashTable *keys;             /* of char *: in the open section so far */

  gboolean *is_domain_copied; /* by domain: something inherited from its default */
  gboolean is_lexgion_copied;
  gboolean has_knobs, has_energy, has_manifest;
} Parser;

/* -- faults.c ----------------------------------------------------------------------------------------- */

/* @hint: taken; NULL: none. */
void tt_config_error (Parser *self, const char *at, const char *code, char *hint, const char *format, ...)
    G_GNUC_PRINTF (5, 6);
void tt_config_warning (Parser *self, const char *at, const char *code, char *hint, const char *format, ...)
    G_GNUC_PRINTF (5, 6);
/* "did you mean 'x'?" for the nearest of @words (NULL-ended); NULL: none is near. */
char *tt_config_near (TtPiece word, const char *const *words);
char *tt_config_near_domain (const Parser *self, TtPiece word);
char *tt_config_near_kind (const Parser *self, guint domain, TtPiece word);
char *tt_config_near_event (const Parser *self, guint domain, TtPiece word);

/* -- punit-set.c ------------------------------------------------------------------------------------- */

TtPunitSet *tt_punit_set_new (guint kind, guint line, guint column);
void tt_punit_set_free (gpointer set);
void tt_id_set_add (GArray *ids, guint32 low, guint32 high);

/* -- parse-punits.c ----------------------------------------------------------------------------------- */

/* "D.kind(ids)". NULL, with the error reported: not one. */
TtPunitSet *tt_config_parse_punit (Parser *self, TtPiece spec);
/* Whether @spec looks like a punit: "D.word(". *kind: the word; *ids: what is in the parentheses. */
gboolean tt_config_split_punit (TtPiece spec, TtPiece *domain, TtPiece *kind, TtPiece *ids, gboolean *is_closed);

/* -- parse-header.c ----------------------------------------------------------------------------------- */

/* @line: the header, stripped. NULL with the errors reported. */
TtConfigHeader *tt_config_parse_header (Parser *self, TtPiece line);
void tt_config_header_free (TtConfigHeader *header);

/* -- parse-dialect.c --------------------------------------------------------------------------------- */

/* What the library makes of a header, with a warning where that is not what it says. FALSE: it leaves the section out.
 * Changes @parts; a target that it takes for another goes to @header, whose domain is then set. */
gboolean tt_config_read_as (Parser *self, HeaderParts *parts, TtConfigHeader *header);
/* The same of the target, once it is read. */
gboolean tt_config_read_target_as (Parser *self, const HeaderParts *parts, TtConfigHeader *header);

/* -- parse-lexgion.c ---------------------------------------------------------------------------------- */

/* "'TEXT' FAULT", with the nearest word for a section. FALSE, always. */
gboolean tt_config_spec_error (Parser *self, TtPiece at, const char *fault);
/* "Lexgion..." as a target. FALSE with the errors reported. */
gboolean tt_config_parse_lexgion (Parser *self, TtPiece text, TtConfigHeader *header);
TtLexId *tt_lex_id_copy (const TtLexId *id);
void tt_lex_id_free (TtLexId *id);

/* -- sections.c --------------------------------------------------------------------------------------- */

/* Opens the section of @header; what it inherits is copied now. */
void tt_config_open_section (Parser *self, const TtConfigHeader *header);
/* Adds what the file does not say: a default for the lexgions of each domain. */
void tt_config_complete (Parser *self);
TtConfigLexgion *tt_config_lexgion_new (const TtConfigDomains *domains);
void tt_config_lexgion_free (gpointer lexgion);
void tt_punit_section_free (gpointer section);

/* -- values.c ----------------------------------------------------------------------------------------- */

/* Reports that @value is not what is @wanted. */
void tt_config_value_error (Parser *self, TtPiece value, const char *wanted);
/* Whether they are; with their errors reported. */
gboolean tt_config_parse_int (Parser *self, TtPiece value, gint64 least, const char *wanted, gint64 *number);
/* Whether they are; without a report. A policy is given as its canonical word, to be freed; NULL: none. */
gboolean tt_config_parse_mode (TtPiece value, TtConfigMode *mode);
char *tt_config_parse_policy (TtPiece value, gboolean may_rotate);
/* Turns an event of @domain on or off in @mask. Gives the
 * canonical value, to be freed; NULL: there is none. */
char *tt_config_assign_event (Parser *self, guint domain, TtPiece name, const char *at, TtPiece value, guint64 *mask);
/* A key of another section is no misspelt event: whether it is one, and was reported. */
gboolean tt_config_refuse_foreign_key (Parser *self, TtPiece key);

/* -- keys.c ------------------------------------------------------------------------------------------- */

/* Carries out "key = value" in the open section. The value as it is written canonically; NULL: as it stands. Free it.
 * */
char *tt_config_assign (Parser *self, TtPiece key, TtPiece value);

/* -- keys-lexgion.c ----------------------------------------------------------------------------------- */

/* tt_config_assign() for sections of lexgions. */
char *tt_config_assign_in_lexgion (Parser *self, TtPiece key, TtPiece value);
