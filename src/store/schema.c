/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/schema.h"

#include <glib.h>

/* What to add to a time of a process' own clock: clocks.h. The first test is made once for a query, not for each row. */
#define SHIFT(time, process)                                                                                       \
  "CASE WHEN (SELECT 1 FROM clock_row LIMIT 1) IS NULL THEN 0 ELSE ifnull ((SELECT k.shift_ns + (min (" time       \
  ", k.until_ns) - k.from_ns) * k.gain_ns / (k.until_ns - k.from_ns) FROM clock_row k WHERE k.process = " process  \
  " AND k.kind = 2 AND k.from_ns <= " time " ORDER BY k.from_ns DESC LIMIT 1), 0) END"
#define OF_THREAD(thread) "(SELECT o.process FROM thread_row o WHERE o.id = " thread ")"

/* Views reach definitions through LEFT JOINs: SQLite then never turns a look-up by id into a loop
 * over events, and leaves out what a query does not use. The unary plus keeps it from building an
 * index over all events first. */
const char *const tt_schema_sql[] = {
  "CREATE TABLE run_row (id INTEGER PRIMARY KEY AUTOINCREMENT, command TEXT NOT NULL, imported_at TEXT NOT NULL,"
  " first_message INTEGER, last_message INTEGER, n_matched INTEGER, message_bytes INTEGER,"
  " first_collective INTEGER, last_collective INTEGER, first_long_name INTEGER, last_long_name INTEGER,"
  " first_name INTEGER, last_name INTEGER)",
  "CREATE TABLE source_row (id INTEGER PRIMARY KEY, run INTEGER NOT NULL, format TEXT, path TEXT,"
  " bytes INTEGER, hash TEXT, clock TEXT, n_events INTEGER, repairs TEXT,"
  " first_event INTEGER, last_event INTEGER, first_counter INTEGER, last_counter INTEGER,"
  " first_metric INTEGER, last_metric INTEGER, first_flow INTEGER, last_flow INTEGER,"
  " first_args INTEGER, last_args INTEGER, n_args INTEGER,"
  " first_ns INTEGER, last_ns INTEGER, first_activity INTEGER, last_activity INTEGER,"
  " options TEXT, schema INTEGER)",
  "CREATE INDEX source_event ON source_row (first_event, id, run)",
  "CREATE TABLE process_row (id INTEGER PRIMARY KEY, run INTEGER NOT NULL, pid TEXT, label TEXT, node TEXT,"
  " rank INTEGER, owner INTEGER)",
  "CREATE TABLE clock_row (process INTEGER NOT NULL, kind INTEGER NOT NULL, from_ns INTEGER NOT NULL,"
  " until_ns INTEGER NOT NULL, shift_ns INTEGER NOT NULL, gain_ns INTEGER NOT NULL,"
  " PRIMARY KEY (process, kind, from_ns)) WITHOUT ROWID",
  "CREATE TABLE clock_fit_row (process INTEGER PRIMARY KEY, run INTEGER NOT NULL, clock TEXT NOT NULL,"
  " first_ns INTEGER NOT NULL, last_ns INTEGER NOT NULL, offset_ns INTEGER NOT NULL, drift_ns INTEGER NOT NULL,"
  " n_bounds INTEGER NOT NULL, n_violated INTEGER NOT NULL, n_left INTEGER NOT NULL, worst_ns INTEGER NOT NULL,"
  " worst_left_ns INTEGER NOT NULL, residual_ns INTEGER)",
  "CREATE TABLE thread_row (id INTEGER PRIMARY KEY, process INTEGER NOT NULL, tid TEXT, label TEXT,"
  " position INTEGER)",
  "CREATE TABLE name_row (id INTEGER PRIMARY KEY, run INTEGER NOT NULL, op_cat TEXT, op_name TEXT, sub_op TEXT,"
  " suffix TEXT, text TEXT, raw TEXT, native_group TEXT, file TEXT, line INTEGER, is_collective INTEGER)",
  "CREATE TABLE series_row (id INTEGER PRIMARY KEY, run INTEGER NOT NULL, name TEXT, unit TEXT,"
  " is_monotonic INTEGER)",
  "CREATE TABLE metadata_row (process INTEGER NOT NULL, thread INTEGER NOT NULL, key TEXT NOT NULL, value TEXT,"
  " source INTEGER NOT NULL, PRIMARY KEY (process, thread, key)) WITHOUT ROWID",
  "CREATE TABLE flag_row (id INTEGER PRIMARY KEY, text TEXT)",
  "CREATE TABLE message_flag_row (id INTEGER PRIMARY KEY, text TEXT)",
  "CREATE TABLE event_row (id INTEGER PRIMARY KEY, thread INTEGER, name INTEGER, ts_ns INTEGER, dur_ns INTEGER,"
  " self_ns INTEGER, shape INTEGER, step INTEGER, args INTEGER)",
  "CREATE TABLE event_block_row (id INTEGER PRIMARY KEY, last INTEGER, first_ns INTEGER, last_ns INTEGER)",
  "CREATE TABLE args_row (id INTEGER PRIMARY KEY, json TEXT)",
  "CREATE TABLE args_form_row (id INTEGER PRIMARY KEY, format TEXT)",
  "CREATE TABLE args_filled_row (id INTEGER PRIMARY KEY, form INTEGER, v1 INTEGER, v2 INTEGER, v3 INTEGER,"
  " v4 INTEGER, v5 INTEGER, v6 INTEGER, v7 INTEGER, v8 INTEGER, v9 INTEGER, v10 INTEGER, v11 INTEGER, v12 INTEGER,"
  " v13 INTEGER, v14 INTEGER, v15 INTEGER, v16 INTEGER, v17 INTEGER, v18 INTEGER, v19 INTEGER, v20 INTEGER,"
  " v21 INTEGER, v22 INTEGER, v23 INTEGER, v24 INTEGER, v25 INTEGER, v26 INTEGER, v27 INTEGER, v28 INTEGER,"
  " v29 INTEGER, v30 INTEGER)",
  "CREATE TABLE parameter_row (id INTEGER PRIMARY KEY, run INTEGER NOT NULL, tensor_id INTEGER, tensor_name TEXT,"
  " shape TEXT, dtype TEXT, update_id INTEGER, source TEXT, source_row INTEGER)",
  "CREATE TABLE task_row (id INTEGER PRIMARY KEY, process INTEGER NOT NULL, source INTEGER NOT NULL,"
  " task INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT, device TEXT, device_id TEXT, created_ns INTEGER,"
  " begin_ns INTEGER, end_ns INTEGER, copy_from TEXT, copy_to TEXT, allocation TEXT, file TEXT, line INTEGER)",
  "CREATE TABLE task_edge_row (id INTEGER PRIMARY KEY, process INTEGER NOT NULL, source INTEGER NOT NULL,"
  " src INTEGER, dst INTEGER, kind TEXT)",
  "CREATE TABLE metric_row (id INTEGER PRIMARY KEY, event INTEGER, series INTEGER, inclusive INTEGER,"
  " exclusive INTEGER)",
  "CREATE TABLE counter_row (id INTEGER PRIMARY KEY, series INTEGER, thread INTEGER, ts_ns INTEGER, value)",
  "CREATE TABLE flow_row (id INTEGER PRIMARY KEY, from_event INTEGER, to_event INTEGER, kind TEXT,"
  " from_ns INTEGER, to_ns INTEGER, link INTEGER)",
  "CREATE TABLE role_row (id INTEGER PRIMARY KEY, text TEXT)",
  "CREATE TABLE activity_row (id INTEGER PRIMARY KEY, event INTEGER, role INTEGER, launch INTEGER, queue INTEGER,"
  " correlation INTEGER, waits_for INTEGER, waits_on INTEGER)",
  "CREATE TABLE message_row (id INTEGER PRIMARY KEY, run INTEGER, src_process INTEGER, src_thread INTEGER,"
  " dst_process INTEGER, dst_thread INTEGER, tag INTEGER, comm INTEGER, ordinal INTEGER, send_ns INTEGER,"
  " recv_ns INTEGER, bytes INTEGER, send_event INTEGER, recv_event INTEGER, flags INTEGER,"
  " send_source INTEGER, recv_source INTEGER)",
  "CREATE TABLE collective_row (id INTEGER PRIMARY KEY, run INTEGER, comm INTEGER, name INTEGER,"
  " ordinal INTEGER, process INTEGER, thread INTEGER, event INTEGER, root INTEGER, flags INTEGER)",
  "CREATE TABLE statistic_row (id INTEGER PRIMARY KEY, run INTEGER, process INTEGER, name INTEGER, count INTEGER, "
  "total_ns INTEGER,"
  " self_ns INTEGER, sum_ns INTEGER, sum_sq_high INTEGER, sum_sq_low INTEGER, avg_ns REAL, min_ns INTEGER,"
  " max_ns INTEGER, median_ns INTEGER, p95_ns INTEGER, p99_ns INTEGER, stddev_ns REAL)",
  "CREATE TABLE trust_row (id INTEGER PRIMARY KEY, run INTEGER NOT NULL, source INTEGER, path TEXT, process INTEGER,"
  " kind TEXT NOT NULL, seen INTEGER NOT NULL, mended INTEGER NOT NULL, skipped INTEGER NOT NULL,"
  " bounded INTEGER NOT NULL, inferred INTEGER NOT NULL, lost INTEGER NOT NULL, doubtful INTEGER NOT NULL)",
  "CREATE TABLE node (op_long_name TEXT, avg_us REAL, cnt INTEGER, gaps TEXT, run INTEGER)",
  "CREATE TABLE edge (src TEXT, dst TEXT, kind TEXT, cnt INTEGER, weight_us REAL, run INTEGER)",
  "CREATE TABLE nccl_shape (raw_name TEXT, chunk_num INTEGER, slice_num INTEGER, channel_num INTEGER,"
  " loop_num INTEGER, run INTEGER)",
  "CREATE TABLE nccl_edge (algo TEXT, channel INTEGER, rank INTEGER, peer INTEGER, transport TEXT, run INTEGER)",

  "CREATE VIEW run AS SELECT id, command, imported_at FROM run_row",
  "CREATE VIEW source AS SELECT id, run, format, path, bytes, hash, clock, n_events, repairs, options,"
  " schema FROM source_row",
  "CREATE VIEW trust AS SELECT t.source AS source, ifnull(t.path, s.path) AS path, t.process AS process, p.pid AS pid,"
  " p.rank AS rank, t.kind AS kind, t.seen AS seen, t.mended AS mended, t.skipped AS skipped, t.bounded AS bounded,"
  " t.inferred AS inferred, t.lost AS lost, t.doubtful AS doubtful, t.run AS run"
  " FROM trust_row t LEFT JOIN source_row s ON s.id = +t.source"
  " LEFT JOIN process_row p ON p.id = +t.process",
  "CREATE VIEW process AS SELECT id, pid, label, node, rank, ifnull(owner, id) AS owner, run FROM process_row",
  "CREATE VIEW rank AS SELECT ifnull(CAST (ifnull(p.rank, o.rank) AS TEXT), ifnull(o.pid, p.pid)) AS rank,"
  " p.id AS process, p.pid AS pid, p.run AS run FROM process_row p LEFT JOIN process_row o ON o.id = +p.owner",
  "CREATE VIEW clock AS SELECT f.process AS process, p.pid AS pid, f.offset_ns AS offset_ns, f.drift_ns AS drift_ns,"
  " f.n_bounds AS bounds, f.n_violated AS violated, f.n_left AS left_violated, f.worst_ns AS worst_ns,"
  " f.worst_left_ns AS worst_left_ns, f.residual_ns AS residual_ns, f.run AS run FROM clock_fit_row f"
  " LEFT JOIN process_row p ON p.id = +f.process",
  "CREATE VIEW clock_map AS SELECT c.process AS process, p.pid AS pid,"
  " CASE c.kind WHEN 1 THEN 'linear' WHEN 2 THEN 'logical' END AS kind, c.from_ns AS from_ns, c.until_ns AS until_ns,"
  " c.shift_ns AS shift_ns, c.gain_ns AS gain_ns, p.run AS run FROM clock_row c"
  " LEFT JOIN process_row p ON p.id = +c.process",
  "CREATE VIEW thread AS SELECT t.id AS id, t.process AS process, t.tid AS tid, t.label AS label, p.run AS run"
  " FROM thread_row t LEFT JOIN process_row p ON p.id = +t.process",
  "CREATE VIEW metadata AS SELECT m.process AS process, nullif(m.thread, 0) AS thread, m.key AS key,"
  " m.value AS value, p.run AS run FROM metadata_row m LEFT JOIN process_row p ON p.id = +m.process",
  "CREATE VIEW event AS SELECT e.id AS id,"
  " (SELECT s.id FROM source_row s WHERE s.first_event <= e.id ORDER BY s.first_event DESC LIMIT 1) AS source,"
  " p.pid AS pid, t.tid AS tid, n.op_cat AS op_cat, n.op_name AS op_name, n.sub_op AS sub_op,"
  " n.suffix AS suffix, n.text AS name, p.pid || '->' || n.text || ifnull('~>' || n.suffix, '') AS op_long_name,"
  " n.raw AS raw_name, n.native_group AS native_group, n.file AS file, n.line AS line,"
  " e.ts_ns + " SHIFT ("e.ts_ns", OF_THREAD ("e.thread")) " AS ts_ns,"
  " e.dur_ns + " SHIFT ("(e.ts_ns + e.dur_ns)", OF_THREAD ("e.thread"))
  " - " SHIFT ("e.ts_ns", OF_THREAD ("e.thread")) " AS dur_ns, e.self_ns AS self_ns, e.shape >> 12 AS depth, e.step AS step,"
  " ifnull (" TT_SCHEMA_FILLED_ARGS ("e.args") ", (SELECT CAST (a.json AS TEXT) FROM args_row a WHERE a.id = e.args)) AS args,"
  " (SELECT f.text FROM flag_row f WHERE f.id = e.shape & 4095) AS flags,"
  " e.ts_ns AS own_ts_ns, e.dur_ns AS own_dur_ns,"
  " (SELECT s.run FROM source_row s WHERE s.first_event <= e.id ORDER BY s.first_event DESC LIMIT 1) AS run"
  " FROM event_row e LEFT JOIN name_row n ON n.id = +e.name LEFT JOIN thread_row t ON t.id = +e.thread"
  " LEFT JOIN process_row p ON p.id = +t.process",
  "CREATE VIEW parameter AS SELECT tensor_id, tensor_name, shape, dtype, update_id, source, run FROM parameter_row",
  "CREATE VIEW task AS SELECT t.task AS id, t.kind AS kind, t.name AS name, p.pid AS pid, t.device AS device,"
  " t.device_id AS device_id, t.created_ns AS created_ns, t.begin_ns AS begin_ns, t.end_ns AS end_ns,"
  " t.copy_from AS copy_from, t.copy_to AS copy_to, t.allocation AS allocation, t.file AS file, t.line AS line,"
  " p.run AS run FROM task_row t LEFT JOIN process_row p ON p.id = +t.process",
  "CREATE VIEW task_edge AS SELECT e.src AS src, e.dst AS dst, e.kind AS kind, p.pid AS pid, p.run AS run"
  " FROM task_edge_row e LEFT JOIN process_row p ON p.id = +e.process",
  "CREATE VIEW metric AS SELECT m.event AS event, s.name AS name, m.inclusive AS inclusive,"
  " m.exclusive AS exclusive, s.run AS run FROM metric_row m LEFT JOIN series_row s ON s.id = +m.series",
  "CREATE VIEW counter AS SELECT s.name AS series, p.pid AS pid, t.tid AS tid, s.unit AS unit,"
  " s.is_monotonic AS monotonic, c.ts_ns + " SHIFT ("c.ts_ns", "t.process") " AS ts_ns, c.value AS value,"
  " c.ts_ns AS own_ts_ns, s.run AS run FROM counter_row c"
  " LEFT JOIN series_row s ON s.id = +c.series LEFT JOIN thread_row t ON t.id = +c.thread"
  " LEFT JOIN process_row p ON p.id = +t.process",
  "CREATE VIEW message AS SELECT sp.pid AS src_pid, st.tid AS src_tid, dp.pid AS dst_pid, dt.tid AS dst_tid,"
  " m.tag AS tag, m.comm AS comm, m.ordinal AS ordinal, m.send_ns + " SHIFT ("m.send_ns", "m.src_process") " AS send_ns,"
  " m.recv_ns + " SHIFT ("m.recv_ns", "m.dst_process") " AS recv_ns,"
  " m.bytes AS bytes, m.send_event AS send_event, m.recv_event AS recv_event, f.text AS flags, m.send_ns AS own_send_ns,"
  " m.recv_ns AS own_recv_ns, m.run AS run FROM message_row m LEFT JOIN process_row sp ON sp.id = +m.src_process"
  " LEFT JOIN thread_row st ON st.id = +m.src_thread LEFT JOIN process_row dp ON dp.id = +m.dst_process"
  " LEFT JOIN thread_row dt ON dt.id = +m.dst_thread LEFT JOIN message_flag_row f ON f.id = +m.flags",
  "CREATE VIEW collective AS SELECT c.comm AS comm, n.op_name AS function, c.ordinal AS ordinal, p.pid AS pid,"
  " t.tid AS tid, c.event AS event, r.pid AS root,"
  " CASE WHEN c.flags & 4 THEN 'inferred,doubtful' WHEN c.flags & 1 THEN 'inferred' END AS flags, c.run AS run FROM collective_row c"
  " LEFT JOIN name_row n ON n.id = +c.name LEFT JOIN process_row p ON p.id = +c.process"
  " LEFT JOIN thread_row t ON t.id = +c.thread LEFT JOIN process_row r ON r.id = +c.root",
  "CREATE VIEW flow AS SELECT w.from_event AS from_event, w.to_event AS to_event, w.kind AS kind,"
  " (SELECT s.run FROM source_row s WHERE s.first_event <= w.from_event ORDER BY s.first_event DESC LIMIT 1) AS run"
  " FROM flow_row w",
  "CREATE VIEW activity AS SELECT a.event AS event,"
  " (SELECT r.text FROM role_row r WHERE r.id = a.role & 127) AS role, a.launch AS launch, a.queue AS queue,"
  " a.correlation AS correlation, a.waits_for AS waits_for, a.waits_on AS waits_on, a.role >> 7 AS blocks,"
  " (SELECT s.run FROM source_row s WHERE s.first_event <= a.event ORDER BY s.first_event DESC LIMIT 1) AS run"
  " FROM activity_row a",
  "CREATE VIEW statistic AS SELECT p.pid || '->' || n.text || ifnull('~>' || n.suffix, '') AS op_long_name,"
  " n.text AS name, p.pid AS pid, s.count AS count, s.total_ns AS total_ns, s.self_ns AS self_ns,"
  " s.avg_ns AS avg_ns, s.min_ns AS min_ns, s.max_ns AS max_ns, s.median_ns AS median_ns, s.p95_ns AS p95_ns,"
  " s.p99_ns AS p99_ns, s.stddev_ns AS stddev_ns, s.run AS run FROM statistic_row s"
  " LEFT JOIN name_row n ON n.id = +s.name LEFT JOIN process_row p ON p.id = +s.process WHERE s.process <> 0",
  NULL,
};
