/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/rows.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC_WORD "dynamic_trace_events"
#define MAX_LINE ((size_t) 64 << 10)
#define MAX_ROW (4 * MAX_LINE) /* of lines joined */
#define MAX_COUNT INT64_C (1000000000)

/* -- text ---------------------------------------------------------------------------------------- */

static bool
append (TtTauText *self, const char *text, size_t len)
{
  if (self->room < self->len + len + 1)
    {
      size_t room = 2 * (self->len + len) + 256;
      char *grown = realloc (self->text, room);
      if (grown == NULL)
        return false;
      self->text = grown;
      self->room = room;
    }
  if (len > 0)
    memcpy (self->text + self->len, text, len);
  self->len += len;
  self->text[self->len] = '\0';
  return true;
}

static void
truncate_to (TtTauText *self, size_t len)
{
  self->len = len;
  if (self->text != NULL)
    self->text[len] = '\0';
}

static bool
fail_line (TtTauRows *self, uint64_t line, const char *reason)
{
  self->reason = reason;
  self->reason_line = line;
  return false;
}

/* -- words --------------------------------------------------------------------------------------- */

static bool
is_blank (char c)
{
  return c == ' ' || c == '\t';
}

static bool
is_space (char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r' && c != '\v');
}

static bool
is_digit (char c)
{
  return c >= '0' && c <= '9';
}

/* A decimal number and the blanks before it. FALSE: there is none, or it does not fit. */
static bool
read_number (const char **text, int64_t *number)
{
  const char *p = *text;
  int64_t value = 0;

  while (is_blank (*p))
    p++;
  bool is_negative = *p == '-';
  p += is_negative;
  if (!is_digit (*p))
    return false;
  for (; is_digit (*p); p++)
    {
      int digit = is_negative ? '0' - *p : *p - '0';
      if (__builtin_mul_overflow (value, (int64_t) 10, &value) ||
          __builtin_add_overflow (value, (int64_t) digit, &value))
        return false;
    }
  *text = p;
  *number = value;
  return true;
}

static bool
read_word (const char **text, TtTauPiece *word)
{
  const char *p = *text;

  if (!is_blank (*p))
    return false;
  while (is_blank (*p))
    p++;
  word->text = p;
  while (*p != '\0' && *p != '"' && !is_blank (*p))
    p++;
  word->len = (size_t) (p - word->text);
  *text = p;
  return word->len > 0;
}

/* ID GROUP TAG and the first quote: no continuation of a name looks so. */
static bool
looks_like_row (const char *line)
{
  int64_t number;
  TtTauPiece word;

  if (!read_number (&line, &number) || !read_word (&line, &word) || !is_blank (*line) ||
      !read_number (&line, &number) || !is_blank (*line))
    return false;
  while (is_blank (*line))
    line++;
  return *line == '"';
}

static TtTauPiece
trim_blanks (const char *text, const char *end)
{
  while (text < end && is_space (*text))
    text++;
  while (end > text && is_space (end[-1]))
    end--;
  return (TtTauPiece){ text, (size_t) (end - text) };
}

static bool
piece_is (const TtTauPiece *piece, const char *text)
{
  return piece->len == strlen (text) && memcmp (piece->text, text, piece->len) == 0;
}

static bool
has_prefix (const TtTauPiece *piece, const char *text)
{
  return piece->len >= strlen (text) && memcmp (piece->text, text, strlen (text)) == 0;
}

static bool
has_bar (const TtTauPiece *name)
{
  for (size_t i = 0; i + 3 <= name->len; i++)
    if (memcmp (name->text + i, " | ", 3) == 0)
      return true;
  /* Without a value the blank after the bar was trimmed off. */
  return name->len > 2 && memcmp (name->text + name->len - 2, " |", 2) == 0;
}

/* -- kinds ---------------------------------------------------------------------------------------- */

static TtTauKind
kind_of_user_event (const TtTauPiece *name, int64_t tag)
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
  return has_bar (name) ? TT_TAU_METADATA : TT_TAU_VALUE;
}

