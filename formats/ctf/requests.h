/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What block devices do, in a kernel trace: a request is a span from its issue to the completion of its last part. A device has
 * as many lanes as it had requests at a time.
 *
 * Requests that are not complete at the end of the trace end there; those of which the completion may have been lost, and those
 * that are asked again, end with their begin, and are marked.
 */
#pragma once

#include "formats/ctf/session.h"

TtCtfRequests *tt_ctf_requests_new (void);
void tt_ctf_requests_free (TtCtfRequests *self);

/* An event of a kind from TT_CTF_REQUEST_BEGIN on. */
void tt_ctf_request (TtCtfSession *self, const TtCtfBinding *binding, const TtCtfEvent *event);
void tt_ctf_requests_lose (TtCtfSession *self);
/* The trace ends. */
void tt_ctf_requests_finish (TtCtfSession *self);
