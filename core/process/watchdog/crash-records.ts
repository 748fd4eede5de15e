import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunOwner } from '../../model/run.ts';
import { getCurrentProcess, hasOwnerEnded } from '../process-table.ts';

/** The activity of a process while its event loop was blocked. The file outlives a process that dies of it. */
export interface CrashRecord {
  readonly id: string;
  /** Description for display. */
  readonly activity: string;
  readonly process: RunOwner;
  /** ISO 8601. */
  readonly at: string;
  readonly blockedMs: number;
}

/** Records older than this do not count, in milliseconds. */
const retentionMs = 30 * 86_400_000;

/** The directory of these records; each process has at most one file in it. */
export class CrashRecords {
  readonly #folder: string;
  readonly #self: RunOwner;

  /** @param data the data directory of the home */
  constructor(data: string, nowMs: number) {
    this.#folder = join(data, 'deaths');
    this.#self = getCurrentProcess(nowMs);
  }

  /** Called by the watchdog thread while the main thread is blocked. Does nothing when the file cannot be written. */
  write(record: Pick<CrashRecord, 'id' | 'activity' | 'at' | 'blockedMs'>): void {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(this.#file, JSON.stringify({ ...record, process: this.#self }), { mode: 0o600 });
    } catch {
      // On a full disk this crash does not count.
    }
  }

  /** Called when the main thread continues, so that the process has not died. */
  clear(): void {
    rmSync(this.#file, { force: true });
  }

  /** Returns how often a process has died during an activity. */
  count(id: string): number {
    return this.#list().filter(({ record }) => record.id === id).length;
  }

  remove(id: string): void {
    for (const { file, record } of this.#list()) if (record.id === id) rmSync(file, { force: true });
  }

  removeOld(nowMs: number): void {
    for (const { file, record } of this.#list())
      if (Date.parse(record.at) < nowMs - retentionMs) rmSync(file, { force: true });
  }

  /** Lists the records of processes that have ended. A container has another host name after each start. */
  #list(): { file: string; record: CrashRecord }[] {
    const isGone = ({ process: owner }: CrashRecord): boolean =>
      owner.host !== this.#self.host || hasOwnerEnded(owner, this.#self);
    return listFiles(this.#folder).flatMap((file) => {
      const record = readRecord(file);
      return record !== undefined && isGone(record) ? [{ file, record }] : [];
    });
  }

  get #file(): string {
    const { pid, pidStart } = this.#self;
    return join(this.#folder, `${this.#self.bootId.slice(0, 8)}-${pid}-${pidStart}.json`);
  }
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Returns undefined for a file that is truncated or not a record. */
function readRecord(file: string): CrashRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as CrashRecord;
    return typeof record.id === 'string' && typeof record.process.pid === 'number' ? record : undefined;
  } catch {
    return undefined;
  }
}
