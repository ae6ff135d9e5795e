/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfBinding: a class of events bound to its rule (rules.h): the members that the rule names, found in the class.
 *
 * A binding is made at the first event of its class and lives as long as the class, so that the other events cost no
 * search for names. Members that the class lacks are NULL.
 */
#pragma once

#include "formats/ctf/event.h"
#include "formats/ctf/kernel-events.h"
#include "formats/ctf/rules.h"

/* Members that say which process and which thread an event belongs to. */
typedef struct
{
  const TtCtfMember *pid, *tid, *rank, *number, *label, *cpu;
  gboolean is_of_perf; /* pid and tid are 0 of the idle thread of any processor, -1 of one that is gone */
} TtCtfIdentity;

/* So that keys are copied in words. */
#define TT_CTF_KEY_ROOM 16u

/* How an argument is written. */
typedef enum
{
  TT_CTF_FORM_UNSIGNED,
  TT_CTF_FORM_SIGNED,
  TT_CTF_FORM_NUMBER, /* another one without labels */
  TT_CTF_FORM_JSON,
} TtCtfForm;

typedef struct
{
  const TtCtfMember *member;
  char *key; /* ,"name": with TT_CTF_KEY_ROOM bytes behind it */
  gsize key_len;
  TtCtfForm form;
} TtCtfArgument;

/* A call of MPI. */
typedef struct
{
  gboolean is_init;
  gboolean is_old; /* by the tracepoints of 2017-18 */
  gboolean is_nonblocking, is_wait;
  const TtCtfMember *dest, *send_tag, *source, *recv_tag;
  const TtCtfMember *root;  /* of a collective */
  const TtCtfMember *count; /* requests that a wait ends */
} TtCtfMpiBinding;

/* A call of a device's library, an activity on the device, or a calibration of its clock. */
typedef struct
{
  gboolean has_activities;         /* the trace has events for what the call starts on the device */
  const TtCtfMember *begin, *end;  /* of an activity; of a calibration: time of the host, of the device */
  const TtCtfMember *id, *stream;  /* which device, which stream on it */
  const TtCtfMember *correlation;  /* between the call and its activity */
  const TtCtfMember *time_of_call; /* on the device's clock */
} TtCtfDeviceBinding;

/* What the scheduler says of threads; see states.h. */
typedef enum
{
  TT_CTF_NO_CHANGE,
  TT_CTF_SWITCH, /* from prev to next */
  TT_CTF_WAKEUP, /* of next */
  TT_CTF_DUMPED, /* what next did when the tracer began */
} TtCtfStateKind;

typedef struct
{
  TtCtfStateKind kind;
  gboolean is_new; /* a wakeup of a thread that never ran */
  const TtCtfMember *prev_tid, *prev_name, *prev_state, *next_tid, *next_name, *status;
} TtCtfStateBinding;

/* What LTTng-UST says of programs and libraries in memory; see binaries.h. */
typedef enum
{
  TT_CTF_MEMORY_NONE,
  TT_CTF_MEMORY_LOAD,
  TT_CTF_MEMORY_UNLOAD,
  TT_CTF_MEMORY_BUILD_ID,
} TtCtfMemoryKind;

typedef struct
{
  TtCtfMemoryKind kind;
  const TtCtfMember *base, *size, *path, *is_movable, *build_id;
} TtCtfMemoryBinding;

/* Names are cached by whether the code pointer is 0, and by the number in `sub`. */
#define TT_CTF_NAMES 16u

typedef struct
{
  const TtCtfSpanRule *span; /* NULL: no span */
  const TtCtfFactRule *fact; /* NULL: no fact either: an instant */
  gboolean is_begin;
  const char *family; /* interned: common to the begins and ends of one kind of span */
  char *provider, *op;
  TtCtfIdentity identity;
  TtCtfMpiBinding mpi;
  TtCtfDeviceBinding device;
  TtCtfStateBinding state;
  TtCtfKernelBinding kernel;
  TtCtfMemoryBinding memory;
  const TtCtfMember *codeptr, *match[2], *sub, *op_text;
  const TtCtfMember *site;                                /* where a function was called from */
  const TtCtfMember *region[2], *team_number, *team_size; /* of PInsight's events of OpenMP: where they took place */
  const TtCtfMember *key, *value;                         /* of a manifest */
  GArray *args;                                           /* of TtCtfArgument */
  gboolean wants_codeptr;                                 /* among the arguments */
  gboolean has_equal_keys;                                /* two arguments are called the same */
  gboolean are_numbers;                                   /* all arguments: they take args_room bytes at most */
  gsize args_room;
  guint32 names[2][TT_CTF_NAMES]; /* 0: not made yet */
} TtCtfBinding;

/* @wanted_args: names of the arguments to import; NULL: all. @more: rules of the user (rules.h); borrowed; NULL: none. */
TtCtfBinding *tt_ctf_binding_new (const TtCtfClass *klass, const char *const *wanted_args, const GArray *more);
/* Takes a gpointer, to be a GDestroyNotify. */
void tt_ctf_binding_free (gpointer binding);
