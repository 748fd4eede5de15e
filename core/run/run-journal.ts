import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { toIso, type Clock } from '../base/clock.ts';
import { formatAnswer } from '../model/approval.ts';
import { formatActor, type NodeId, type RunEvent } from '../model/run-event.ts';
import { makeFolder } from '../process/output-files.ts';
import { Masker } from '../process/secrets/masker.ts';
import type { NamedOutput } from './steps/node-task.ts';
import { RunLost, type RunWriter } from './recorder.ts';

/** The engine's log of a run, one line per event, in a file that people can `tail`. */
export class RunLog {
  readonly #handle: number;

  /** Opens the file for appending; its directory must exist. */
  constructor(file: string) {
    this.#handle = openSync(file, 'a', 0o600);
  }

  /**
   * Appends an event. A full disk must not end a run, so a line that cannot be written is dropped; the event is in the
   * database.
   */
  write(at: number, event: RunEvent): void {
    const line = formatEvent(event);
    if (line === undefined) return;
    try {
      writeSync(this.#handle, `${toIso(at)} ${line}\n`);
    } catch {
      // See above.
    }
  }

  close(): void {
    closeSync(this.#handle);
  }
}

const nodeLabel = (node: NodeId): string => `${node.section} ${node.name}`;

const formatItem = ({ item }: { readonly item?: number }): string =>
  item === undefined ? '' : ` item ${item}`;

const toOneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');

function formatEvent(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'run.created':
    case 'run.notification':
    case 'step.spawned':
    case 'run.note_changed':
    // This event comes after the end of the run, when its log is closed.
    case 'step.status_set':
      return undefined;
    case 'run.started':
      return 'run started';
    case 'run.retried':
      return `run retried ${formatActor(event.by)}; steps: ${event.steps.join(', ')}`;
    case 'run.recovered':
      return `run taken over by ${event.by} from ${event.from}: ${event.reason}`;
    case 'run.terminating':
      return `run ending: ${event.error}`;
    case 'run.stop_requested':
      return `stop requested ${formatActor(event.by)}`;
    case 'run.finished':
      return `run ${event.status}${event.error === undefined ? '' : `: ${event.error}`}`;
    case 'step.started':
      return `${nodeLabel(event.node)} started${event.attempt > 1 ? ` (attempt ${event.attempt})` : ''}`;
    case 'step.waiting':
      return `${nodeLabel(event.node)}${formatItem(event)} waiting: ${event.reason}`;
    case 'step.dispatched':
      return `${nodeLabel(event.node)}${formatItem(event)} running on worker ${event.worker} (${event.host})`;
    case 'step.approval_requested':
      return `${nodeLabel(event.node)} waiting for approval: ${toOneLine(event.question)}`;
    case 'step.approval_resolved':
      return `${nodeLabel(event.node)} ${toOneLine(formatAnswer(event))}`;
    case 'step.sub_run':
      return `${nodeLabel(event.node)} started sub-run ${event.name} ${event.dagRunId}`;
    case 'step.retry_scheduled':
      return `${nodeLabel(event.node)} attempt ${event.attempt} failed: ${event.error ?? 'unknown'}; retrying at ${toIso(event.dueAt)}`;
    case 'step.repeat_scheduled':
      return `${nodeLabel(event.node)} attempt ${event.attempt} ended; repeating at ${toIso(event.dueAt)}`;
    case 'step.item_started':
      return `${nodeLabel(event.node)} item ${event.item} started: ${event.value}`;
    case 'step.item_finished':
      return `${nodeLabel(event.node)} item ${event.item} ${event.status}${event.error === undefined ? '' : `: ${event.error}`}`;
    case 'step.finished':
      return `${nodeLabel(event.node)} ${event.status}${event.error === undefined ? '' : `: ${event.error}`}`;
    case 'step.ended':
      return `${nodeLabel(event.node)} ${event.status}: ${event.reason}`;
    case 'run.message':
      return `${event.level}: ${event.message}`;
  }
}

/** Receives a recorded event, with secrets masked, and its time in epoch milliseconds. */
type EventListener = (at: number, event: RunEvent) => void;

/**
 * State of a journal.
 *
 *   unlogged ──openLog──▶ logged ──close──▶ closed
 *       └───────────────close──────────────────▲
 *
 * - unlogged: events are written to the database only
 * - logged: they are also written to the run's log
 * - closed: further events are ignored, so that work that is still unwinding records nothing
 */
type JournalState =
  | { readonly phase: 'unlogged' | 'closed' }
  | { readonly phase: 'logged'; readonly log: RunLog };

/**
 * The record of one run on this host: each event is masked, written to the database and to the run's log, and passed
 * to listeners.
 */
export class RunJournal {
  /** Masks the secrets of later events. */
  masker: Masker;
  readonly #writer: RunWriter;
  readonly #clock: Clock;
  readonly #listeners: EventListener[] = [];
  #state: JournalState = { phase: 'unlogged' };

