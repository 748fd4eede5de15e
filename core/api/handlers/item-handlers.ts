import path from 'node:path';
import { toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { ItemView } from '../../contract/items.ts';
import { attemptFiles } from '../../model/attempt-files.ts';
import type { ItemRecord } from '../../model/run.ts';
import { findAttempt } from './find-attempt.ts';
import type { HandlersFor } from './handlers.ts';

const defaultPageSize = 100;

/** Operations on the items of steps with `parallel`. */
export const itemHandlers: HandlersFor<'runs.items'> = {
  'runs.items': (input, parts) => {
    const { run, record, logDir } = findAttempt(parts, input);
    const { limit = defaultPageSize, cursor, status } = input;
    const items = parts.store.listItems(run, {
      node: record.node,
      attempt: record.attempt,
      statuses: status,
      after: cursor === undefined ? undefined : parseCursor(cursor),
      limit,
    });
    const last = items.at(-1);
    const nextCursor = last === undefined || items.length < limit ? undefined : String(last.item);
    return { attempt: record.attempt, items: items.map((item) => toItemView(item, logDir)), nextCursor };
  },
};

function toItemView(record: ItemRecord, logDir: string): ItemView {
  const { item, value, status, exitCode, signal, error, subRun } = record;
  const dir = path.join(logDir, record.dir);
  return {
    item,
    value,
    status,
    startedAt: toIso(record.startedAt),
    finishedAt: record.finishedAt === undefined ? undefined : toIso(record.finishedAt),
    exitCode,
    signal,
    error,
    stdoutFile: path.join(dir, attemptFiles.stdout),
    stderrFile: path.join(dir, attemptFiles.stderr),
    subRun,
  };
}

function parseCursor(cursor: string): number {
  if (/^[1-9][0-9]{0,5}$/.test(cursor)) return Number(cursor);
  throw new AppError(
    'bad_request',
    'cursor: this is not a cursor of an earlier page; leave it out for the first page',
  );
}
