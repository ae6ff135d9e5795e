/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What definitions of releases before the present one say in other words.
 *
 * Source of these facts: otf2_attic.c of OTF2 3.0.2.
 */
#pragma once

#include <glib.h>

/* @row: of the kind, as read; fills in what its release left out. */
void tt_otf2_modernise (guint kind, guint64 *row);
