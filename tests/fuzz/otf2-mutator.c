/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutations that keep files of OTF2 records of known kinds: events of every kind with times and attributes, mapping tables and offsets of
 * clocks, strings that tracetool's own archives have, attributes, properties and what else events refer to; records are lost, doubled and
 * moved. A fuzzer that changes bytes seldom makes two records fit each other: an attribute needs a definition, two strings and an event.
 * A fourth of the mutations are of bytes all the same.
 *
 * For targets that name this file under "Links:"; the input is that of fuzz-otf2.c.
 */
#include "config.h"

#include "formats/otf2/definitions.h"
#include "formats/otf2/events.h"

#define HEAD 7u
#define N_FILES 4u
#define MAX_RECORDS 1024u

size_t LLVMFuzzerMutate (guint8 *bytes, size_t len, size_t max);
size_t LLVMFuzzerCustomMutator (guint8 *bytes, size_t len, size_t max, unsigned seed);

enum
{
  DEFINITIONS,
  LOCAL,
  MARKERS,
  EVENTS,
};

enum
{
  TIME = 5, /* of events */
  ATTRIBUTES = 6,
  MAPPING_TABLE = 5, /* of local definitions */
  CLOCK_OFFSET = 6,
};

typedef struct
{
  GRand *random;
  gboolean is_big;
  GByteArray *file;
  GByteArray *body; /* of the record that is made */
} Maker;

static const char *const words[] = {
  "tracetool",
  "tracetool flow 0",
  "tracetool flow 9",
  "argument",
  "argument in JSON",
  "{\"a\": [1]}",
  "args",
  "flags",
  "overlap,async",
  "step",
  "region",
  "depth",
  "self",
  "time",
  "tag",
  "pair tag",
  "pair communicator",
  "peer",
  "bytes",
  "size unknown",
  "duration",
  "flow out 1 request",
  "flow in 1 request",
  "flow time 1",
  "role",
  "kernel",
  "launch",
  "blocks",
  "correlation",
  "waits for",
  "queue",
  "waits on",
  "communicator",
  "root",
  "communicator 1",
  "window 1",
  "inferred communicator 1",
  "tracetool::tid",
  "tracetool::label",
  "tracetool::rank",
  "tracetool::same thread",
  "tracetool::facts",
  "tracetool::clock",
  "2",
  "tracetool::tensor 1",
  "=1\t=a\t\t\t=0\t=b\t",
  "tracetool::task 1",
  "=1\t=kernel\t=1\t=2\t=3\t=a\t\t\t\t\t\t\t\t",
  "tracetool::task edge 1",
  "=1\t=2\t=e\t",
  "",
  "MPI_COMM_WORLD",
};

/* -- values -------------------------------------------------------------------------------------------------------- */

static guint
draw (Maker *self, guint n)
{
  return (guint) g_rand_int_range (self->random, 0, (gint32) n);
}

static void
put (GByteArray *to, guint8 byte)
{
  g_byte_array_append (to, &byte, 1);
}

static void
put_full (const Maker *self, GByteArray *to, guint64 value, guint n)
{
  for (guint i = 0; i < n; i++)
    put (to, (guint8) (value >> 8 * (self->is_big ? n - 1 - i : i)));
}

static void
put_packed (const Maker *self, GByteArray *to, guint64 value)
{
  guint n = 0;

  if (value == G_MAXUINT64)
    {
      put (to, 0xff);
      return;
    }
  while (n < 8 && value >> 8 * n != 0)
    n++;
  put (to, (guint8) n);
  put_full (self, to, value, n);
}

/* Mostly an id that there may be. */
static guint64
draw_value (Maker *self, gboolean is_wide)
{
  static const guint64 odd[] = {
    G_MAXUINT64, G_MAXUINT32, G_MAXUINT32 - 1, G_MAXUINT32 - 2, G_MAXINT32, 1 << 20,         255,
    256,         G_MAXINT64,  1ull << 63,      1ull << 56,      1ull << 40, G_MAXUINT64 - 1, 1000000000
  };
  guint64 value = odd[draw (self, G_N_ELEMENTS (odd))];

  if (draw (self, 6) > 0)
    return draw (self, draw (self, 3) == 0 ? 64 : 6);
  return is_wide || value == G_MAXUINT64 ? value : MIN (value, G_MAXUINT32);
}

