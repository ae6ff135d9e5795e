/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which tracetool this is. configure.ac has the version; PACKAGE_VERSION is that alone.
 */
#pragma once

/* For people: "0.2.0", or of a development version "0.2.0-dev (commit 1b33c42, changed)". */
extern const char tt_version_text[];
/* For what one build writes and another may not reuse: the version and a digest of its sources. */
extern const char tt_version_build[];
