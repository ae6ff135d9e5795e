/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* Drives the plugin in a process of its own: loads it, runs a thread for each recorded one, keeps their order. */
#include "src/pi/drive/private.h"

#include "src/base/error.h"
#include "src/base/failure.h"
#include "src/base/look.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Enough for every list of ids, and for entries after it that a plugin may clear. */
#define TABLE_SIZE 1024
#define MAX_VERSION 20

typedef gint32 (*Function) (guint64,
                            guint64,
                            guint64,
                            guint64,
                            guint64,
                            guint64,
                            guint64,
                            guint64,
                            guint64,
                            guint64,
                            guint64,
                            guint64,
                            guint64,
                            guint64,
                            guint64,
                            guint64);

/* In memory that the child shares with us. */
typedef struct
{
  TtPiDriven driven;
  char failure[512]; /* why the child could not begin */
  gboolean is_ours;  /* that, and none of the plugin's making */
  gboolean is_done;
  TtDrivePlace places[];
} Shared;

/* -- reading the calls of a thread ------------------------------------------------------------------ */

static const guint8 *
bytes_of (const TtDriveLane *lane, gsize *len)
{
  *len = g_mapped_file_get_length (lane->file);
  return (const guint8 *) g_mapped_file_get_contents (lane->file);
}

static gboolean
read_at (const TtDriveLane *lane, gsize at, TtPiNativeRecord *record, guint32 *size)
{
  gsize len;
  const guint8 *bytes = bytes_of (lane, &len);

  *size = tt_pi_native_record_size (bytes + at, len - at);
  return *size >= 8 && *size <= len - at && tt_pi_native_record (bytes + at, *size, record) == NULL;
}

static const TtPiFunction *
find_signature (const char *text, const TtPiNativeName *name)
{
  const TtPiFunction *known = tt_pi_function_by_name (text);
  gboolean is_ur = name->api == TT_PI_API_UR;

  if (known == NULL || known->api != name->api ||
      (!is_ur && (name->id >= TABLE_SIZE || name->n_params > TT_DRIVE_MAX_PI_ARGS)))
    return NULL;
  return tt_pi_function_as_recorded (known, is_ur ? name->release : 0, name->sizes, name->n_params);
}

static void
add_function (TtDriveLane *lane, const TtPiNativeName *name)
{
  TtDriveFunction *function;

  if (name->index >= TT_DRIVE_MAX_FUNCTIONS || lane->functions[name->index] != NULL)
    return;
  function = g_new0 (TtDriveFunction, 1);
  function->name = g_strndup (name->name, name->name_len);
  function->function = find_signature (function->name, name);
  function->release = name->api == TT_PI_API_UR ? name->release : 0;
  function->id = function->function != NULL && name->api == TT_PI_API_UR ? function->function->index : name->id;
  if (function->function != NULL)
    tt_pi_shapes (function->function, function->release, &function->shapes);
  lane->functions[name->index] = function;
}

static void
find_end (const TtDriveLane *lane, TtDriveCall *call)
{
  TtPiNativeRecord record;
  guint32 size;
  guint open = 0;

  for (gsize at = lane->at; read_at (lane, at, &record, &size); at += size)
    {
      if (record.kind == TT_PI_NATIVE_END && record.instance == call->begin.instance)
        {
          call->end = record;
          call->has_end = TRUE;
          return;
        }
      if (!tt_pi_native_may_end (&record, &open))
        return;
    }
}

static gboolean
can_be_made (const TtDriveLane *lane, const TtPiNativeRecord *record)
{
  return record->kind == TT_PI_NATIVE_BEGIN && record->function < TT_DRIVE_MAX_FUNCTIONS &&
         lane->functions[record->function] != NULL && tt_drive_has_all_args (lane->functions[record->function], record);
}

