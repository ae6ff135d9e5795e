/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What files are, remembered: a target that writes its files itself knows when they become others, and the system takes
 * long to say each time that most of those that a reader looks for are not there. Instead of src/base/look.c, by
 * known-files.c, which a target names under "Links:".
 */
#pragma once

/* @path has become another, or NULL: any may have. */
void fuzz_known_files_forget (const char *path);
