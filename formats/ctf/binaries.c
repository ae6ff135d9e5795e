/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/binaries.h"

#include <string.h>

#include "src/base/symbol-server.h"

#define MAX_PATH_BYTES ((gsize) 4096)
#define MAX_ID_BYTES 64u
/* Of a process; of files that are open at a time. */
#define MAX_PLACES 4096u
#define MAX_SERVERS 32u
#define MAX_NOTES 10u

typedef enum
{
  NOT_LOOKED_AT,
  IS_USED,
  IS_MISSING,
  IS_ANOTHER, /* its build id is not that of the trace */
  IS_SILENT,  /* addr2line has no answer */
} FileState;

/* A file, by its path and the build id that the trace tells. */
typedef struct
{
  char *path; /* as in the trace */
  FileState state;
  TtSymbolServer *server; /* NULL: none is open */
} File;

/* Where a file is in the memory of a process. */
typedef struct
{
  guint64 base, size;
  gboolean is_movable;   /* its own addresses count from its base */
  char *path, *build_id; /* build_id NULL: not told */
} Place;

typedef struct
{
  guint32 process;
  guint64 address;
} Spot;

struct _TtCtfBinaries
{
  char *root;
  GHashTable *places; /* id of a process -> GArray of Place, the latest last */
  GHashTable *files;  /* path and build id -> File */
  GPtrArray *in_order;
  GQueue open;       /* of File, that used last at the tail */
  GHashTable *names; /* Spot -> name */
};

static guint
hash_spot (gconstpointer key)
{
  const Spot *spot = key;

  return (guint) ((spot->address ^ (guint64) spot->process << 40) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 32);
}

static gboolean
is_same_spot (gconstpointer a, gconstpointer b)
{
  const Spot *x = a, *y = b;

  return x->process == y->process && x->address == y->address;
}

static void
clear_place (gpointer data)
{
  Place *place = data;

  g_free (place->path);
  g_free (place->build_id);
}

static void
free_file (gpointer data)
{
  File *file = data;

  tt_symbol_server_free (file->server);
  g_free (file->path);
  g_free (file);
}

TtCtfBinaries *
tt_ctf_binaries_new (const char *root)
{
  TtCtfBinaries *self = g_new0 (TtCtfBinaries, 1);

  self->root = g_strdup (root);
  self->places = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  self->files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_file);
  self->in_order = g_ptr_array_new ();
  self->names = g_hash_table_new_full (hash_spot, is_same_spot, g_free, NULL);
  g_queue_init (&self->open);
  return self;
}

void
tt_ctf_binaries_free (TtCtfBinaries *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->places);
  g_queue_clear (&self->open);
  g_hash_table_unref (self->files);
  g_ptr_array_unref (self->in_order);
  g_hash_table_unref (self->names);
  g_free (self->root);
  g_free (self);
}

void
tt_ctf_binaries_forget (TtCtfBinaries *self)
{
  g_hash_table_remove_all (self->places);
  g_hash_table_remove_all (self->names);
}

/* -- what is where --------------------------------------------------------------------------------------------------- */

static Place *
place_at (GArray *places, guint i)
{
  return &g_array_index (places, Place, i);
}

static GArray *
places_of (TtCtfBinaries *self, const TtCtfProcess *process)
{
  GArray *places = g_hash_table_lookup (self->places, GUINT_TO_POINTER (process->id));

  if (places == NULL)
    {
      places = g_array_new (FALSE, FALSE, sizeof (Place));
      g_array_set_clear_func (places, clear_place);
      g_hash_table_insert (self->places, GUINT_TO_POINTER (process->id), places);
    }
  return places;
}

static void
remove_at (GArray *places, guint64 base)
{
  for (guint i = places->len; i-- > 0;)
    if (place_at (places, i)->base == base)
      g_array_remove_index (places, i);
}

static void
add_place (GArray *places, const TtCtfMemoryBinding *memory, const TtCtfEvent *event, guint64 base)
{
  const char *path = tt_ctf_text (event, memory->path);
  gint64 size = 0, is_movable = 1;

  remove_at (places, base);
  if (path == NULL || strlen (path) > MAX_PATH_BYTES || !tt_ctf_integer (event, memory->size, &size) || size == 0 ||
      places->len >= MAX_PLACES)
    return;
  tt_ctf_integer (event, memory->is_movable, &is_movable);
  const Place place = { .base = base, .size = (guint64) size, .is_movable = is_movable != 0, .path = g_strdup (path) };
  g_array_append_val (places, place);
}

static void
set_build_id (GArray *places, const TtCtfMemoryBinding *memory, const TtCtfEvent *event, guint64 base)
{
  g_autoptr (GString) id = g_string_new (NULL);
  gint64 byte;

  for (guint k = 0; k < MAX_ID_BYTES && tt_ctf_element (event, memory->build_id, k, &byte); k++)
    g_string_append_printf (id, "%02x", (guint) byte & 0xff);
  for (guint i = places->len; i-- > 0 && id->len > 0;)
    {
      Place *place = place_at (places, i);

      if (place->base != base)
        continue;
      g_free (place->build_id);
      place->build_id = g_strdup (id->str);
      return;
    }
}

void
tt_ctf_binaries_change (TtCtfBinaries *self,
                        const TtCtfProcess *process,
                        const TtCtfBinding *binding,
                        const TtCtfEvent *event)
{
  const TtCtfMemoryBinding *memory = &binding->memory;
  GArray *places = places_of (self, process);
  gint64 base;

  if (!tt_ctf_integer (event, memory->base, &base))
    return;
  g_hash_table_remove_all (self->names);
  if (memory->kind == TT_CTF_MEMORY_LOAD)
    add_place (places, memory, event, (guint64) base);
  else if (memory->kind == TT_CTF_MEMORY_UNLOAD)
    remove_at (places, (guint64) base);
  else
    set_build_id (places, memory, event, (guint64) base);
}

