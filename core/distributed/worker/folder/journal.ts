import { mkdirSync, renameSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { readIfThere } from '../../../process/exits/read-if-there.ts';
import type { TaskHold } from '../../ports.ts';
import type { RemoteResult } from '../../remote-task.ts';

/** What a worker has to remember of a task over its own death. */
export interface KeptTask extends TaskHold {
  /** A `RemoteTask` as JSON. */
  readonly payload: string;
  /** Of the machine, when it came. */
  readonly bootId: string;
  /** A coordinator has confirmed it. Without it, it may have been confirmed and started all the same. */
  readonly isBegun?: true;
  readonly process?: { readonly pid: number; readonly pidStart: string };
  /** It has ended, and this is what is to be told of it. */
  readonly result?: RemoteResult;
}

type Change =
  | ({ readonly is: 'accepted' } & TaskHold & Pick<KeptTask, 'payload' | 'bootId'>)
  | ({ readonly is: 'begun' } & TaskHold & Required<Pick<KeptTask, 'isBegun'>>)
  | ({ readonly is: 'spawned' } & TaskHold & Required<Pick<KeptTask, 'process'>>)
  | ({ readonly is: 'ended' } & TaskHold & Required<Pick<KeptTask, 'result'>>)
  | ({ readonly is: 'gone' } & TaskHold);

/** Bytes of lines that say nothing any more, until the file is written anew. */
const wasteLimit = 4 * 1024 * 1024;

/**
 * The tasks of a worker, on disk: a file of one JSON object a line, to which changes are added. Those of one turn are
 * written and synced together. Whoever waits for a change knows that it survives a power cut.
 */
export class Journal {
  readonly #file: string;
  readonly #tasks = new Map<string, KeptTask>();
  #handle: FileHandle;
  #waiting: { lines: string[]; done: Promise<void> } | undefined;
  #writing: Promise<void> = Promise.resolve();
  #waste = 0;
  #isClosed = false;

  private constructor(file: string, handle: FileHandle, tasks: readonly KeptTask[]) {
    this.#file = file;
    this.#handle = handle;
    for (const task of tasks) this.#tasks.set(nameOf(task), task);
  }

  /** Reads what an earlier life of the worker has left. Rejects with what the file system says. */
  static async open(folder: string): Promise<Journal> {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, 'tasks.jsonl');
    const tasks = readTasks(file);
    return new Journal(file, await writeAnew(file, tasks), tasks);
  }

  list(): readonly KeptTask[] {
    return [...this.#tasks.values()];
  }

  /** Adds tasks that were handed over, before they are confirmed. Rejects with what the file system says. */
  accept(tasks: readonly (TaskHold & Pick<KeptTask, 'payload'>)[], bootId: string): Promise<void> {
    return this.#write(
      tasks.map(({ key, fence, payload }) => ({ is: 'accepted', key, fence, payload, bootId })),
    );
  }

  begin(holds: readonly TaskHold[]): Promise<void> {
    return this.#write(holds.map(({ key, fence }) => ({ is: 'begun', key, fence, isBegun: true })));
  }

  noteProcess(
    { key, fence }: TaskHold,
    process: { readonly pid: number; readonly pidStart: string },
  ): Promise<void> {
    return this.#write([{ is: 'spawned', key, fence, process }]);
  }

  end({ key, fence }: TaskHold, result: RemoteResult): Promise<void> {
    return this.#write([{ is: 'ended', key, fence, result }]);
  }

  /** Nothing is to be told of them any more. */
  forget(holds: readonly TaskHold[]): Promise<void> {
    return this.#write(holds.map(({ key, fence }) => ({ is: 'gone', key, fence })));
  }

  /** Once everything is written. What comes later is the next life's to find out. */
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
    // What comes while the lines before are being synced goes together.
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
      const handle = await writeAnew(this.#file, this.list());
      await this.#handle.close();
      this.#handle = handle;
      this.#waste = 0;
      return;
    }
    // The line break comes first, so that a line cut short by a full disk does not spoil the next one.
    await this.#handle.appendFile(`\n${lines.join('\n')}`);
    await this.#handle.datasync();
  }
}

const nameOf = ({ key, fence }: TaskHold): string => `${fence} ${key}`;

/** @returns bytes, about, that say nothing any more */
function apply(tasks: Map<string, KeptTask>, { is, ...change }: Change): number {
  const name = nameOf(change);
  const known = tasks.get(name);
  if (is === 'gone') {
    tasks.delete(name);
    return known === undefined ? 0 : JSON.stringify(known).length;
  }
  if (is === 'accepted') tasks.set(name, change as KeptTask);
  else if (known !== undefined) tasks.set(name, { ...known, ...change });
  return 0;
}

function readTasks(file: string): KeptTask[] {
  const tasks = new Map<string, KeptTask>();
  for (const line of readIfThere(file).split('\n')) {
    const change = parse(line);
    if (change !== undefined) apply(tasks, change);
  }
  return [...tasks.values()];
}

/** Undefined for a line that was cut short. */
function parse(line: string): Change | undefined {
  try {
    const { is, key, fence } = JSON.parse(line) as Partial<Change>;
    const isChange = typeof is === 'string' && typeof key === 'string' && typeof fence === 'number';
    return isChange ? (JSON.parse(line) as Change) : undefined;
  } catch {
    return undefined;
  }
}

/** Puts a file with nothing but these tasks in the place of the old one. @returns the new one, at its end */
async function writeAnew(file: string, tasks: readonly KeptTask[]): Promise<FileHandle> {
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
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}
