import { sql as initial } from './0001-initial.sql.ts';
import { sql as baseConfig } from './0002-base-config.sql.ts';
import { sql as reruns } from './0003-reruns.sql.ts';
import { sql as items } from './0004-items.sql.ts';
import { sql as traces } from './0005-traces.sql.ts';
import { sql as hosts } from './0006-hosts.sql.ts';
import { sql as schedule } from './0007-schedule.sql.ts';
import { sql as queues } from './0008-queues.sql.ts';
import { sql as peaks } from './0009-peaks.sql.ts';
import { sql as queueReasons } from './0010-queue-reasons.sql.ts';
import { sql as runTimes } from './0011-run-times.sql.ts';
import { sql as runTags } from './0012-run-tags.sql.ts';
import { sql as editor } from './0013-editor.sql.ts';
import { sql as audit } from './0014-audit.sql.ts';
import { sql as runStarters } from './0015-run-starters.sql.ts';
import { sql as schedulePause } from './0016-schedule-pause.sql.ts';
import { sql as webhooksOut } from './0017-webhooks-out.sql.ts';
import { sql as webhooksIn } from './0018-webhooks-in.sql.ts';
import { sql as dispatch } from './0019-dispatch.sql.ts';
import { sql as workerAttempts } from './0020-worker-attempts.sql.ts';
import { sql as approvals } from './0021-approvals.sql.ts';
import { sql as eventTypes } from './0022-event-types.sql.ts';
import { runsSql } from './postgres/0018-runs.sql.ts';
import { servicesSql } from './postgres/0018-services.sql.ts';
import { webhooksSql } from './postgres/0018-webhooks.sql.ts';
import { dispatchSql } from './postgres/0019-dispatch.sql.ts';
import { workerAttemptsSql } from './postgres/0020-worker-attempts.sql.ts';
import { approvalsSql } from './postgres/0021-approvals.sql.ts';

/** One step of the schema's history. */
export interface Migration {
  /** `PRAGMA user_version` after it; 1, 2, 3, … without a gap. */
  readonly version: number;
  /** For SQLite. */
  readonly sql: string;
  /** For PostgreSQL, whose first schema is version 18; from there, both have the same versions. */
  readonly postgres?: string;
}

/**
 * All migrations, oldest first. A new one is a new file per database and a new row here; released ones never change.
 */
export const migrations: readonly Migration[] = [
  { version: 1, sql: initial },
  { version: 2, sql: baseConfig },
  { version: 3, sql: reruns },
  { version: 4, sql: items },
  { version: 5, sql: traces },
  { version: 6, sql: hosts },
  { version: 7, sql: schedule },
  { version: 8, sql: queues },
  { version: 9, sql: peaks },
  { version: 10, sql: queueReasons },
  { version: 11, sql: runTimes },
  { version: 12, sql: runTags },
  { version: 13, sql: editor },
  { version: 14, sql: audit },
  { version: 15, sql: runStarters },
  { version: 16, sql: schedulePause },
  { version: 17, sql: webhooksOut },
  { version: 18, sql: webhooksIn, postgres: runsSql + servicesSql + webhooksSql },
  { version: 19, sql: dispatch, postgres: dispatchSql },
  { version: 20, sql: workerAttempts, postgres: workerAttemptsSql },
  { version: 21, sql: approvals, postgres: approvalsSql },
  { version: 22, sql: eventTypes, postgres: eventTypes },
];
