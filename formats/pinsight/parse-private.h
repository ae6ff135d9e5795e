/*
 * What the parts of the parser of PInsight configurations share: parse.c has the lines, parse-header.c headers, parse-lexgion.c
 * their targets that are lexgions, parse-punits.c pieces of text and sets of ids, sections.c what a header does, keys.c and
 * keys-lexgion.c what a key does, faults.c what is told of mistakes.
 */
#pragma once

#include "formats/pinsight/trace-config.h"

/* Numbers of the language are ints of C. */
#define MOST_INT 2147483647u

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

/* -- parse-lexgion.c ---------------------------------------------------------------------------------- */

/* "'TEXT' FAULT", with the nearest word for a section. FALSE, always. */
gboolean config_spec_error (Parser *self, Piece at, const char *fault);
/* "Lexgion..." as a target. FALSE with the errors reported. */
gboolean config_parse_lexgion (Parser *self, Piece text, TtConfigHeader *header);
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

/* Reports that @value is not what is @wanted. */
void config_value_error (Parser *self, Piece value, const char *wanted);
/* Whether they are; with their errors reported. */
gboolean config_parse_int (Parser *self, Piece value, gint64 least, const char *wanted, gint64 *number);
/* Whether they are; without a report. A policy is given as its canonical word, to be freed; NULL: none. */
gboolean config_parse_mode (Piece value, TtConfigMode *mode);
char *config_parse_policy (Piece value, gboolean may_rotate);
/* Turns an event of @domain on or off in @mask; *is_known: there is such an event, whatever became of it. Gives the
 * canonical value, to be freed; NULL: there is none. */
char *config_assign_event (Parser *self,
                           guint domain,
                           Piece name,
                           const char *at,
                           Piece value,
                           guint64 *mask,
                           gboolean *is_known);
/* A key of another section is no misspelt event: whether it is one, and was reported. */
gboolean config_refuse_foreign_key (Parser *self, Piece key);

/* -- keys-lexgion.c ----------------------------------------------------------------------------------- */

/* config_assign() for sections of lexgions. */
char *config_assign_in_lexgion (Parser *self, Piece key, Piece value);