static void
next_call (TtDriveLane *lane)
{
  TtPiNativeRecord record;
  guint32 size;
  gsize len;

  while (read_at (lane, lane->at, &record, &size))
    {
      gsize at = lane->at;
      lane->at += size;
      if (record.kind == TT_PI_NATIVE_NAME)
        add_function (lane, &record.name);
      if (!can_be_made (lane, &record))
        {
          tt_drive_check_skipped (lane->driver, lane, at, &record);
          continue;
        }
      lane->call = (TtDriveCall){
        .function = lane->functions[record.function],
        .begin = record,
        .record = lane->n_records++,
      };
      find_end (lane, &lane->call);
      return;
    }
  const guint8 *bytes = bytes_of (lane, &len);
  tt_drive_check_end (lane->driver, lane, bytes, len);
  lane->has_ended = TRUE;
}

/* -- order ------------------------------------------------------------------------------------------ */

static guint64
end_of (const TtDriveCall *call)
{
  return call->has_end ? call->end.time_ns : G_MAXUINT64;
}

/* Calls at one moment are made in the order of their threads. */
static gboolean
comes_before (const TtDriveLane *a, const TtDriveLane *b)
{
  if (a->call.begin.time_ns != b->call.begin.time_ns)
    return a->call.begin.time_ns < b->call.begin.time_ns;
  return a->index < b->index;
}

static gboolean
is_turn (const TtDriver *self, const TtDriveLane *lane)
{
  for (guint i = 0; i < self->n_lanes; i++)
    {
      const TtDriveLane *other = &self->lanes[i];
      if (other != lane && !other->has_ended && end_of (&other->call) <= lane->call.begin.time_ns &&
          comes_before (other, lane))
        return FALSE;
    }
  return TRUE;
}

/* -- making calls ----------------------------------------------------------------------------------- */

static gint32
call_plugin (const TtDriver *self, guint32 id, const guint64 *a)
{
  Function function;

  memcpy (&function, &self->table[id], sizeof function);
  return function (a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14],
                   a[15]);
}

/* What a command reads and writes is only compared, and only ours to free, when it has run. */
static void
wait_for_command (const TtDriver *self, const TtDriveCall *call)
{
  const TtPiShapes *shapes = &call->function->shapes;
  const guint64 *event = shapes->event >= 0 ? call->buffers[shapes->event] : NULL;
  guint64 args[TT_DRIVE_MAX_ARGS] = { 1, (guint64) (guintptr) event };

  if (event != NULL && *event != 0 && self->wait_id < TABLE_SIZE && self->table[self->wait_id] != NULL)
    call_plugin (self, self->wait_id, args);
}

static void
make_call (TtDriver *self, TtDriveLane *lane)
{
  TtDriveCall *call = &lane->call;
  TtDrivePlace *place = &self->places[lane->index];

  if (!tt_drive_prepare (self, call))
    {
      tt_drive_report (self, lane, call, "not made: %s", call->problem);
      __atomic_add_fetch (&self->driven->n_not_made, 1, __ATOMIC_RELAXED);
      tt_drive_call_clear (call);
      return;
    }
  place->record = call->record;
  g_strlcpy (place->function, call->function->name, sizeof place->function);
  place->is_in_call = TRUE;
  gint32 result = self->is_ur ? tt_drive_unified_call (self, call) : call_plugin (self, call->function->id, call->args);
  if (result == 0)
    wait_for_command (self, call);
  place->is_in_call = FALSE;
  __atomic_add_fetch (&self->driven->n_calls, 1, __ATOMIC_RELAXED);
  if (tt_drive_compare (self, lane, call, result) > 0)
    __atomic_add_fetch (&self->driven->n_different, 1, __ATOMIC_RELAXED);
  tt_drive_call_clear (call);
}

static gpointer
run_lane (gpointer data)
{
  TtDriveLane *lane = data;
  TtDriver *self = lane->driver;

  g_mutex_lock (&self->order);
  while (!lane->has_ended)
    {
      while (!is_turn (self, lane))
        g_cond_wait (&self->moved, &self->order);
      g_mutex_unlock (&self->order);
      make_call (self, lane);
      g_mutex_lock (&self->order);
      next_call (lane);
      g_cond_broadcast (&self->moved);
    }
  g_mutex_unlock (&self->order);
  return NULL;
}

