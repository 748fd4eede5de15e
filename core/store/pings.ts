import { createHash } from 'node:crypto';
import { toIso } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { PingCheck, PingKind, PingRecord } from '../model/expectation.ts';
import type { Database } from './database/database.ts';
import { notifyEvent } from './notifications/notify-event.ts';
import type { Operations } from './open-store.ts';
import type { MissingPing, PingSettings, PingStore, ReceivedPing } from './types/pings.ts';
import { saveDispatch } from './webhooks/events.ts';

/** Number of pings that are stored of each check. */
const storedPings = 100;

/** Creates the store of pings on an open connection. */
export const createPingStore = (database: Database): Operations<PingStore> => ({
  listChecks: () => database.all<CheckRow>('SELECT * FROM ping_check ORDER BY name').map(toCheck),
  findCheck: (name) => findCheck(database, 'name = ?', name),
  createCheck: (token, settings, at) => createCheck(database, token, settings, at),
  updateCheck: (name, change) => updateCheck(database, name, change),
  deleteCheck: (id) => database.write(() => void database.run('DELETE FROM ping_check WHERE id = ?', id)),
  findByToken: (token) => findCheck(database, 'token_sha256 = ?', hashToken(token)),
  record: (checkId, ping) => database.write(() => recordPing(database, checkId, ping)),
  recordMissing: (check, missing, at) => database.write(() => recordMissing(database, check, missing, at)),
  listPings: (checkId, limit) => listPings(database, checkId, limit),
});

const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

interface CheckRow {
  readonly id: number;
  readonly name: string;
  readonly token: string;
  readonly schedule: string | null;
  readonly timezone: string | null;
  readonly period_ms: number | null;
  readonly grace_ms: number;
  readonly tags: string;
  readonly created_at: number;
  readonly last_at: number | null;
  readonly last_kind: PingKind | null;
  readonly started_at: number | null;
}

const toCheck = (row: CheckRow): PingCheck => ({
  id: row.id,
  name: row.name,
  token: row.token,
  ...(row.schedule !== null && { schedule: row.schedule }),
  ...(row.timezone !== null && { timezone: row.timezone }),
  ...(row.period_ms !== null && { periodMs: row.period_ms }),
  graceMs: row.grace_ms,
  tags: JSON.parse(row.tags) as string[],
  createdAt: row.created_at,
  ...(row.last_at !== null && { lastAt: row.last_at }),
  ...(row.last_kind !== null && { lastKind: row.last_kind }),
  ...(row.started_at !== null && { startedAt: row.started_at }),
});

function findCheck(database: Database, condition: string, value: string | number): PingCheck | undefined {
  const row = database.get<CheckRow>(`SELECT * FROM ping_check WHERE ${condition}`, value);
  return row && toCheck(row);
}

