#include "config.h"

#include "formats/tau/edf-row.h"

#include <string.h>

#define MAGIC_WORD "dynamic_trace_events"
#define COUNT_MOST G_GINT64_CONSTANT (1000000000)

/* -- words --------------------------------------------------------------------------------------- */

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t';
}

/* A decimal number and the blanks before it. FALSE: there is none, or it does not fit. */
static gboolean
take_number (const char **text, gint64 *number)
{
  const char *p = *text;
  gint64 value = 0;

  while (is_blank (*p))
    p++;
  gboolean is_negative = *p == '-';
  p += is_negative;
  if (!g_ascii_isdigit (*p))
    return FALSE;
  for (; g_ascii_isdigit (*p); p++)
    {
      int digit = is_negative ? '0' - *p : *p - '0';
      if (__builtin_mul_overflow (value, (gint64) 10, &value) || __builtin_add_overflow (value, (gint64) digit, &value))
        return FALSE;
    }
  *text = p;
  *number = value;
  return TRUE;
}

static gboolean
take_word (const char **text, const char **word, gsize *len)
{
  const char *p = *text;

  if (!is_blank (*p))
    return FALSE;
  while (is_blank (*p))
    p++;
  *word = p;
  while (*p != '\0' && *p != '"' && !is_blank (*p))
    p++;
  *len = (gsize) (p - *word);
  *text = p;
  return *len > 0;
}

gboolean
tt_tau_row_begins (const char *line)
{
  gint64 number;
  const char *word;
  gsize len;

  if (!take_number (&line, &number) || !take_word (&line, &word, &len) || !is_blank (*line)
      || !take_number (&line, &number) || !is_blank (*line))
    return FALSE;
  while (is_blank (*line))
    line++;
  return *line == '"';
}

static TtTauPiece
trim (const char *text, const char *end)
{
  while (text < end && g_ascii_isspace (*text))
    text++;
  while (end > text && g_ascii_isspace (end[-1]))
    end--;
  return (TtTauPiece){ text, (gsize) (end - text) };
}

static gboolean
piece_is (const TtTauPiece *piece, const char *text)
{
  return piece->len == strlen (text) && memcmp (piece->text, text, piece->len) == 0;
}

static gboolean
has_prefix (const TtTauPiece *piece, const char *text)
{
  return piece->len >= strlen (text) && memcmp (piece->text, text, strlen (text)) == 0;
}

/* -- kinds ---------------------------------------------------------------------------------------- */

static TtTauKind
kind_of_user_event (const TtTauPiece *name, gint64 tag)
{
  if (piece_is (name, "ONESIDED_MESSAGE_SEND") || piece_is (name, "ONESIDED_MESSAGE_RECIPROCAL_SEND"))
    return TT_TAU_ONESIDED_SEND;
  if (piece_is (name, "ONESIDED_MESSAGE_RECV") || piece_is (name, "ONESIDED_MESSAGE_RECIPROCAL_RECV"))
    return TT_TAU_ONESIDED_RECV;
  if (piece_is (name, "ONESIDED_MESSAGE_ID_TriggerValueT1"))
    return TT_TAU_ONESIDED_ID1;
  if (piece_is (name, "ONESIDED_MESSAGE_ID_TriggerValueT2"))
    return TT_TAU_ONESIDED_ID2;
  if (has_prefix (name, "ONESIDED_MESSAGE"))
    return TT_TAU_ONESIDED;
  if (tag > 0)
    return TT_TAU_METRIC;
  if (tag < 0 || has_prefix (name, "TauTraceClockOffset"))
    return TT_TAU_SINGLE;
  /* Without its value the blank behind the bar is trimmed off. */
  gboolean is_metadata = g_strstr_len (name->text, (gssize) name->len, " | ") != NULL
                         || (name->len > 2 && memcmp (name->text + name->len - 2, " |", 2) == 0);
  return is_metadata ? TT_TAU_METADATA : TT_TAU_VALUE;
}

