import { mkdirSync, renameSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { readOptionalFile } from '../../process/exits.ts';
import type { TaskLease } from '../../store/types/dispatch.ts';
import type { RemoteResult } from '../../run/remote/remote-task.ts';

/** Stored state of a task, which survives a crash of the worker. */
export interface JournaledTask extends TaskLease {
  /** A `RemoteTask` as JSON. */
  readonly payload: string;
  /** Boot id of the machine when the task was accepted. */
  readonly bootId: string;
  /** A coordinator has confirmed it. Without this, it may still have been confirmed and started. */
  readonly isBegun?: true;
  readonly process?: { readonly pid: number; readonly pidStart: string };
  /** Result to report, once ended. */
  readonly result?: RemoteResult;
}

type Change =
  | ({ readonly is: 'accepted' } & TaskLease & Pick<JournaledTask, 'payload' | 'bootId'>)
  | ({ readonly is: 'begun' } & TaskLease & Required<Pick<JournaledTask, 'isBegun'>>)
  | ({ readonly is: 'spawned' } & TaskLease & Required<Pick<JournaledTask, 'process'>>)
  | ({ readonly is: 'ended' } & TaskLease & Required<Pick<JournaledTask, 'result'>>)
  | ({ readonly is: 'gone' } & TaskLease);

/** Bytes of obsolete lines after which the file is rewritten. */
const wasteLimit = 4 * 1024 * 1024;

/**
 * Journal of a worker's tasks: an append-only file with one JSON object per line. Changes of one event loop turn are
 * written and flushed together. A change is durable when its promise resolves.
 */
export class Journal {
  readonly #file: string;
  readonly #tasks = new Map<string, JournaledTask>();
  #handle: FileHandle;
  #waiting: { lines: string[]; done: Promise<void> } | undefined;
  #writing: Promise<void> = Promise.resolve();
  #waste = 0;
  #isClosed = false;

  private constructor(file: string, handle: FileHandle, tasks: readonly JournaledTask[]) {
    this.#file = file;
    this.#handle = handle;
    for (const task of tasks) this.#tasks.set(getName(task), task);
  }

  /** Opens the journal and reads the tasks of an earlier process. Rejects with file system errors. */
  static async open(folder: string): Promise<Journal> {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, 'tasks.jsonl');
    const tasks = readTasks(file);
    return new Journal(file, await rewrite(file, tasks), tasks);
  }

  list(): readonly JournaledTask[] {
    return [...this.#tasks.values()];
  }

  /** Adds accepted tasks before they are confirmed. Rejects with file system errors. */
  accept(tasks: readonly (TaskLease & Pick<JournaledTask, 'payload'>)[], bootId: string): Promise<void> {
    return this.#write(
      tasks.map(({ key, fence, payload }) => ({ is: 'accepted', key, fence, payload, bootId })),
    );
  }

  begin(leases: readonly TaskLease[]): Promise<void> {
    return this.#write(leases.map(({ key, fence }) => ({ is: 'begun', key, fence, isBegun: true })));
  }

  recordProcess(
    { key, fence }: TaskLease,
    process: { readonly pid: number; readonly pidStart: string },
  ): Promise<void> {
    return this.#write([{ is: 'spawned', key, fence, process }]);
  }

  end({ key, fence }: TaskLease, result: RemoteResult): Promise<void> {
    return this.#write([{ is: 'ended', key, fence, result }]);
  }

  /** Removes tasks that need no further report. */
  forget(leases: readonly TaskLease[]): Promise<void> {
    return this.#write(leases.map(({ key, fence }) => ({ is: 'gone', key, fence })));
  }

  /** Closes after all pending writes. Later changes are lost, and the next process detects their state. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing.catch(() => {});
    await this.#handle.close();
  }

  #write(changes: readonly Change[]): Promise<void> {
    if (changes.length === 0 || this.#isClosed) return Promise.resolve();
    for (const change of changes) this.#waste += apply(this.#tasks, change);
    const lines = changes.map((change) => JSON.stringify(change));
    if (this.#waiting !== undefined) {
      this.#waiting.lines.push(...lines);
      return this.#waiting.done;
    }
    // Changes during a flush are written together.
    const batch = { lines, done: Promise.resolve() };
    batch.done = this.#writing
      .catch(() => {})
      .then(() => {
        this.#waiting = undefined;
        return this.#append(batch.lines);
      });
    this.#waiting = batch;
    this.#writing = batch.done;
    return batch.done;
  }

  async #append(lines: readonly string[]): Promise<void> {
    if (this.#waste > wasteLimit) {
      const handle = await rewrite(this.#file, this.list());
      await this.#handle.close();
      this.#handle = handle;
      this.#waste = 0;
      return;
    }
    // The newline comes first, so that a line truncated by a full disk does not corrupt the next one.
    await this.#handle.appendFile(`\n${lines.join('\n')}`);
    await this.#handle.datasync();
  }
}

const getName = ({ key, fence }: TaskLease): string => `${fence} ${key}`;

/** @returns approximate number of obsolete bytes */
function apply(tasks: Map<string, JournaledTask>, { is, ...change }: Change): number {
  const name = getName(change);
  const existing = tasks.get(name);
  if (is === 'gone') {
    tasks.delete(name);
    return existing === undefined ? 0 : JSON.stringify(existing).length;
  }
  if (is === 'accepted') tasks.set(name, change as JournaledTask);
  else if (existing !== undefined) tasks.set(name, { ...existing, ...change });
  return 0;
}

function readTasks(file: string): JournaledTask[] {
  const tasks = new Map<string, JournaledTask>();
  for (const line of readOptionalFile(file).split('\n')) {
    const change = parse(line);
    if (change !== undefined) apply(tasks, change);
  }
  return [...tasks.values()];
}

/** Parses a line; undefined if truncated. */
function parse(line: string): Change | undefined {
  try {
    const { is, key, fence } = JSON.parse(line) as Partial<Change>;
    const isChange = typeof is === 'string' && typeof key === 'string' && typeof fence === 'number';
    return isChange ? (JSON.parse(line) as Change) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Replaces the file by one that contains only these tasks.
 * @returns the new file, positioned at its end
 */
async function rewrite(file: string, tasks: readonly JournaledTask[]): Promise<FileHandle> {
  const draft = `${file}.new`;
  const handle = await open(draft, 'w', 0o600);
  try {
    const lines = tasks.map((task) => JSON.stringify({ is: 'accepted', ...task }));
    await handle.writeFile(lines.join('\n'));
    await handle.sync();
    renameSync(draft, file);
    const folder = await open(path.dirname(file), 'r');
    await folder.sync();
    await folder.close();
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
