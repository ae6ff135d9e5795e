/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the rows of a breakdown are of: which threads count, and for which row.
 */
#pragma once

#include "analyzers/devices/roles.h"

typedef enum
{
  TT_BREAKDOWN_RANK,
  TT_BREAKDOWN_STEP,
  TT_BREAKDOWN_STREAM,
} TtBreakdownRows;

typedef enum
{
  TT_BREAKDOWN_AUTO,   /* the devices of ranks that have some, else the host */
  TT_BREAKDOWN_DEVICE, /* only devices */
  TT_BREAKDOWN_HOST,   /* only threads of the host */
} TtBreakdownPlace;

typedef struct
{
  guint32 process; /* that leads the rank */
  guint32 thread;  /* TT_NO_ID: all that count */
  guint n_threads;
  gboolean is_device;
} TtRowPlace;

/* By thread. */
typedef struct
{
  guint32 *place;    /* number + 1; 0: the thread is not looked at */
  guint8 *is_device; /* whether the work of devices counts there, or the host's spans */
} TtThreadPlaces;

/* Gives each thread that counts a place, in the order of the rows; appends to @places, of TtRowPlace. */
void tt_row_places_find (TtStore *store,
                         const TtDeviceRoles *roles,
                         TtBreakdownRows rows,
                         TtBreakdownPlace where,
                         const TtThreadPlaces *found,
                         GArray *places);