static TtTauKind
kind_of_none (const TtTauPiece *name)
{
  static const struct
  {
    const char *name;
    TtTauKind kind;
  } kinds[] = {
    { "EV_INIT", TT_TAU_INIT },          { "FLUSH_INITM", TT_TAU_INIT },        { "FLUSH_CLOSE", TT_TAU_CLOSE },
    { "WALL_CLOCK", TT_TAU_WALL_CLOCK }, { "FLUSH_ENTER", TT_TAU_FLUSH_ENTER }, { "FLUSH_EXIT", TT_TAU_FLUSH_EXIT },
  };

  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (piece_is (name, kinds[i].name))
      return kinds[i].kind;
  return TT_TAU_SILENT;
}

static TtTauKind
kind_of (const TtTauRowText *row, const TtTauPiece *params)
{
  if (piece_is (params, "EntryExit"))
    return piece_is (&row->group, "TRACER") && piece_is (&row->name, "FLUSH") ? TT_TAU_FLUSH : TT_TAU_STATE;
  if (piece_is (params, "TriggerValue"))
    return kind_of_user_event (&row->name, row->tag);
  if (piece_is (params, "none"))
    return kind_of_none (&row->name);
  if (piece_is (params, "par") && (row->tag == -7 || row->tag == -8))
    return row->tag == -7 ? TT_TAU_SEND : TT_TAU_RECV;
  return TT_TAU_OTHER;
}

/* -- rows ------------------------------------------------------------------------------------------- */

static bool
hand_on_row (TtTauRows *self)
{
  const char *p = self->row.text, *end = p + self->row.len;
  TtTauRowText row = { .line = self->row_line };

  const char *quote = strchr (p, '"'), *last = strrchr (p, '"');
  if (quote == NULL)
    return fail_line (self, self->row_line, "the row has no name in double quotes");
  if (last == quote)
    return fail_line (self, self->row_line, "the row has no closing double quote");
  if (!read_number (&p, &row.id))
    return fail_line (self, self->row_line, "the row does not begin with an event id");
  if (!read_word (&p, &row.group))
    return fail_line (self, self->row_line, "the row has no group after its event id");
  if (!is_blank (*p) || !read_number (&p, &row.tag))
    return fail_line (self, self->row_line, "the row has no tag, a number, after its group");
  while (is_blank (*p))
    p++;
  if (p != quote)
    return fail_line (self, self->row_line, "the row has more than id, group and tag before its name");

  TtTauPiece params = trim_blanks (last + 1, end);
  row.name = trim_blanks (quote + 1, last);
  row.quoted = (TtTauPiece){ quote, (size_t) (last + 1 - quote) };
  row.has_inner_quotes = strchr (quote + 1, '"') != last;
  row.kind = kind_of (&row, &params);
  return self->taker.row (&row, self->taker.data);
}

static bool
read_row (TtTauRows *self)
{
  bool is_good = hand_on_row (self);

  if (!is_good && self->taker.skips_bad && self->reason != NULL)
    {
      self->reason = NULL;
      is_good = true;
    }
  truncate_to (&self->row, 0);
  return is_good;
}

static bool
has_known_params (const TtTauText *row)
{
  static const char *const known[] = { "EntryExit", "TriggerValue", "none", "par" };
  const char *last = strrchr (row->text, '"');

  if (last == NULL || last == strchr (row->text, '"'))
    return false;
  TtTauPiece params = trim_blanks (last + 1, row->text + row->len);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (piece_is (&params, known[i]))
      return true;
  return false;
}

/* -- lines --------------------------------------------------------------------------------------------- */

static bool
read_header (TtTauRows *self, const char *line)
{
  const char *p = line;
  int64_t count;

  if (!read_number (&p, &count))
    return fail_line (self, 1, "not the definitions of a TAU trace: the first line is not '<rows> " MAGIC_WORD "'");
  while (is_blank (*p))
    p++;
  if (*p == '\0')
    return fail_line (self, 1, "static definitions (without the word " MAGIC_WORD ") are not supported");
  size_t len = strcspn (p, " \t");
  if (len != strlen (MAGIC_WORD) || memcmp (p, MAGIC_WORD, len) != 0)
    return fail_line (self, 1, "not the definitions of a TAU trace: the first line is not '<rows> " MAGIC_WORD "'");
  if (count < 0 || count > MAX_COUNT)
    return fail_line (self, 1, count < 0 ? "a negative number of rows" : "the declared number of rows is absurd");
  self->n_declared = count;
  self->has_header = true;
  return true;
}