/* -- the plugin ------------------------------------------------------------------------------------- */

/* Version of the recorded host, and the room for it, as the recorder noted them. */
static void
read_version (const TtDriver *self, char *version, gsize *room)
{
  g_autoptr (GBytes) file = tt_pi_trace_side_file (self->job->trace, "plugins", 65536, NULL);
  gsize len = 0;
  const char *bytes = file != NULL ? g_bytes_get_data (file, &len) : NULL;
  g_autofree char *text = g_strndup (bytes != NULL ? bytes : "", len);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  g_strlcpy (version, "4.6", MAX_VERSION);
  *room = 4;
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], "\t", -1);
      if (g_strv_length (fields) < 4 || strlen (fields[2]) >= MAX_VERSION)
        continue;
      guint64 given = g_ascii_strtoull (fields[3], NULL, 10);
      if (given <= strlen (fields[2]) || given > MAX_VERSION)
        continue;
      g_strlcpy (version, fields[2], MAX_VERSION);
      *room = (gsize) given;
      return;
    }
}

static const char *
load_plugin (TtDriver *self)
{
  char version[MAX_VERSION];
  gsize room;
  gint32 (*init) (gpointer);
  gpointer library = dlopen (self->job->plugin, RTLD_NOW | RTLD_LOCAL);
  gpointer symbol = library != NULL && !self->is_ur ? dlsym (library, "piPluginInit") : NULL;

  if (library != NULL && self->is_ur)
    return tt_drive_unified_load (self, library);

  if (symbol == NULL)
    return dlerror ();
  read_version (self, version, &room);
  gsize table = TT_PI_NATIVE_PAD (2 * room) + 8;
  char *plugin = g_malloc0 (table + TABLE_SIZE * sizeof (gpointer));
  g_strlcpy (plugin, version, room);
  g_strlcpy (plugin + room, version, room);
  memcpy (&init, &symbol, sizeof init);
  if (init (plugin) != 0)
    return "its piPluginInit fails";
  self->plugin = plugin;
  self->table = (gpointer *) (gpointer) (plugin + table);
  return NULL;
}

/* -- the process that drives ------------------------------------------------------------------------ */

/* The runtime, and what was seen later than the call that asked for it. */
static void
look_through (TtDriver *self, const guint8 *bytes, gsize len)
{
  TtPiNativeRecord record;
  TtPiNativeBlock block;
  guint32 size;

  for (gsize at = TT_PI_NATIVE_HEADER; at < len; at += size)
    {
      size = tt_pi_native_record_size (bytes + at, len - at);
      if (size < 8 || size > len - at || tt_pi_native_record (bytes + at, size, &record) != NULL)
        return;
      if (record.kind == TT_PI_NATIVE_NAME && record.name.api == TT_PI_API_UR)
        {
          self->is_ur = TRUE;
          self->release = record.name.release;
          self->version = (guint32) record.name.major << 16 | record.name.minor;
        }
      while (record.kind == TT_PI_NATIVE_END && tt_pi_native_block (&record, &block))
        tt_drive_late_add (self, &block);
    }
}

static const char *
open_lanes (TtDriver *self)
{
  TtPiTrace *trace = self->job->trace;

  self->n_lanes = tt_pi_trace_n_threads (trace);
  self->lanes = g_new0 (TtDriveLane, self->n_lanes);
  for (guint i = 0; i < self->n_lanes; i++)
    {
      TtDriveLane *lane = &self->lanes[i];
      TtPiNativeHeader header;
      gsize len;
      lane->name = g_strdup (tt_pi_trace_thread_name (trace, i));
      lane->file = tt_look_map (tt_pi_trace_thread_path (trace, i), NULL);
      lane->index = i;
      lane->driver = self;
      lane->at = TT_PI_NATIVE_HEADER;
      if (lane->file == NULL)
        return "a file of the recording cannot be read";
      const guint8 *bytes = bytes_of (lane, &len);
      const char *wrong = tt_pi_native_header (bytes, len, &header);
      if (wrong != NULL)
        tt_drive_check_header (self, lane, bytes, len, wrong);
      else
        look_through (self, bytes, len);
      lane->has_ended = wrong != NULL;
      if (wrong == NULL)
        next_call (lane);
    }
  return NULL;
}