  /** @param masked values to mask before the run's own secrets are known */
  constructor(writer: RunWriter, clock: Clock, masked: readonly string[]) {
    this.#writer = writer;
    this.#clock = clock;
    this.masker = new Masker(masked);
  }

  /** Calls `listener` after each event from now on. */
  listen(listener: EventListener): void {
    this.#listeners.push(listener);
  }

  /** Creates the run's log and its directory. Throws the system error. */
  openLog(file: string): void {
    if (this.#state.phase !== 'unlogged') return;
    makeFolder(path.dirname(file), 0o700);
    this.#state = { phase: 'logged', log: new RunLog(file) };
  }

  /** Writes a line to the run's log only: its event is in the database already. */
  logOnly(event: RunEvent): void {
    if (this.#state.phase === 'logged') this.#state.log.write(this.#clock.now(), event);
  }

  readonly emit = (event: RunEvent): void => {
    if (this.#state.phase === 'closed') return;
    const masked = maskEvent(event, this.masker);
    this.#writer.write(masked);
    this.logOnly(masked);
    const now = this.#clock.now();
    for (const listener of this.#listeners) listener(now, masked);
  };

  /** Resolves when all events are on disk. Rejects with `RunLost`, so that nothing is started for a released run. */
  readonly durable = async (): Promise<void> => {
    if (this.#state.phase === 'closed') throw new RunLost('this host has released the run');
    await this.#writer.durable();
  };

  close(): void {
    if (this.#state.phase === 'logged') this.#state.log.close();
    this.#state = { phase: 'closed' };
  }
}

/**
 * Returns the event with secrets masked. Only what commands and people wrote is masked: names, numbers and directories
 * come from the engine, and a secret such as `1` must not corrupt them.
 */
function maskEvent(event: RunEvent, masker: Masker): RunEvent {
  if (masker.isEmpty) return event;
  const maskSecrets = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : masker.mask(text);
  switch (event.type) {
    case 'run.finished':
      return { ...event, error: maskSecrets(event.error), outputs: maskValues(event.outputs, masker) };
    case 'run.terminating':
      return { ...event, error: masker.mask(event.error) };
    case 'step.retry_scheduled':
    case 'step.repeat_scheduled':
    case 'step.item_finished':
      return { ...event, error: maskSecrets(event.error) };
    case 'step.finished':
      return { ...event, error: maskSecrets(event.error), output: maskOutput(event.output, masker) };
    case 'step.item_started':
      return { ...event, value: masker.mask(event.value) };
    case 'step.ended':
      return { ...event, reason: masker.mask(event.reason), output: maskOutput(event.output, masker) };
    case 'step.approval_requested':
      return { ...event, question: masker.mask(event.question), details: maskSecrets(event.details) };
    case 'run.message':
      return { ...event, message: masker.mask(event.message) };
    default:
      return event;
  }
}

const maskOutput = (output: NamedOutput | undefined, masker: Masker): NamedOutput | undefined =>
  output && { name: output.name, value: masker.maskJson(output.value) };

/** Masks the values of outputs; their names stay unmasked. */
const maskValues = <Value>(values: Readonly<Record<string, Value>>, masker: Masker): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, masker.maskJson(value)]));
