import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CrashRecords } from '../../../../core/process/watchdog/crash-records.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

const now = Date.parse('2026-01-01T00:00:00Z');
const record = { id: 'run etl/1', activity: 'run 1 of etl', at: '2026-01-01T00:00:00.000Z', blockedMs: 3000 };

/** Writes what a dead process has left behind. */
function leave(data: string, name: string, more: object = {}): void {
  const records = new CrashRecords(data, now);
  records.write(record);
  const folder = join(data, 'deaths');
  records.clear();
  const process = { host: 'another', pid: 1, pidStart: '1', bootId: 'x' };
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ ...record, process, ...more }));
}

describe('CrashRecords', () => {
  it('counts the deaths of an activity, except of its own process', () => {
    const data = makeTemporaryFolder();
    const records = new CrashRecords(data, now);
    expect(records.count(record.id)).toBe(0);
    leave(data, 'a');
    leave(data, 'b');
    leave(data, 'c', { id: 'run etl/2' });
    records.write(record);
    expect(records.count(record.id)).toBe(2);
    records.remove(record.id);
    expect(records.count(record.id)).toBe(0);
    expect(records.count('run etl/2')).toBe(1);
  });

  it('deletes records older than 30 days', () => {
    const data = makeTemporaryFolder();
    leave(data, 'old', { at: '2025-11-01T00:00:00.000Z' });
    leave(data, 'new');
    new CrashRecords(data, now).removeOld(now);
    expect(readdirSync(join(data, 'deaths'))).toEqual(['new.json']);
  });

  it('ignores a truncated file', () => {
    const data = makeTemporaryFolder();
    leave(data, 'a');
    writeFileSync(join(data, 'deaths', 'b.json'), '{"id": "run');
    expect(new CrashRecords(data, now).count(record.id)).toBe(1);
  });
});
