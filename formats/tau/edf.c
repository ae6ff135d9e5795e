#include "config.h"

#include "formats/tau/edf.h"

#include "src/error.h"
#include "src/input.h"
#include "src/slots.h"
#include "src/tape.h"

#include <string.h>
#include <xxhash.h>

#define MAGIC_WORD "dynamic_trace_events"
#define LINE_MOST ((gsize) 64 << 10)
#define ROW_MOST (4 * LINE_MOST) /* of lines joined */
#define COUNT_MOST G_GINT64_CONSTANT (1000000000)
#define TAPE_MEMORY ((gsize) 4 << 20)
#define BLOCK ((gsize) 256 << 10)
#define ROW_GUESS 192u /* most rows are shorter: one read gets them */

/* On the tape: this, then group and name with their NULs. */
typedef struct
{
  gint64 tag;
  guint32 kind;
  guint32 group_len, name_len;
} StoredRow;

struct _TtTauEdf
{
  char *path;
  GString *line;    /* begun, its end not yet fed */
  GString *row;     /* the lines of a row so far; empty: none */
  guint64 n_lines;  /* finished */
  guint64 row_line; /* where `row` begins */
  gint64 n_declared;
  guint64 n_rows;
  gboolean has_header;
  TtTape *tape;
  TtSlots *ids;   /* mixed id -> place on the tape + 1 */
  TtSlots *names; /* hash of name -> the same, of its first row; only until the end */
  guint64 seed;
  GByteArray *found; /* group and name of the row found last */
  TtRepairs repairs;
};

TtTauEdf *
tt_tau_edf_new (const char *path)
{
  TtTauEdf *self = g_new0 (TtTauEdf, 1);

  self->path = g_strdup (path);
  self->line = g_string_new (NULL);
  self->row = g_string_new (NULL);
  self->tape = tt_tape_new (TAPE_MEMORY);
  self->ids = tt_slots_new ();
  self->names = tt_slots_new ();
  self->seed = (guint64) g_random_int () << 32 | g_random_int ();
  self->found = g_byte_array_new ();
  return self;
}

void
tt_tau_edf_free (TtTauEdf *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  g_string_free (self->line, TRUE);
  g_string_free (self->row, TRUE);
  tt_tape_free (self->tape);
  tt_slots_free (self->ids);
  tt_slots_free (self->names);
  g_byte_array_unref (self->found);
  g_free (self);
}

const char *
tt_tau_edf_path (const TtTauEdf *self)
{
  return self->path;
}

guint64
tt_tau_edf_n_rows (const TtTauEdf *self)
{
  return self->n_rows;
}

const TtRepairs *
tt_tau_edf_repairs (const TtTauEdf *self)
{
  return &self->repairs;
}

gboolean
tt_tau_edf_check (const TtTauEdf *self, GError **error)
{
  return tt_tape_check (self->tape, error) && tt_slots_check (self->ids, error)
         && (self->names == NULL || tt_slots_check (self->names, error));
}

static gboolean
fail (const TtTauEdf *self, guint64 line, GError **error, const char *reason)
{
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %" G_GUINT64_FORMAT ": %s", self->path, line, reason);
  return FALSE;
}

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

/* ID GROUP TAG and the first quote: no continuation of a name looks so. */
static gboolean
looks_like_row (const char *line)
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

typedef struct
{
  const char *text;
  gsize len;
} Piece;

static Piece
trim (const char *text, const char *end)
{
  while (text < end && g_ascii_isspace (*text))
    text++;
  while (end > text && g_ascii_isspace (end[-1]))
    end--;
  return (Piece){ text, (gsize) (end - text) };
}

static gboolean
piece_is (const Piece *piece, const char *text)
{
  return piece->len == strlen (text) && memcmp (piece->text, text, piece->len) == 0;
}

static gboolean
has_prefix (const Piece *piece, const char *text)
{
  return piece->len >= strlen (text) && memcmp (piece->text, text, strlen (text)) == 0;
}

/* -- kinds ---------------------------------------------------------------------------------------- */

static TtTauKind
kind_of_user_event (const Piece *name, gint64 tag)
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
kind_of_none (const Piece *name)
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
kind_of (const Piece *group, gint64 tag, const Piece *name, const Piece *params)
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

/* -- rows ------------------------------------------------------------------------------------------- */

static guint64
id_key (const TtTauEdf *self, gint64 id)
{
  return tt_slots_mix ((guint64) id ^ self->seed);
}

