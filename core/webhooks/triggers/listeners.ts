import path from 'node:path';
import { parsePattern, type Pattern } from '../../base/text/name-pattern.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { WebhookTrigger } from '../../model/workflow/webhook-trigger.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import { findEvent } from '../catalog/catalog.ts';
import type { EventFilter, NameFilter } from '../filters/event-filter.ts';

/** The current state of a workflow file. */
export interface WorkflowFile {
  /** File name without extension. */
  readonly dag: string;
  readonly text: string;
  /** Absent if invalid. */
  readonly workflow?: Workflow | undefined;
  /** Its first error. */
  readonly error?: Diagnostic | undefined;
}

/** A webhook trigger of a workflow file. */
export interface Listener {
  readonly dag: string;
  /** Index among the triggers of the file, from 0. */
  readonly trigger: number;
  /** Workflow name, used for runs. */
  readonly name: string;
  readonly definition: WebhookTrigger;
  readonly filter: EventFilter;
  /** Why no trigger of the file can start. */
  readonly problem?: string;
}

/**
 * Returns the webhook triggers of a workflow file; for an invalid file, a placeholder with the error if it seems to
 * have one.
 */
export function readListeners({ dag, text, workflow, error }: WorkflowFile): Listener[] {
  if (error !== undefined || workflow === undefined) {
    // The parsed fields are not available, so the source is searched.
    if (!/\bwebhook['"]?[ \t]*:/.test(text)) return [];
    const problem = `The workflow cannot run because of an error: ${error === undefined ? 'its file cannot be read' : formatDiagnostic({ ...error, file: path.basename(error.file) })}`;
    const definition: WebhookTrigger = { events: [], actions: [], params: [], singleton: false };
    return [{ dag, trigger: 0, name: dag, definition, filter: { events: [], actions: [] }, problem }];
  }
  return (workflow.webhooks ?? []).map((definition, trigger) => ({
    dag,
    trigger,
    name: workflow.name,
    definition,
    filter: filterOf(definition),
  }));
}

/** Returns the canonical name of an event. */
export const canonicalEventName = (event: string): string => findEvent(event)?.name ?? event;

const filterOf = ({ events, actions, branches, tags, paths }: WebhookTrigger): EventFilter => ({
  events: events.map(canonicalEventName),
  actions,
  branches: namesOf(branches),
  tags: namesOf(tags),
  paths: namesOf(paths),
});

/** Converts a name filter. `only` without patterns matches nothing, `ignore` without patterns matches everything. */
function namesOf(names: WebhookTrigger['branches']): NameFilter | undefined {
  if (names === undefined) return undefined;
  return 'only' in names ? { only: patternsOf(names.only) } : { ignore: patternsOf(names.ignore) };
}

const patternsOf = (texts: readonly string[]): Pattern[] =>
  texts.map(parsePattern).flatMap((pattern) => ('problem' in pattern ? [] : [pattern]));
