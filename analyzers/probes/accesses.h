/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtAccesses: which pages of memory a kernel used when, from the records of a probe that saves addresses: events with the
 * argument `addr` or `address`. Their time is the argument `clock`, where the record has it, else that of the event.
 *
 * One launch is looked at, the results of which are a source: the one with most accesses. A page is of 64 KiB, or of twice
 * as many, and so on, where more than TT_ACCESSES_MAX_PAGES were used. Memory: 100 bytes a page, of 64 launches at most.
 */
#pragma once

#include "src/select/selection.h"

#define TT_ACCESSES_MAX_PAGES 8192u
#define TT_ACCESSES_PAGE_SHIFT 16u

/* What the program allocated, as it says itself. */
typedef struct
{
  guint64 address, bytes;
  char *label; /* variable and shape */
} TtAccessTensor;

typedef struct
{
  TtStore *store;
  const TtSelection *selection;
  guint32 source, name; /* of the launch; name: the operation. TT_NO_ID: no access is there */
  guint n_launches;     /* with accesses */
  guint64 n, n_others;  /* accesses of this launch, and of others */
  gboolean has_clock;   /* times are of the records' own clock */
  gint64 first, last;   /* times */
  guint shift;          /* a page has 2^shift bytes */
  GArray *pages;        /* of guint64, addresses, ascending */
  GPtrArray *tensors;   /* of TtAccessTensor */
} TtAccesses;

/* @selection: bound. @is_asked: by first name, which operations; NULL: all. @first_names: by name. Both are borrowed during
 * the call. NULL with @error. */
TtAccesses *tt_accesses_new (TtStore *store,
                             const TtSelection *selection,
                             const guint8 *is_asked,
                             const guint32 *first_names,
                             GError **error);
void tt_accesses_free (TtAccesses *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtAccesses, tt_accesses_free)

/* @page: its place among pages. */
typedef void (*TtAccessFunc) (guint page, gint64 time, gpointer data);
gboolean tt_accesses_each (const TtAccesses *self, TtAccessFunc func, gpointer data, GError **error);
/* The tensor that has some of the page; NULL: none. */
const TtAccessTensor *tt_accesses_tensor (const TtAccesses *self, guint64 page);