static const char *
run_lanes (TtDriver *self)
{
  self->lates = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  const char *failure = open_lanes (self);
  const TtPiFunction *wait = tt_pi_function_by_name (self->is_ur ? "urEventWait" : "piEventsWait");
  gint32 wait_id = wait == NULL ? -1 : self->is_ur ? wait->index : wait->ids[tt_pi_trace_ids (self->job->trace)];

  if (failure == NULL)
    failure = load_plugin (self);
  if (failure != NULL)
    return failure;
  self->wait_id = wait_id >= 0 ? (guint32) wait_id : G_MAXUINT32;
  self->handles = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  self->regions = g_array_new (FALSE, FALSE, sizeof (TtDriveRegion));
  tt_drive_images_load (self);

  g_autofree GThread **threads = g_new0 (GThread *, self->n_lanes);
  for (guint i = 0; i < self->n_lanes; i++)
    {
      threads[i] = g_thread_try_new (self->lanes[i].name, run_lane, &self->lanes[i], NULL);
      if (threads[i] == NULL)
        return "a thread cannot be started";
    }
  for (guint i = 0; i < self->n_lanes; i++)
    g_thread_join (threads[i]);
  return NULL;
}

static void
drive_and_exit (const TtPiDrive *job, Shared *shared)
{
  TtDriver self = { .job = job, .driven = &shared->driven, .places = shared->places };

  const char *failure = run_lanes (&self);
  g_autoptr (GError) error = NULL;

  if (!tt_failure_check (&error))
    {
      g_strlcpy (shared->failure, error->message, sizeof shared->failure);
      shared->is_ours = TRUE;
    }
  else if (failure != NULL)
    g_strlcpy (shared->failure, failure, sizeof shared->failure);
  shared->is_done = TRUE;
  /* Without the end of the plugin's library, which is none of the recording. */
  _exit (0);
}

static void
set_crash (const TtPiDrive *self, const Shared *shared, int status, GError **error)
{
  g_autoptr (GString) where = g_string_new (NULL);

  for (guint i = 0; i < tt_pi_trace_n_threads (self->trace); i++)
    if (shared->places[i].is_in_call)
      g_string_append_printf (where, "%sthread %s, record %" G_GUINT64_FORMAT ", %s", where->len > 0 ? "; " : "",
                              tt_pi_trace_thread_name (self->trace, i), shared->places[i].record,
                              shared->places[i].function);
  if (WIFSIGNALED (status))
    g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "the plugin crashed with signal %d (%s) in: %s", WTERMSIG (status),
                 g_strsignal (WTERMSIG (status)), where->len > 0 ? where->str : "no call");
  else
    g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "the plugin ended the process with status %d in: %s",
                 WEXITSTATUS (status), where->len > 0 ? where->str : "no call");
}

gboolean
tt_pi_drive (const TtPiDrive *self, TtPiDriven *driven, GError **error)
{
  gsize size = sizeof (Shared) + tt_pi_trace_n_threads (self->trace) * sizeof (TtDrivePlace);
  Shared *shared = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int status = 0;

  pid_t child = shared != MAP_FAILED ? fork () : -1;
  if (child < 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot start a process: %s", g_strerror (errno));
      return FALSE;
    }
  if (child == 0)
    drive_and_exit (self, shared);
  while (waitpid (child, &status, 0) < 0 && errno == EINTR)
    continue;

  *driven = shared->driven;
  if (!shared->is_done)
    set_crash (self, shared, status, error);
  else if (shared->is_ours)
    g_set_error_literal (error, TT_ERROR, TT_ERROR_INPUT, shared->failure);
  else if (shared->failure[0] != '\0')
    g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot use the plugin '%s': %s", self->plugin, shared->failure);
  gboolean ok = shared->is_done && shared->failure[0] == '\0';
  munmap (shared, size);
  return ok;
}