static void
put_value (Maker *self, char layout)
{
  if (layout == 'b')
    put (self->body, (guint8) draw (self, draw (self, 4) == 0 ? 256 : 16));
  else if (layout == 'F')
    put_full (self, self->body, draw_value (self, TRUE), 8);
  else
    put_packed (self, self->body, draw_value (self, layout != 'u'));
}

/* A type and a value of it. */
static void
put_typed (Maker *self)
{
  static const guint8 sizes[] = { [1] = 1, [2] = 2, [5] = 1, [6] = 2, [9] = 4, [10] = 8 };
  guint type = draw (self, 3) == 0 ? 11 : draw (self, 27);

  put (self->body, (guint8) type);
  if (type < G_N_ELEMENTS (sizes) && sizes[type] > 0)
    put_full (self, self->body, draw_value (self, TRUE), sizes[type]);
  else
    put_value (self, type == 4 || type == 8 || type == 13 ? 'q' : 'u');
}

static void
end_record (Maker *self, GByteArray *to, guint8 kind)
{
  put (to, kind);
  if (self->body->len < 0xff)
    put (to, (guint8) self->body->len);
  else
    {
      put (to, 0xff);
      put_full (self, to, self->body->len, 8);
    }
  g_byte_array_append (to, self->body->data, self->body->len);
  g_byte_array_set_size (self->body, 0);
}

/* -- records --------------------------------------------------------------------------------------------------------- */

static void
make_attributes (Maker *self, GByteArray *to)
{
  guint n = draw (self, 6);

  put_packed (self, self->body, draw (self, 20) == 0 ? draw_value (self, FALSE) : n);
  for (guint i = 0; i < n; i++)
    {
      put_value (self, 'u');
      put_typed (self);
    }
  end_record (self, to, ATTRIBUTES);
}

/* @ticks: of the event before. */
static void
make_event (Maker *self, GByteArray *to, guint64 ticks)
{
  guint kind = TT_OTF2_EVENT_BUFFER_FLUSH + draw (self, TT_OTF2_N_EVENTS + 1 - TT_OTF2_EVENT_BUFFER_FLUSH);
  const TtOtf2EventRow *row = kind < TT_OTF2_N_EVENTS ? &tt_otf2_event_rows[kind] : NULL;

  if (draw (self, 3) == 0)
    kind = draw (self, 2) == 0   ? TT_OTF2_EVENT_ENTER
           : draw (self, 2) == 0 ? TT_OTF2_EVENT_LEAVE
                                 : TT_OTF2_EVENT_PARAMETER_STRING;
  row = kind < TT_OTF2_N_EVENTS ? &tt_otf2_event_rows[kind] : NULL;
  if (draw (self, 4) > 0)
    {
      put (to, TIME);
      put_full (self, to, draw (self, 12) == 0 ? draw_value (self, TRUE) : ticks + draw (self, 100), 8);
    }
  if (draw (self, 2) == 0)
    make_attributes (self, to);
  for (guint i = 0; row != NULL && i < TT_OTF2_MAX_VALUES && row->values[i].key != NULL; i++)
    put_value (self, row->values[i].layout);
  for (guint n = kind == TT_OTF2_EVENT_METRIC ? draw (self, 4) : 0; n > 0; n--)
    {
      put (self->body, (guint8) (draw (self, 2) == 0 ? 4 : 8 + 2 * draw (self, 2)));
      put_value (self, 'q');
    }
  if (row != NULL && row->is_alone)
    {
      put (to, (guint8) kind);
      g_byte_array_append (to, self->body->data, self->body->len);
      g_byte_array_set_size (self->body, 0);
    }
  else
    end_record (self, to, (guint8) kind);
}

static void
make_local (Maker *self, GByteArray *to)
{
  guint n = draw (self, 8);
  gboolean is_sparse = draw (self, 3) == 0;

  if (draw (self, 4) == 0)
    {
      put_full (self, self->body, draw_value (self, TRUE), 8);
      put_value (self, 'q');
      put_full (self, self->body, 0, 8);
      end_record (self, to, CLOCK_OFFSET);
      return;
    }
  put (self->body, (guint8) draw (self, TT_OTF2_N_MAPS + 1));
  put_packed (self, self->body, draw (self, 20) == 0 ? draw_value (self, TRUE) : n);
  put (self->body, is_sparse);
  for (guint i = 0; i < n * (is_sparse ? 2 : 1); i++)
    put_value (self, 'q');
  end_record (self, to, MAPPING_TABLE);
}

