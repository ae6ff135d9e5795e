/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for SQLite in a fuzz target. Most of what an execution costs would be a sanitizer's allocator, asked by the
 * parser of SQL. Here blocks are used again; what is free, and what lies around a block, stays poisoned, so that a
 * sanitizer still sees who reads a value of SQLite that is gone, or past its end.
 */
#pragma once

/* Before SQLite is used. */
void fuzz_sqlite_memory_use (void);
