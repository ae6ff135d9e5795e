# SPDX-License-Identifier: Apache-2.0
# The model of a trace: events, names, nest, arrange, sink, batches, repairs.
libtracetool_a_SOURCES += \
	%D%/activity.c %D%/activity.h \
	%D%/args-form.h \
	%D%/args-merge.c %D%/args-merge.h \
	%D%/arrange/arrange.c %D%/arrange/arrange.h \
	%D%/arrange/counters.c \
	%D%/arrange/feed.c %D%/arrange/finish.c %D%/arrange/inside.h \
	%D%/arrange/lone.c \
	%D%/arrange/order.c \
	%D%/arrange/pairs.c \
	%D%/arrange/private.h \
	%D%/arrange/spikes.c %D%/arrange/spikes.h \
	%D%/batch.c %D%/batch.h \
	%D%/clock-map.c %D%/clock-map.h \
	%D%/collective-facts.h %D%/communicator.h \
	%D%/device-facts.h \
	%D%/kernel-config.h %D%/kernel-lanes.h \
	%D%/event.c %D%/event.h \
	%D%/held-args.c %D%/held-args.h \
	%D%/flow-join.c %D%/flow-join.h \
	%D%/lost-order.c %D%/lost-order.h \
	%D%/message-half.c %D%/message-half.h \
	%D%/message-join.c %D%/message-join.h \
	%D%/names/names.c %D%/names/names.h \
	%D%/names/records.c %D%/names/records.h \
	%D%/names/rules.c \
	%D%/names/texts.c %D%/names/texts.h \
	%D%/nest/frames.c \
	%D%/nest/nest.c %D%/nest/nest.h \
	%D%/nest/private.h \
	%D%/nest/stack.c %D%/nest/stack.h \
	%D%/nest/waiting.c %D%/nest/waiting.h \
	%D%/nest/whole.c \
	%D%/repairs.c %D%/repairs.h \
	%D%/shard/columns.c %D%/shard/columns.h \
	%D%/shard/definitions.c %D%/shard/definitions.h \
	%D%/shard/end.c %D%/shard/end.h \
	%D%/shard/format.c %D%/shard/format.h \
	%D%/shard/replay.c %D%/shard/replay.h \
	%D%/shard/rows.c %D%/shard/rows.h \
	%D%/shard/write.c %D%/shard/write.h \
	%D%/sink-back.c %D%/sink-back.h \
	%D%/sink-definitions.c \
	%D%/sink-diary.c %D%/sink-diary.h \
	%D%/sink-private.h \
	%D%/sink-rows.c \
	%D%/sink.c %D%/sink.h \
	%D%/native-groups.h \
	%D%/span-filter.h \
	%D%/lane.h \
	%D%/span.h \
	%D%/step-finder.c %D%/step-finder.h \
	%D%/task-graph.c %D%/task-graph.h \
	%D%/time-spread.c %D%/time-spread.h \
	%D%/told-times.c %D%/told-times.h \
	%D%/trust.c %D%/trust.h