/* Whether @line was joined to the row before it; otherwise that is finished. */
static bool
finish_or_join_row (TtTauRows *self, const char *line, size_t len, bool is_nothing, bool *is_joined)
{
  const char *quote = strchr (self->row.text, '"');
  bool is_open = quote != NULL && strchr (quote + 1, '"') == NULL;
  bool is_next = looks_like_row (line) || (is_nothing && !is_open);

  *is_joined = false;
  if (quote == NULL || has_known_params (&self->row) || is_next)
    return read_row (self);
  if (self->row.len + len > MAX_ROW)
    {
      truncate_to (&self->row, 0);
      return self->taker.skips_bad || fail_line (self, self->row_line, "the row is too long");
    }
  if (self->taker.joined != NULL)
    self->taker.joined (self->row_line, self->taker.data);
  *is_joined = true;
  return (append (&self->row, "\n", 1) && append (&self->row, line, len)) ||
         fail_line (self, self->n_lines, "out of memory");
}

/* Finishes the row before @line, or joins @line to it, or begins one. */
static bool
read_line (TtTauRows *self, const char *line, size_t len)
{
  bool is_joined = false;

  self->n_lines++;
  if (memchr (line, '\0', len) != NULL)
    return (self->taker.skips_bad && self->has_header) || fail_line (self, self->n_lines, "a NUL byte");
  if (!self->has_header)
    return read_header (self, line);

  bool is_nothing = line[strspn (line, " \t")] == '\0' || *line == '#';
  if (self->row.len > 0 && !finish_or_join_row (self, line, len, is_nothing, &is_joined))
    return false;
  if (is_joined || is_nothing)
    return true;
  self->row_line = self->n_lines;
  return append (&self->row, line, len) || fail_line (self, self->n_lines, "out of memory");
}

static bool
end_line (TtTauRows *self)
{
  if (self->line.len > 0 && self->line.text[self->line.len - 1] == '\r')
    truncate_to (&self->line, self->line.len - 1);
  bool is_good = read_line (self, self->line.text, self->line.len);
  truncate_to (&self->line, 0);
  return is_good;
}

bool
tt_tau_rows_feed (TtTauRows *self, const char *text, size_t len)
{
  const char *end = text + len;

  while (text < end)
    {
      const char *newline = memchr (text, '\n', (size_t) (end - text));
      size_t n = (size_t) ((newline != NULL ? newline : end) - text);

      if (self->line.len + n > MAX_LINE)
        return fail_line (self, self->n_lines + 1, "the line is longer than 65536 bytes");
      if (!append (&self->line, text, n))
        return fail_line (self, self->n_lines + 1, "out of memory");
      text += n;
      if (newline == NULL)
        break;
      text++;
      if (!end_line (self))
        return false;
    }
  return true;
}

bool
tt_tau_rows_end (TtTauRows *self)
{
  if (self->line.len > 0 && !end_line (self))
    return false;
  if (!self->has_header)
    return fail_line (self, 0, "an empty definition file");
  return self->row.len == 0 || read_row (self);
}

bool
tt_tau_rows_probe (const uint8_t *head, size_t len)
{
  char line[64] = "";
  const char *p = line;
  int64_t count;

  memcpy (line, head, len < sizeof line ? len : sizeof line - 1);
  if (!read_number (&p, &count))
    return false;
  while (is_blank (*p))
    p++;
  return strncmp (p, MAGIC_WORD, strlen (MAGIC_WORD)) == 0;
}

void
tt_tau_rows_init (TtTauRows *self, const TtTauRowTaker *taker)
{
  *self = (TtTauRows){ .taker = *taker };
}

void
tt_tau_rows_clear (TtTauRows *self)
{
  free (self->line.text);
  free (self->row.text);
  *self = (TtTauRows){ 0 };
}
