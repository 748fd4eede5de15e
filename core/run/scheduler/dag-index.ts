import path from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { toAppError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { BaseFile, LoadedBase } from '../../home/library/base-file.ts';
import { getFileName, readFolderTree } from '../../home/library/folder-listing.ts';
import { fingerprintFile } from '../../home/library/loaded-files.ts';
import { readText, type FileText } from '../../home/library/read-text.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import { loadWithBaseInThread, type SpecFile } from '../../home/library/read-spec.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { normalizeLineEnds } from '../../spec/source.ts';
import type { Catchup, Expect, Schedule, Workflow } from '../../model/workflow.ts';

/** Changes that a scan of the folder has found. */
export interface IndexChanges {
  /** Includes new workflows. */
  readonly changed: readonly ScheduledDag[];
  /** Deleted, or without a readable schedule or expectations. */
  readonly removed: readonly string[];
}

interface IndexedFile {
  readonly stamp: string;
  readonly base: LoadedBase;
  readonly read: ReadDag;
}

/** Longest work per event-loop tick, in milliseconds. */
const sliceMs = 8;

/** The schedules of a workflow folder. Files are read again only when they, or the base configuration, have changed. */
export class DagIndex {
  readonly #folder: string;
  readonly #base: BaseFile;
  readonly #clock: Pick<Clock, 'now' | 'monotonic' | 'soon'>;
  readonly #logger: Logger;
  readonly #files = new Map<string, IndexedFile>();
  readonly #dags = new Map<string, ScheduledDag>();
  #isReadable = true;

  /**
   * @param folder Absolute path.
   */
  constructor(
    folder: string,
    base: BaseFile,
    clock: Pick<Clock, 'now' | 'monotonic' | 'soon'>,
    logger: Logger,
  ) {
    this.#folder = folder;
    this.#base = base;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** By `ScheduledDag.dag`. */
  get dags(): ReadonlyMap<string, ScheduledDag> {
    return this.#dags;
  }

  /** Scans the whole folder, a few milliseconds at a time. An unreadable folder changes nothing. */
  async scan(): Promise<IndexChanges> {
    const names = this.#list();
    if (names === undefined) return { changed: [], removed: [] };
    const base = this.#base.read();
    const [changed, removed]: [ScheduledDag[], string[]] = [[], []];
    const seenNames = new Set<string>();
    let sliceEnd = this.#clock.monotonic() + sliceMs;
    for (const name of names) {
      const dag = getFileName(name);
      // Of several files with the same name the first counts, as in the library.
      if (seenNames.has(dag)) continue;
      seenNames.add(dag);
      await this.#check(dag, name, base, { changed, removed });
      if (this.#clock.monotonic() < sliceEnd) continue;
      await new Promise<void>((resolve) => this.#clock.soon(resolve));
      sliceEnd = this.#clock.monotonic() + sliceMs;
    }
    for (const dag of this.#files.keys()) if (!seenNames.has(dag)) this.#remove(dag, removed);
    return { changed, removed };
  }

  /** Returns relative paths. */
  #list(): string[] | undefined {
    try {
      const { files } = readFolderTree(this.#folder);
      this.#isReadable = true;
      return [...files.keys()];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      if (this.#isReadable)
        this.#logger.error('Cannot read the workflow folder; schedules are unchanged', {
          folder: this.#folder,
          message: String(error),
        });
      this.#isReadable = false;
      return undefined;
    }
  }

  async #check(
    dag: string,
    name: string,
    base: LoadedBase,
    changes: { changed: ScheduledDag[]; removed: string[] },
  ): Promise<void> {
    const file = path.join(this.#folder, name);
    const mark = fingerprintFile(file, this.#clock.now());
    if (mark === undefined || !mark.isFile) return this.#remove(dag, changes.removed);
    const known = this.#files.get(dag);
    if (known?.stamp === mark.stamp && known.base === base) return;
    const read = await this.#read(dag, file, base);
    this.#files.set(dag, { stamp: mark.isFresh ? '' : mark.stamp, base, read });
    this.#warn(known?.read, read);
    if (read.dag === undefined) {
      if (this.#dags.delete(dag)) changes.removed.push(dag);
    } else if (!isSame(this.#dags.get(dag), read.dag)) {
      this.#dags.set(dag, read.dag);
      changes.changed.push(read.dag);
    }
  }

  async #read(dag: string, file: string, base: LoadedBase): Promise<ReadDag> {
    try {
      return await readScheduledDag(dag, file, readText(file), base);
    } catch (error) {
      const { message } = toAppError(error);
      return { errors: [{ severity: 'error', message, file, line: 1, column: 1, path: '' }] };
    }
  }

  /** Reports a broken file once; it affects no other file. */
  #warn(before: ReadDag | undefined, { errors }: ReadDag): void {
    const [first] = errors;
    if (first === undefined || first.message === before?.errors[0]?.message) return;
    this.#logger.warn(`Schedule suspended because a workflow file is invalid: ${formatDiagnostic(first)}`);
  }

  #remove(dag: string, removed: string[]): void {
    this.#files.delete(dag);
    if (this.#dags.delete(dag)) removed.push(dag);
  }
}

const isSame = (a: ScheduledDag | undefined, b: ScheduledDag): boolean =>
  a !== undefined && JSON.stringify(a) === JSON.stringify(b);

/** The schedule of a file. */
interface ReadDag {
  /** Absent when it has no schedule, or is broken. */
  readonly dag?: ScheduledDag;
  /** Why its schedule is invalid. */
  readonly errors: readonly Diagnostic[];
}

/**
 * Reads the schedule of a workflow file. Parses only that part when it is independent of the rest, so errors in the
 * steps appear when a slot is due.
 * @param file absolute
 */
async function readScheduledDag(
  dag: string,
  file: string,
  { text, problem }: FileText,
  base: LoadedBase,
): Promise<ReadDag> {
  if (problem !== undefined) return { errors: [problem] };
  const head = readHead(normalizeLineEnds(text));
  const isBaseDue = base.config !== undefined && isDue(base.config);
  if (head !== undefined) {
    if (!head.hasSchedule && !isBaseDue) return { errors: [] };
    const spec = await loadWithBaseInThread({ text: head.text, file }, base);
    if (!hasErrors(spec)) return toDag(dag, spec);
  }
  return toDag(dag, await loadWithBaseInThread({ text, file }, base));
}

const hasErrors = ({ diagnostics }: SpecFile): boolean =>
  diagnostics.some(({ severity }) => severity === 'error');

function toDag(dag: string, { workflows, diagnostics }: SpecFile): ReadDag {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const workflow = workflows[0];
  if (errors.length > 0 || workflow === undefined || !isDue(workflow)) return { errors };
  const { name, schedule, catchup, catchupWindowSec, expect, timezone: zone } = workflow;
  return { dag: { dag, name, schedule, catchup, catchupWindowSec, expect, zone }, errors };
}

/** Keys of a workflow that affect when it is due, normalized like in `canonical-keys.ts`. */
const scheduleKeys = new Set(['schedule', 'timezone', 'tz', 'catchup', 'catchupwindow', 'expect', 'name']);

const keyLine = /^([A-Za-z][A-Za-z_]*)[ \t]*:(?:[ \t\r]|$)/;

/**
 * More keys than a workflow has fields, and more lines than schedules need: a file beyond this is not a plain workflow.
 */
const maxKeys = 200;
const maxHeadLines = 10_000;

/** The part of a source that defines its schedule. */
export interface WorkflowHead {
  /** A workflow with only these keys, and one step. */
  readonly text: string;
  /** Whether it has a schedule or expectations. */
  readonly hasSchedule: boolean;
}

/**
 * Extracts the part of a workflow's source that defines its schedule: thousands of files are read when a scheduler
 * starts, and steps are most of their content. The part may be invalid YAML alone, when it refers to the rest.
 * @returns undefined when the first document is not a plain block of keys, so that the whole source has to be parsed
 */
export function readHead(text: string): WorkflowHead | undefined {
  const headLines: string[] = [];
  let isWithinKey = false;
  let hasSchedule = false;
  let keys = 0;
  for (const line of readLines(text)) {
    if (line === '' || isContinuation(line)) {
      if (isWithinKey && headLines.push(line) > maxHeadLines) return undefined;
      continue;
    }
    if (/^---\s*$/.test(line)) {
      if (keys > 0) break;
      continue;
    }
    const key = keyLine.exec(line)?.[1]?.replaceAll('_', '').toLowerCase();
    keys += 1;
    if (key === undefined || keys > maxKeys) return undefined;
    isWithinKey = scheduleKeys.has(key);
    hasSchedule ||= key === 'schedule' || key === 'expect';
    if (isWithinKey) headLines.push(line);
  }
  return { text: `${headLines.join('\n')}\nsteps: ["true"]\n`, hasSchedule };
}

/** Yields one line at a time: splitting a large file into a list would take longer than reading its lines. */
function* readLines(text: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
  if (start < text.length) yield text.slice(start);
}

/** Whether a line belongs to the key before it: blank lines, comments, indented lines, and list items do. */
const isContinuation = (line: string): boolean => /^(?:[ \t\r#]|- |-$)/.test(line);

/** The part of a workflow file that a scheduler caches; the rest is read when a slot is due. */
export interface ScheduledDag {
  /** As in `FireTimeRef`. */
  readonly dag: string;
  readonly schedule: Schedule;
  /** Default: from the configuration, like the next one. */
  readonly catchup?: Catchup;
  readonly catchupWindowSec?: number;
  /** Name of the workflow. */
  readonly name: string;
  readonly expect?: Expect;
  /** Its own time zone. */
  readonly zone?: string;
}

/** Identifies a version of a file's schedule. */
export const scheduleFingerprint = ({ schedule }: ScheduledDag): string =>
  JSON.stringify([schedule.start, schedule.stop, schedule.restart]);

/** Whether a workflow has a schedule or expectations. */
const isDue = ({
  schedule: { start, stop, restart },
  expect,
}: Pick<Workflow, 'schedule' | 'expect'>): boolean =>
  start.length + stop.length + restart.length > 0 || expect !== undefined;
