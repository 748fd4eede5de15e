import path from 'node:path';
import { parsePattern, type Pattern } from '../../base/text/name-pattern.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { WebhookTrigger } from '../../model/workflow/webhook-trigger.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import { findEvent } from '../catalog/catalog.ts';
import type { EventFilter, NameFilter } from '../filters/event-filter.ts';

/** A workflow file as it is now. */
export interface WorkflowFile {
  /** Its name without the ending. */
  readonly dag: string;
  readonly text: string;
  /** Absent when it cannot be read. */
  readonly workflow?: Workflow | undefined;
  /** The first error in it. */
  readonly error?: Diagnostic | undefined;
}

/** What listens to webhooks in one place of one workflow file. */
export interface Listener {
  readonly dag: string;
  /** Its place among those of the file, from 0. */
  readonly trigger: number;
  /** Name of the workflow, which runs have. */
  readonly name: string;
  readonly wish: WebhookTrigger;
  readonly filter: EventFilter;
  /** Why nothing of the file can start. */
  readonly fault?: string;
}

/** What listens to webhooks in a workflow file; with a fault one that would, for all that can be seen. */
export function listenersIn({ dag, text, workflow, error }: WorkflowFile): Listener[] {
  if (error !== undefined || workflow === undefined) {
    // Its fields are not known; what it says is the best that there is.
    if (!/\bwebhook['"]?[ \t]*:/.test(text)) return [];
    const fault = `The workflow cannot run because of an error: ${error === undefined ? 'its file cannot be read' : formatDiagnostic({ ...error, file: path.basename(error.file) })}`;
    const wish: WebhookTrigger = { events: [], actions: [], params: [], singleton: false };
    return [{ dag, trigger: 0, name: dag, wish, filter: { events: [], actions: [] }, fault }];
  }
  return (workflow.webhooks ?? []).map((wish, trigger) => ({
    dag,
    trigger,
    name: workflow.name,
    wish,
    filter: filterOf(wish),
  }));
}

/** An event by its own name, whichever of its names it goes by. */
export const ownName = (event: string): string => findEvent(event)?.name ?? event;

const filterOf = ({ events, actions, branches, tags, paths }: WebhookTrigger): EventFilter => ({
  events: events.map(ownName),
  actions,
  branches: namesOf(branches),
  tags: namesOf(tags),
  paths: namesOf(paths),
});

/** `only` without a pattern lets nothing through, like `ignore` without one everything. */
function namesOf(names: WebhookTrigger['branches']): NameFilter | undefined {
  if (names === undefined) return undefined;
  return 'only' in names ? { only: patternsOf(names.only) } : { ignore: patternsOf(names.ignore) };
}

const patternsOf = (texts: readonly string[]): Pattern[] =>
  texts.map(parsePattern).flatMap((pattern) => ('problem' in pattern ? [] : [pattern]));