static TtTauKind
kind_of_none (const TtTauPiece *name)
{
  static const struct
  {
    const char *name;
    TtTauKind kind;
  } kinds[] = {
    { "EV_INIT", TT_TAU_INIT },          { "FLUSH_INITM", TT_TAU_INIT },       { "FLUSH_CLOSE", TT_TAU_CLOSE },
    { "WALL_CLOCK", TT_TAU_WALL_CLOCK }, { "FLUSH_ENTER", TT_TAU_FLUSH_ENTER }, { "FLUSH_EXIT", TT_TAU_FLUSH_EXIT },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (piece_is (name, kinds[i].name))
      return kinds[i].kind;
  return TT_TAU_SILENT;
}

static TtTauKind
kind_of (const TtTauPiece *group, gint64 tag, const TtTauPiece *name, const TtTauPiece *params)
{
  if (piece_is (params, "EntryExit"))
    return piece_is (group, "TRACER") && piece_is (name, "FLUSH") ? TT_TAU_FLUSH : TT_TAU_STATE;
  if (piece_is (params, "TriggerValue"))
    return kind_of_user_event (name, tag);
  if (piece_is (params, "none"))
    return kind_of_none (name);
  if (piece_is (params, "par") && (tag == -7 || tag == -8))
    return tag == -7 ? TT_TAU_SEND : TT_TAU_RECV;
  return TT_TAU_OTHER;
}

/* -- rows --------------------------------------------------------------------------------------- */

const char *
tt_tau_row_parse (const char *row, gsize len, TtTauRowParts *parts)
{
  const char *p = row, *quote = strchr (row, '"'), *last = strrchr (row, '"');

  if (quote == NULL)
    return "the row has no name in double quotes";
  if (last == quote)
    return "the row has no closing double quote";
  if (!take_number (&p, &parts->id))
    return "the row does not begin with an event id";
  if (!take_word (&p, &parts->group.text, &parts->group.len))
    return "the row has no group after its event id";
  if (!is_blank (*p) || !take_number (&p, &parts->tag))
    return "the row has no tag, a number, after its group";
  while (is_blank (*p))
    p++;
  if (p != quote)
    return "the row has more than id, group and tag before its name";

  TtTauPiece params = trim (last + 1, row + len);
  parts->name = trim (quote + 1, last);
  parts->kind = kind_of (&parts->group, parts->tag, &parts->name, &params);
  return NULL;
}

gboolean
tt_tau_row_ends (const char *row, gsize len)
{
  static const char *const known[] = { "EntryExit", "TriggerValue", "none", "par" };
  const char *last = strrchr (row, '"');

  if (last == NULL || last == strchr (row, '"'))
    return FALSE;
  TtTauPiece params = trim (last + 1, row + len);
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (piece_is (&params, known[i]))
      return TRUE;
  return FALSE;
}

/* -- the first line ------------------------------------------------------------------------------- */

const char *
tt_tau_header_parse (const char *line, gint64 *n_declared)
{
  const char *p = line;

  if (!take_number (&p, n_declared))
    return "not the definitions of a TAU trace: the first line is not '<rows> " MAGIC_WORD "'";
  while (is_blank (*p))
    p++;
  if (*p == '\0')
    return "static definitions (without the word " MAGIC_WORD ") are not supported";
  gsize len = strcspn (p, " \t");
  if (len != strlen (MAGIC_WORD) || memcmp (p, MAGIC_WORD, len) != 0)
    return "not the definitions of a TAU trace: the first line is not '<rows> " MAGIC_WORD "'";
  if (*n_declared < 0)
    return "a negative number of rows";
  return *n_declared > COUNT_MOST ? "the declared number of rows is absurd" : NULL;
}

gboolean
tt_tau_edf_probe (const guint8 *head, gsize len)
{
  char line[64] = "";
  const char *p = line;
  gint64 count;

  memcpy (line, head, MIN (len, sizeof line - 1));
  if (!take_number (&p, &count))
    return FALSE;
  while (is_blank (*p))
    p++;
  return g_str_has_prefix (p, MAGIC_WORD);
}