function createCheck(database: Database, token: string, settings: PingSettings, at: number): PingCheck {
  const { name, schedule, timezone, periodMs, graceMs, tags } = settings;
  return database.write(() => {
    requireFreeName(database, name, undefined);
    const { key } = database.run(
      /* sql */ `
      INSERT INTO ping_check (name, token, token_sha256, schedule, timezone, period_ms, grace_ms, tags, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      name,
      token,
      hashToken(token),
      schedule ?? null,
      timezone ?? null,
      periodMs ?? null,
      graceMs,
      JSON.stringify(tags),
      at,
    );
    return findCheck(database, 'id = ?', key)!;
  });
}

function updateCheck(
  database: Database,
  oldName: string,
  change: (check: PingCheck) => PingSettings,
): PingCheck | undefined {
  return database.write(() => {
    const check = findCheck(database, 'name = ?', oldName);
    if (check === undefined) return undefined;
    const { name, schedule, timezone, periodMs, graceMs, tags } = change(check);
    requireFreeName(database, name, check.id);
    database.run(
      /* sql */ `
      UPDATE ping_check SET name = ?, schedule = ?, timezone = ?, period_ms = ?, grace_ms = ?, tags = ? WHERE id = ?`,
      name,
      schedule ?? null,
      timezone ?? null,
      periodMs ?? null,
      graceMs,
      JSON.stringify(tags),
      check.id,
    );
    return findCheck(database, 'id = ?', check.id);
  });
}

function requireFreeName(database: Database, name: string, id: number | undefined): void {
  const other = findCheck(database, 'name = ?', name);
  if (other === undefined || other.id === id) return;
  throw new AppError('already_exists', `A ping check named "${name}" already exists. Choose another name.`);
}

function recordPing(database: Database, checkId: number, ping: ReceivedPing): boolean {
  const check = findCheck(database, 'id = ?', checkId);
  if (check === undefined) return false;
  const { at, kind, exitCode = null, method = null, address = null, userAgent = null, body = null } = ping;
  const durationMs =
    kind !== 'start' && check.startedAt !== undefined ? Math.max(0, at - check.startedAt) : null;
  database.run(
    /* sql */ `
    INSERT INTO ping (check_id, at, kind, exit_code, duration_ms, method, address, user_agent, body)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    checkId,
    at,
    kind,
    exitCode,
    durationMs,
    method,
    address,
    userAgent,
    body,
  );
  database.run(
    'UPDATE ping_check SET last_at = ?, last_kind = ?, started_at = ? WHERE id = ?',
    at,
    kind,
    kind === 'start' ? at : null,
    checkId,
  );
  database.run(
    /* sql */ `
    DELETE FROM ping WHERE check_id = ? AND id <=
      (SELECT id FROM ping WHERE check_id = ? ORDER BY id DESC LIMIT 1 OFFSET ${storedPings})`,
    checkId,
    checkId,
  );
  notifyOfEnd(database, check, ping);
  return true;
}

/** Reports a failure, and the first success after one. */
function notifyOfEnd(database: Database, check: PingCheck, { kind, at, exitCode }: ReceivedPing): void {
  const { id, name: workflow } = check;
  if (kind === 'fail') {
    const code = exitCode === undefined ? '' : ` with exit code ${exitCode}`;
    notifyEvent(database, { type: 'run.failed', workflow, at, detail: `The job reported a failure${code}.` });
  }
  if (kind !== 'success') return;
  const [, previous] = database.all<{ kind: PingKind }>(
    "SELECT kind FROM ping WHERE check_id = ? AND kind <> 'start' ORDER BY id DESC LIMIT 2",
    id,
  );
  if (previous !== undefined && previous.kind !== 'success')
    notifyEvent(database, { type: 'run.recovered', workflow, at, detail: 'The job reported a success.' });
}

function recordMissing(
  database: Database,
  { id, name }: PingCheck,
  { deadline, isLong, message }: MissingPing,
  at: number,
): boolean {
  const { changes } = database.run(
    "INSERT INTO ping (check_id, at, kind, body) VALUES (?, ?, 'missing', ?) ON CONFLICT DO NOTHING",
    id,
    deadline,
    message,
  );
  if (changes === 0) return false;
  const type = isLong ? 'run.long' : 'run.missing';
  notifyEvent(database, { type, workflow: name, at, detail: message });
  saveDispatch(database, type, { ping: name, deadline: toIso(deadline), message }, at);
  return true;
}

interface PingRow {
  readonly id: number;
  readonly at: number;
  readonly kind: PingKind;
  readonly exit_code: number | null;
  readonly duration_ms: number | null;
  readonly method: string | null;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly body: string | null;
}

const listPings = (database: Database, checkId: number, limit: number): PingRecord[] =>
  database
    .all<PingRow>('SELECT * FROM ping WHERE check_id = ? ORDER BY id DESC LIMIT ?', checkId, limit)
    .map((row) => ({
      id: row.id,
      at: row.at,
      kind: row.kind,
      ...(row.exit_code !== null && { exitCode: row.exit_code }),
      ...(row.duration_ms !== null && { durationMs: row.duration_ms }),
      ...(row.method !== null && { method: row.method }),
      ...(row.address !== null && { address: row.address }),
      ...(row.user_agent !== null && { userAgent: row.user_agent }),
      ...(row.body !== null && { body: row.body }),
    }));
