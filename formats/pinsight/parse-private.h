/*
 * What the parts of the parser of PInsight configurations share: parse.c has the lines, parse-header.c the headers,
 * parse-punits.c sets of ids, sections.c what a header does, keys.c what a key does.
 */
#pragma once

#include "formats/pinsight/trace-config.h"

/* A piece of the line; its column is where it begins in it. */
typedef struct
{
  const char *at;
  gsize len;
} Piece;

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
void config_error (Parser *self, const char *at, const char *code, char *hint, const char *format, ...)
    G_GNUC_PRINTF (5, 6);
void config_warning (Parser *self, const char *at, const char *code, char *hint, const char *format, ...)
    G_GNUC_PRINTF (5, 6);
/* "did you mean 'x'?" for the nearest of @words (NULL-ended); NULL: none is near. */
char *config_near (Piece word, const char *const *words);
char *config_near_domain (const Parser *self, Piece word);
char *config_near_kind (const Parser *self, guint domain, Piece word);
char *config_near_event (const Parser *self, guint domain, Piece word);

/* -- pieces ------------------------------------------------------------------------------------------- */

static inline Piece
piece_strip (Piece piece)
{
  while (piece.len > 0 && g_ascii_isspace (*piece.at))
    piece.at++, piece.len--;
  while (piece.len > 0 && g_ascii_isspace (piece.at[piece.len - 1]))
    piece.len--;
  return piece;
}

static inline Piece
piece_from (Piece piece, gsize offset)
{
  return (Piece){ piece.at + offset, piece.len - offset };
}

static inline char *
piece_dup (Piece piece)
{
  return g_strndup (piece.at, piece.len);
}

gboolean piece_is (Piece piece, const char *text);
gboolean piece_is_nocase (Piece piece, const char *text);
/* Bytes before the first @c outside parentheses; the whole length if there is none. */
gsize piece_find (Piece piece, char c);
/* Cuts the first element of a list off @rest; FALSE: there are no more. @rest.at NULL marks the end. */
gboolean piece_next (Piece *rest, char separator, Piece *element);
/* A decimal number of at most @most; digits only. */
gboolean piece_number (Piece piece, guint64 most, guint64 *number);

/* -- parse-punits.c ----------------------------------------------------------------------------------- */

/* "D.kind(ids)". NULL, with the error reported: not one. */
TtPunitSet *config_parse_punit (Parser *self, Piece spec);
/* Whether @spec looks like a punit: "D.word(". *kind: the word; *ids: what is in the parentheses. */
gboolean config_split_punit (Piece spec, Piece *domain, Piece *kind, Piece *ids, gboolean *is_closed);
TtPunitSet *tt_punit_set_new (guint kind, guint line, guint column);
void tt_punit_set_free (gpointer set);
TtPunitSet *tt_punit_set_copy (const TtPunitSet *set);
void tt_id_set_add (GArray *ids, guint32 low, guint32 high);

/* -- parse-header.c ----------------------------------------------------------------------------------- */

/* @line: the header, stripped. NULL with the errors reported. */
TtConfigHeader *config_parse_header (Parser *self, Piece line);
void tt_config_header_free (TtConfigHeader *header);
TtLexId *tt_lex_id_copy (const TtLexId *id);
void tt_lex_id_free (TtLexId *id);

/* -- sections.c --------------------------------------------------------------------------------------- */

/* Opens the section of @header; what it inherits is copied now. */
void config_open_section (Parser *self, const TtConfigHeader *header);
/* What the file leaves to be made: a default for the lexgions of each domain. */
void config_complete (Parser *self);
TtConfigLexgion *tt_config_lexgion_new (const TtConfigDomains *domains);
void tt_config_lexgion_free (gpointer lexgion);
void tt_punit_section_free (gpointer section);

/* -- keys.c ------------------------------------------------------------------------------------------- */

/* Carries out "key = value" in the open section. The value as it is written canonically; NULL: as it stands. Free it. */
char *config_assign (Parser *self, Piece key, Piece value);