/* @n_strings: how many there are; another gets the next id. */
static void
make_definition (Maker *self, GByteArray *to, guint n_strings)
{
  /* As in formats/otf2/definitions.c: t a type and a value, B and U a list. */
  static const struct
  {
    guint8 kind;
    const char *layout;
  } kinds[] = {
    { TT_OTF2_ATTRIBUTE, "uubu" },
    { TT_OTF2_ATTRIBUTE, "uubu" },
    { TT_OTF2_LOCATION_GROUP, "uubuu" },
    { TT_OTF2_LOCATION, "qubqu" },
    { TT_OTF2_REGION, "uuubuuuubbu" },
    { TT_OTF2_GROUP, "uubUbbu" },
    { TT_OTF2_METRIC_MEMBER, "uuubbbbqu" },
    { TT_OTF2_METRIC_CLASS, "uBbb" },
    { TT_OTF2_METRIC_INSTANCE, "uuqbq" },
    { TT_OTF2_COMM, "uuuuu" },
    { TT_OTF2_PARAMETER, "uub" },
    { TT_OTF2_RMA_WIN, "uuuu" },
    { TT_OTF2_SYSTEM_TREE_NODE_PROPERTY, "uut" },
    { TT_OTF2_LOCATION_GROUP_PROPERTY, "uut" },
    { TT_OTF2_LOCATION_PROPERTY, "qut" },
    { TT_OTF2_CALLING_CONTEXT, "uuuu" },
    { TT_OTF2_IO_REGULAR_FILE, "uuu" },
    { TT_OTF2_IO_HANDLE, "uuubuuu" },
    { TT_OTF2_INTER_COMM, "uuuuuu" },
  };
  guint i = draw (self, G_N_ELEMENTS (kinds));

  if (draw (self, 2) == 0)
    {
      const char *word = words[draw (self, G_N_ELEMENTS (words))];
      put_packed (self, self->body, n_strings);
      g_byte_array_append (self->body, (const guint8 *) word, (guint) strlen (word) + 1);
      end_record (self, to, TT_OTF2_STRING);
      return;
    }
  for (const char *at = kinds[i].layout; *at != '\0'; at++)
    if (*at == 't')
      put_typed (self);
    else if (*at == 'B' || *at == 'U')
      {
        guint n = draw (self, 5);
        if (*at == 'B')
          put (self->body, (guint8) n);
        else
          put_packed (self, self->body, n);
        for (; n > 0; n--)
          put_value (self, *at == 'B' ? 'u' : 'q');
      }
    else
      put_value (self, *at);
  end_record (self, to, kinds[i].kind);
}

/* -- files ----------------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint n;
  gsize at[MAX_RECORDS + 1]; /* where each begins, and the last ends */
  guint64 ticks[MAX_RECORDS + 1];
  guint n_strings; /* of definitions */
} Records;

static void
find_records (Records *self, guint which, const GByteArray *file, gboolean is_big)
{
  TtOtf2Bytes bytes = { .at = file->data, .is_big = is_big, .is_good = TRUE };

  if (file->len > 0)
    bytes.end = file->data + file->len;
  else
    bytes.end = bytes.at;
  self->n = self->n_strings = 0;
  self->at[0] = self->ticks[0] = 0;
  while (self->n < MAX_RECORDS && bytes.at < bytes.end)
    {
      guint kind = *bytes.at++;
      guint64 ticks = self->ticks[self->n];

      if (which == EVENTS && kind == TIME)
        ticks = tt_otf2_full (&bytes, 8);
      else if (which == EVENTS && kind < TT_OTF2_N_EVENTS && tt_otf2_event_rows[kind].is_alone)
        tt_otf2_u64 (&bytes);
      else
        tt_otf2_record (&bytes);
      if (!bytes.is_good)
        return;
      self->n_strings += which == DEFINITIONS && kind == TT_OTF2_STRING;
      self->n++;
      self->at[self->n] = (gsize) (bytes.at - file->data);
      self->ticks[self->n] = ticks;
    }
}

