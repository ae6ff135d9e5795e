# SPDX-License-Identifier: Apache-2.0
# Everything SQLite: schema, import, scans, joins.
libtracetool_a_SOURCES += \
	%D%/apart.c %D%/apart.h \
	%D%/earlier.c %D%/earlier.h \
	%D%/few.c %D%/few.h \
	%D%/block.c %D%/block.h \
	%D%/block-reader.c %D%/block-reader.h \
	%D%/blocks-ahead.c %D%/blocks-ahead.h \
	%D%/check.c %D%/check.h \
	%D%/clock-maps.h %D%/clocks.c %D%/clocks.h \
	%D%/activity-rows.c \
	%D%/collective-rows.c \
	%D%/collective-spans.c %D%/collective-spans.h \
	%D%/observed-spans.c %D%/observed-spans.h \
	%D%/connection.c %D%/connection.h \
	%D%/create.c %D%/create.h \
	%D%/definitions.c %D%/definitions.h \
	%D%/event-bits.c %D%/event-bits.h \
	%D%/event-blocks.c %D%/event-blocks.h \
	%D%/foreign/tables.c %D%/foreign/tables.h \
	%D%/gaps.c %D%/gaps.h \
	%D%/graph.c %D%/graph.h \
	%D%/handle.h \
	%D%/import/activity.c %D%/import/activity.h \
	%D%/args-format.c %D%/args-format.h %D%/args-number.h \
	%D%/args-pages.c %D%/args-pages.h \
	%D%/import/args.c %D%/import/args.h \
	%D%/import/args-forms.c %D%/import/args-forms.h \
	%D%/import/args-tree.c %D%/import/args-tree.h \
	%D%/import/bulk-pages.c %D%/import/bulk-pages.h \
	%D%/import/bulk-row.c %D%/import/bulk-row.h \
	%D%/import/bulk-table.c %D%/import/bulk-table.h \
	%D%/import/clocks.c %D%/import/clocks.h \
	%D%/import/collective.c \
	%D%/import/columns.c %D%/import/columns.h \
	%D%/import/doubts.c %D%/import/doubts.h \
	%D%/import/flow.c \
	%D%/import/groups.c %D%/import/groups.h \
	%D%/import/import.c %D%/import/import.h \
	%D%/import/insert.c %D%/import/insert.h \
	%D%/import/join.c %D%/import/join.h \
	%D%/import/table-writer.c %D%/import/table-writer.h \
	%D%/import/ranks.c \
	%D%/import/known.c \
	%D%/import/private.h \
	%D%/import/row-value.h \
	%D%/import/rows.c \
	%D%/import/sink.c \
	%D%/import/task.c \
	%D%/import/call-rows.c %D%/import/call-rows.h \
	%D%/import/call-functions.c %D%/import/call-functions.h %D%/import/told-calls.c %D%/import/told-calls.h \
	%D%/import/trust.c %D%/import/trust.h \
	%D%/kept-words.c \
	%D%/message-columns.h \
	%D%/message-rows.c \
	%D%/name-places.c \
	%D%/metrics.c %D%/metrics.h \
	%D%/names.c %D%/names.h \
	%D%/nccl.c %D%/nccl.h \
	%D%/own-schema.c %D%/own-schema.h \
	%D%/page-checksum.c %D%/page-checksum.h \
	%D%/page-rows.c %D%/page-rows.h \
	%D%/page-sum.c %D%/page-sum.h \
	%D%/places.c %D%/places.h \
	%D%/private.h \
	%D%/process-ranks.c \
	%D%/query.c %D%/query.h %D%/query-private.h \
	%D%/query-clauses.c %D%/query-clauses.h %D%/query-words.c %D%/query-words.h \
	%D%/query-joint.c %D%/query-joint.h %D%/query-part.c %D%/query-part.h %D%/query-sums.c %D%/query-sums.h \
	%D%/query-split.c %D%/query-split.h %D%/query-terms.c %D%/query-terms.h \
	%D%/query-functions.c \
	%D%/remove.c %D%/remove.h \
	%D%/row-scan.c \
	%D%/row-shares.c \
	%D%/rows.c %D%/rows.h \
	%D%/runs.c %D%/runs.h \
	%D%/scan.c %D%/scan.h \
	%D%/schema.c %D%/schema.h \
	%D%/schema-changes.c %D%/schema-changes.h \
	%D%/side-files.c %D%/side-files.h \
	%D%/statistics.c %D%/statistics.h \
	%D%/store.c %D%/store.h \
	%D%/table-pages.c %D%/table-pages.h \
	%D%/table-root.c %D%/table-root.h \
	%D%/tasks.c %D%/tasks.h \
	%D%/time-shares.c %D%/time-shares.h \
	%D%/trust.c %D%/trust.h \
	%D%/upgrade.c %D%/upgrade.h \
	%D%/virtual-columns.c \
	%D%/virtual-definitions.c \
	%D%/virtual-events.c %D%/virtual-events.h \
	%D%/virtual-groups.c \
	%D%/virtual-plan.c \
	%D%/virtual-private.h \
	%D%/virtual-scan.c \
	%D%/work-rows.c \
	%D%/words.c %D%/words.h \
	%D%/writer.c %D%/writer.h
