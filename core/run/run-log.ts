import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { toIso } from '../base/clock.ts';
import { formatAnswer } from '../model/approval.ts';
import { formatActor, type NodeId, type RunEvent } from '../model/run-event.ts';
import { makeFolder } from '../process/output-files.ts';

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

/** Creates the run's directory and its log. Throws the system error. */
export function openRunLog(file: string): RunLog {
  makeFolder(path.dirname(file), 0o700);
  return new RunLog(file);
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