static void
insert (GByteArray *file, gsize at, const guint8 *bytes, gsize n)
{
  gsize n_rest = file->len - at;
  g_autofree guint8 *rest = n_rest == 0 ? NULL : g_memdup2 (file->data + at, n_rest);

  g_byte_array_set_size (file, (guint) at);
  g_byte_array_append (file, bytes, (guint) n);
  if (n_rest > 0)
    g_byte_array_append (file, rest, (guint) n_rest);
}

static void
make_record (Maker *self, guint which, const Records *records, guint place)
{
  g_autoptr (GByteArray) made = g_byte_array_new ();

  if (which == EVENTS)
    make_event (self, made, records->ticks[place]);
  else if (which == LOCAL)
    make_local (self, made);
  else
    make_definition (self, made, records->n_strings);
  insert (self->file, records->at[place], made->data, made->len);
}

/* One is lost, doubled or moved. */
static void
move_record (Maker *self, const Records *records)
{
  guint one = draw (self, records->n), what = draw (self, 3);
  gsize at = records->at[one], n = records->at[one + 1] - at, to = records->at[draw (self, records->n + 1)];
  g_autofree guint8 *record = g_memdup2 (self->file->data + at, n);

  if (what != 1)
    {
      g_byte_array_remove_range (self->file, (guint) at, (guint) n);
      to = to > at ? to - n : to;
    }
  if (what > 0)
    insert (self->file, to, record, n);
}

static void
change_file (Maker *self, guint which)
{
  Records records;

  find_records (&records, which, self->file, self->is_big);
  if (records.n == 0 || draw (self, 3) > 0)
    make_record (self, which, &records, draw (self, records.n + 1));
  else
    move_record (self, &records);
}

/* What follows the head: the files, one behind the other. */
static void
read_files (const guint8 *bytes, size_t len, GByteArray **files)
{
  const guint8 *at = bytes + HEAD;
  gsize left = len - HEAD;

  for (guint i = 0; i < N_FILES; i++)
    {
      gsize n = i == EVENTS ? left : MIN (left, (gsize) bytes[1 + 2 * i] | (gsize) bytes[2 + 2 * i] << 8);
      files[i] = g_byte_array_new ();
      g_byte_array_append (files[i], at, (guint) n);
      at += n;
      left -= n;
    }
}

/* 0: there is no room. */
static size_t
write_files (GByteArray **files, guint8 *bytes, size_t max)
{
  size_t len = HEAD;

  for (guint i = 0; i < N_FILES; i++)
    {
      if (max - len < files[i]->len || files[i]->len > G_MAXUINT16)
        return 0;
      if (i != EVENTS)
        {
          bytes[1 + 2 * i] = (guint8) files[i]->len;
          bytes[2 + 2 * i] = (guint8) (files[i]->len >> 8);
        }
      if (files[i]->len > 0)
        memcpy (bytes + len, files[i]->data, files[i]->len);
      len += files[i]->len;
    }
  return len;
}

size_t
LLVMFuzzerCustomMutator (guint8 *bytes, size_t len, size_t max, unsigned seed)
{
  static const guint8 chosen[] = { DEFINITIONS, DEFINITIONS, LOCAL, EVENTS, EVENTS, EVENTS };
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  Maker self = { .random = random };
  GByteArray *files[N_FILES];

  /* Files as they are begin with a header, and are the fuzzer's own business. */
  if (len < HEAD || (bytes[0] & 1) != 0 || max <= HEAD || draw (&self, 4) == 0)
    return LLVMFuzzerMutate (bytes, len, max);
  self.is_big = (bytes[0] & 2) != 0;
  self.body = g_byte_array_new ();
  read_files (bytes, len, files);
  for (guint n = 1 + draw (&self, 4); n > 0; n--)
    {
      guint which = chosen[draw (&self, G_N_ELEMENTS (chosen))];
      self.file = files[which];
      change_file (&self, which);
    }
  if (draw (&self, 16) == 0)
    bytes[0] ^= 4;
  size_t n = write_files (files, bytes, max);
  for (guint i = 0; i < N_FILES; i++)
    g_byte_array_unref (files[i]);
  g_byte_array_unref (self.body);
  return n > 0 ? n : len;
}