static void
note_name (TtTauEdf *self, const char *name, gsize len, guint64 place)
{
  guint64 hash = XXH3_64bits_withSeed (name, len, self->seed), other;
  TtSlotCursor cursor = { 0 };

  while ((other = tt_slots_find (self->names, hash, &cursor)) != 0)
    {
      StoredRow row;
      tt_tape_read (self->tape, other - 1, &row, sizeof row);
      if (row.name_len != len)
        continue;
      g_autofree char *text = g_malloc (len + 1);
      tt_tape_read (self->tape, other - 1 + sizeof row + row.group_len + 1, text, len + 1);
      if (memcmp (text, name, len) == 0)
        {
          tt_repairs_add (&self->repairs, TT_REPAIR_DUPLICATE_NAME, self->row_line);
          return;
        }
    }
  tt_slots_add (self->names, hash, place);
}

static void
store_row (TtTauEdf *self, gint64 id, gint64 tag, TtTauKind kind, const Piece *group, const Piece *name)
{
  TtSlotCursor cursor = { 0 };
  guint64 key = id_key (self, id);

  self->n_rows++;
  if (tt_slots_find (self->ids, key, &cursor) != 0)
    {
      tt_repairs_add (&self->repairs, TT_REPAIR_DUPLICATE_ID, self->row_line);
      return;
    }

  g_autofree char *mended = NULL;
  gsize len = name->len;
  const char *text = name->text;
  if (!g_utf8_validate_len (text, len, NULL))
    {
      tt_repairs_add (&self->repairs, TT_REPAIR_BAD_UTF8, self->row_line);
      text = mended = g_utf8_make_valid (text, (gssize) len);
      len = strlen (mended);
    }
  g_autofree char *group_text = g_utf8_make_valid (group->text, (gssize) group->len);
  const StoredRow row = {
    .tag = tag,
    .kind = kind,
    .group_len = (guint32) strlen (group_text),
    .name_len = (guint32) len,
  };
  guint64 place = tt_tape_append (self->tape, &row, sizeof row) + 1;
  tt_tape_append (self->tape, group_text, row.group_len + 1);
  tt_tape_append (self->tape, text, len);
  tt_tape_append (self->tape, "", 1);
  tt_slots_add (self->ids, key, place);
  note_name (self, text, len, place);
}

static gboolean
take_row (TtTauEdf *self, GError **error)
{
  const char *p = self->row->str, *end = p + self->row->len;
  gint64 id, tag;
  Piece group;

  const char *quote = strchr (p, '"'), *last = strrchr (p, '"');
  if (quote == NULL)
    return fail (self, self->row_line, error, "the row has no name in double quotes");
  if (last == quote)
    return fail (self, self->row_line, error, "the row has no closing double quote");
  if (!take_number (&p, &id))
    return fail (self, self->row_line, error, "the row does not begin with an event id");
  if (!take_word (&p, &group.text, &group.len))
    return fail (self, self->row_line, error, "the row has no group after its event id");
  if (!is_blank (*p) || !take_number (&p, &tag))
    return fail (self, self->row_line, error, "the row has no tag, a number, after its group");
  while (is_blank (*p))
    p++;
  if (p != quote)
    return fail (self, self->row_line, error, "the row has more than id, group and tag before its name");

  Piece name = trim (quote + 1, last), params = trim (last + 1, end);
  store_row (self, id, tag, kind_of (&group, tag, &name, &params), &group, &name);
  g_string_truncate (self->row, 0);
  return TRUE;
}

static gboolean
has_known_params (const GString *row)
{
  static const char *const known[] = { "EntryExit", "TriggerValue", "none", "par" };
  const char *last = strrchr (row->str, '"');

  if (last == NULL || last == strchr (row->str, '"'))
    return FALSE;
  Piece params = trim (last + 1, row->str + row->len);
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (piece_is (&params, known[i]))
      return TRUE;
  return FALSE;
}

/* -- lines --------------------------------------------------------------------------------------------- */

static gboolean
take_header (TtTauEdf *self, const char *line, GError **error)
{
  const char *p = line;
  gint64 count;

  if (!take_number (&p, &count))
    return fail (self, 1, error, "not the definitions of a TAU trace: the first line is not '<rows> " MAGIC_WORD "'");
  while (is_blank (*p))
    p++;
  if (*p == '\0')
    return fail (self, 1, error, "static definitions (without the word " MAGIC_WORD ") are not supported");
  gsize len = strcspn (p, " \t");
  if (len != strlen (MAGIC_WORD) || memcmp (p, MAGIC_WORD, len) != 0)
    return fail (self, 1, error, "not the definitions of a TAU trace: the first line is not '<rows> " MAGIC_WORD "'");
  if (count < 0 || count > COUNT_MOST)
    return fail (self, 1, error, count < 0 ? "a negative number of rows" : "the declared number of rows is absurd");
  self->n_declared = count;
  self->has_header = TRUE;
  return TRUE;
}