/* -- files ----------------------------------------------------------------------------------------------------------- */

/* The path of the file here; NULL: the trace names none that is below the root. Free it. */
static char *
path_here (const TtCtfBinaries *self, const char *path)
{
  g_autofree char *inside = g_strconcat (path, "/", NULL);

  if (*path != '/' || strstr (inside, "/../") != NULL)
    return NULL;
  return g_build_filename (self->root, path, NULL);
}

static FileState
look_at (const char *path, const char *build_id)
{
  g_autofree char *own = NULL;

  if (path == NULL || !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return IS_MISSING;
  own = build_id == NULL ? NULL : tt_symbol_build_id (path);
  return build_id == NULL || g_strcmp0 (own, build_id) == 0 ? IS_USED : IS_ANOTHER;
}

/* It answers, or its state says why not. */
static void
open_server (TtCtfBinaries *self, File *file, const char *path)
{
  if (file->server != NULL)
    g_queue_remove (&self->open, file);
  else
    file->server = tt_symbol_server_new (path);
  if (file->server == NULL)
    {
      file->state = IS_SILENT;
      return;
    }
  g_queue_push_tail (&self->open, file);
  if (g_queue_get_length (&self->open) > MAX_SERVERS)
    {
      File *eldest = g_queue_pop_head (&self->open);
      g_clear_pointer (&eldest->server, tt_symbol_server_free);
    }
}

static gboolean
ask (TtCtfBinaries *self, const Place *place, guint64 address, TtSymbol *symbol)
{
  g_autofree char *path = path_here (self, place->path);
  g_autofree char *key = g_strconcat (place->path, " ", place->build_id, NULL);
  File *file = g_hash_table_lookup (self->files, key);

  if (file == NULL)
    {
      file = g_new0 (File, 1);
      file->path = g_utf8_make_valid (place->path, -1);
      file->state = look_at (path, place->build_id);
      g_hash_table_insert (self->files, g_steal_pointer (&key), file);
      g_ptr_array_add (self->in_order, file);
    }
  if (file->state == IS_USED)
    open_server (self, file, path);
  if (file->state != IS_USED)
    return FALSE;
  if (tt_symbol_server_ask (file->server, address, symbol))
    return TRUE;
  file->state = IS_SILENT;
  g_queue_remove (&self->open, file);
  g_clear_pointer (&file->server, tt_symbol_server_free);
  return FALSE;
}

/* -- names ----------------------------------------------------------------------------------------------------------- */

static const Place *
find_place (TtCtfBinaries *self, const TtCtfProcess *process, guint64 address)
{
  GArray *places = g_hash_table_lookup (self->places, GUINT_TO_POINTER (process->id));

  for (guint i = places == NULL ? 0 : places->len; i-- > 0;)
    if (address >= place_at (places, i)->base && address - place_at (places, i)->base < place_at (places, i)->size)
      return place_at (places, i);
  return NULL;
}

/* Of "file.c:12" the number; its text is cut to that of the file. */
static gint64
split_line (char *place)
{
  char *colon = place == NULL ? NULL : strrchr (place, ':');

  if (colon == NULL)
    return 0;
  *colon = '\0';
  return g_ascii_strtoll (colon + 1, NULL, 10);
}

static guint32
make_name (TtCtfSession *session, const Place *place, guint64 address)
{
  guint64 offset = address - place->base;
  TtSymbol symbol = { NULL, NULL };
  gboolean is_known = ask (session->binaries, place, place->is_movable ? offset : address, &symbol);
  g_autofree char *file = g_path_get_basename (place->path);
  g_autofree char *valid = g_utf8_make_valid (file, -1);
  g_autofree char *there = g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", valid, offset);
  TtRawName raw = { .group = "lttng_ust_cyg_profile", .op_cat = "COMP" };

  raw.line = split_line (symbol.place);
  raw.file = symbol.place;
  raw.raw = is_known && symbol.function != NULL ? symbol.function : there;
  guint32 name = tt_sink_name (session->sink, &raw);
  tt_symbol_clear (&symbol);
  return name;
}

guint32
tt_ctf_binaries_name (TtCtfSession *session, const TtCtfProcess *process, guint64 address)
{
  TtCtfBinaries *self = session->binaries;
  const Spot spot = { process->id, address };
  gpointer known = g_hash_table_lookup (self->names, &spot);
  const Place *place = known != NULL ? NULL : find_place (self, process, address);

  if (known != NULL || place == NULL)
    return GPOINTER_TO_UINT (known);
  guint32 name = make_name (session, place, address);
  g_hash_table_insert (self->names, g_memdup2 (&spot, sizeof spot), GUINT_TO_POINTER (name));
  return name;
}

void
tt_ctf_binaries_tell (TtCtfSession *session)
{
  static const char *const words[] = { [NOT_LOOKED_AT] = NULL,
                                       [IS_USED] = NULL,
                                       [IS_MISSING] = "is not there",
                                       [IS_ANOTHER] = "is another version: its build id is not that in the trace",
                                       [IS_SILENT] = "is nothing that addr2line (Debian: binutils) reads" };
  const TtCtfBinaries *self = session->binaries;
  guint n = 0;

  for (guint i = 0; i < self->in_order->len; i++)
    {
      const File *file = self->in_order->pdata[i];

      if (words[file->state] != NULL && n++ < MAX_NOTES)
        tt_sink_note (session->sink, "--binaries: '%s' below '%s' %s; its functions are called by their places",
                      file->path, self->root, words[file->state]);
    }
  if (n > MAX_NOTES)
    tt_sink_note (session->sink, "--binaries: so are %u more", n - MAX_NOTES);
}
