/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checksums of a database's pages: computed whenever a page is written into the file, verified whenever one is read
 * from it. What has changed since, by damage or by a program that knows nothing of them, is an error of the statement
 * that reads it, never an answer.
 *
 * The layout is that of SQLite's own extension (https://www.sqlite.org/cksumvfs.html), so that its tools verify our
 * files, and keep them right when they write: the last 8 bytes of each page, where byte 20 of the file says that 8
 * are reserved; over the other bytes as little-endian words in pairs: s1 += first + s2, s2 += second + s1. A database
 * without these bytes, from a tracetool before schema version 6, is read and written as it is.
 *
 * While the header says that there is a write-ahead log, nothing is verified: any program that reads may copy pages
 * from the log into the file when it ends. Whoever of us takes the log away makes all checksums right again, where the
 * log was there when it came. Used by src/store only.
 */
#pragma once

#include <glib.h>
#include <sqlite3.h>

#include "src/store/page-sum.h"

/* Name of the layer over the file system for sqlite3_open_v2(); NULL: SQLite could not take it. */
const char *tt_page_checksum_vfs (void);
/* The same without locks, for a file that nobody else knows. */
const char *tt_page_checksum_vfs_unlocked (void);

/* For a database that is new, before anything is written into it. */
void tt_page_checksum_enable (sqlite3 *db);
/* Whether its pages have checksums: known once something was read. */
gboolean tt_page_checksum_is_enabled (sqlite3 *db);
/* And whether they are verified. */
gboolean tt_page_checksum_is_verified (sqlite3 *db);
/* Number of the page, from 1, that failed last; 0: none. */
guint64 tt_page_checksum_fault (sqlite3 *db);

/* Reads every page of a database with checksums, *@n of them, and calls @func for those with another checksum. An error
 * of SQLite: not all could be read. The caller keeps others from writing. */
typedef void (*TtPageFaultFunc) (guint64 page, gpointer data);
int tt_page_checksum_verify (sqlite3 *db, guint64 *n, TtPageFaultFunc func, gpointer data);

/* Writes @n pages one after the other, the first of them number @first, with their checksums. Returns SQLite's code. */
int tt_page_checksum_write (sqlite3 *db, guint32 first, guint8 *pages, guint n, int page_bytes);