/* Finishes the row before @line, or joins @line to it, or begins one. */
static gboolean
take_line (TtTauEdf *self, const char *line, gsize len, GError **error)
{
  self->n_lines++;
  if (memchr (line, '\0', len) != NULL)
    return fail (self, self->n_lines, error, "a NUL byte");
  if (!self->has_header)
    return take_header (self, line, error);

  gboolean is_nothing = line[strspn (line, " \t")] == '\0' || *line == '#';
  if (self->row->len > 0)
    {
      const char *quote = strchr (self->row->str, '"');
      gboolean is_open = quote != NULL && strchr (quote + 1, '"') == NULL;
      gboolean is_next = looks_like_row (line) || (is_nothing && !is_open);

      if (quote == NULL || has_known_params (self->row) || is_next)
        {
          if (!take_row (self, error))
            return FALSE;
        }
      else if (self->row->len + len > ROW_MOST)
        return fail (self, self->row_line, error, "the row is too long");
      else
        {
          tt_repairs_add (&self->repairs, TT_REPAIR_JOINED_ROW, self->row_line);
          g_string_append_c (self->row, '\n');
          g_string_append_len (self->row, line, (gssize) len);
          return TRUE;
        }
    }
  if (!is_nothing)
    {
      self->row_line = self->n_lines;
      g_string_append_len (self->row, line, (gssize) len);
    }
  return TRUE;
}

static gboolean
end_line (TtTauEdf *self, GError **error)
{
  if (self->line->len > 0 && self->line->str[self->line->len - 1] == '\r')
    g_string_truncate (self->line, self->line->len - 1);
  gboolean is_good = take_line (self, self->line->str, self->line->len, error);
  g_string_truncate (self->line, 0);
  return is_good;
}

gboolean
tt_tau_edf_feed (TtTauEdf *self, const char *text, gsize len, GError **error)
{
  const char *end = text + len;

  while (text < end)
    {
      const char *newline = memchr (text, '\n', (gsize) (end - text));
      gsize n = (gsize) ((newline != NULL ? newline : end) - text);

      if (self->line->len + n > LINE_MOST)
        return fail (self, self->n_lines + 1, error, "the line is longer than 65536 bytes");
      g_string_append_len (self->line, text, (gssize) n);
      text += n;
      if (newline == NULL)
        break;
      text++;
      if (!end_line (self, error))
        return FALSE;
    }
  return tt_tau_edf_check (self, error);
}

gboolean
tt_tau_edf_end (TtTauEdf *self, GError **error)
{
  if (self->line->len > 0 && !end_line (self, error))
    return FALSE;
  if (!self->has_header)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: an empty definition file", self->path);
      return FALSE;
    }
  if (self->row->len > 0 && !take_row (self, error))
    return FALSE;
  gboolean is_good = tt_tau_edf_check (self, error);
  g_clear_pointer (&self->names, tt_slots_free);
  /* TAU declares one row more than it writes. */
  if ((guint64) self->n_declared != self->n_rows && (guint64) self->n_declared != self->n_rows + 1)
    tt_repairs_add (&self->repairs, TT_REPAIR_ROW_COUNT, 1);
  return is_good;
}

TtTauEdf *
tt_tau_edf_load (const char *path, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);
  g_autoptr (TtTauEdf) self = NULL;
  g_autofree char *block = g_malloc (BLOCK);
  gssize n;

  if (input == NULL)
    return NULL;
  self = tt_tau_edf_new (path);
  while ((n = tt_input_read (input, block, BLOCK, error)) > 0)
    if (!tt_tau_edf_feed (self, block, (gsize) n, error))
      return NULL;
  if (n < 0 || !tt_tau_edf_end (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* -- finding ------------------------------------------------------------------------------------------------ */

gboolean
tt_tau_edf_has (TtTauEdf *self, gint64 id)
{
  TtSlotCursor cursor = { 0 };

  return tt_slots_find (self->ids, id_key (self, id), &cursor) != 0;
}

gboolean
tt_tau_edf_find (TtTauEdf *self, gint64 id, TtTauRow *row)
{
  TtSlotCursor cursor = { 0 };
  guint64 place = tt_slots_find (self->ids, id_key (self, id), &cursor);
  StoredRow stored;

  if (place == 0)
    return FALSE;
  g_byte_array_set_size (self->found, ROW_GUESS);
  tt_tape_read (self->tape, place - 1, self->found->data, ROW_GUESS);
  memcpy (&stored, self->found->data, sizeof stored);
  guint size = (guint) sizeof stored + stored.group_len + stored.name_len + 2;
  if (size > ROW_GUESS)
    {
      g_byte_array_set_size (self->found, size);
      tt_tape_read (self->tape, place - 1 + ROW_GUESS, self->found->data + ROW_GUESS, size - ROW_GUESS);
    }
  const char *strings = (const char *) self->found->data + sizeof stored;
  *row = (TtTauRow){
    .kind = (TtTauKind) stored.kind,
    .tag = stored.tag,
    .group = strings,
    .name = strings + stored.group_len + 1,
  };
  return TRUE;
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
