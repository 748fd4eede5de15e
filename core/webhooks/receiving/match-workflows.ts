import path from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { truncate } from '../../base/text.ts';
import { getErrorMessage } from '../../base/errors.ts';
import type { SkippedTrigger, PendingStart } from '../../store/types/receivers.ts';
import { parseNamePattern, type NamePattern } from '../../base/name-pattern.ts';
import type { WebhookTrigger } from '../../model/workflow.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import { evaluateText, isConditionMet, type ExpressionScope } from '../../executors/actions/evaluate.ts';
import type { JsonValue } from '../../base/json.ts';
import type { webhookContexts } from '../../spec/expressions.ts';
import { findMismatch, type MatchPacing, type EventFilter, type NameFilter } from '../event-filter.ts';
import { findEvent } from '../catalog.ts';
import type { LibraryEntry, WorkflowLibrary } from '../../home/library/workflow-library.ts';
import type { Delivery } from './delivery-receiver.ts';

/** Maximum length of a chain of webhook-triggered runs. */
export const maxChainDepth = 3;

/** Returns which triggers a delivery starts, and why the others of its receiver do not start. */
export async function matchListeners(
  listeners: readonly Listener[],
  delivery: Delivery,
  clock: Pick<Clock, 'soon'>,
): Promise<{ readonly starts: readonly PendingStart[]; readonly passedOver: readonly SkippedTrigger[] }> {
  const starts: PendingStart[] = [];
  const passedOver: SkippedTrigger[] = [];
  const pause = (): Promise<void> => new Promise((resolve) => clock.soon(resolve));
  const pace: MatchPacing = { steps: 0, pause };
  for (const listener of listeners) {
    if (!matchesReceiver(listener, delivery.receiver)) continue;
    const { dag, trigger, name } = listener;
    const reason = await findReason(listener, delivery, pace);
    if (reason === undefined) starts.push({ dag, trigger, name, ...(await getDebounce(listener, delivery)) });
    else passedOver.push({ dag, trigger, reason });
  }
  return { starts, passedOver };
}

/** Whether a trigger listens to a receiver. */
export const matchesReceiver = ({ definition }: Listener, { id, name }: Delivery['receiver']): boolean =>
  definition.receiver === undefined || definition.receiver === name || definition.receiver === id;

async function findReason(
  { definition, filter, problem }: Listener,
  delivery: Delivery,
  pace: MatchPacing,
): Promise<string | undefined> {
  if (problem !== undefined) return problem;
  const event = delivery.event === undefined ? undefined : canonicalEventName(delivery.event);
  if (event === undefined && filter.events.length > 0) return 'The request has no event name.';
  if (event === 'ping' && filter.events.length === 0)
    return '`ping` only starts workflows that set `event` to `ping`.';
  const mismatch = await findMismatch(filter, event ?? '', delivery.payload, pace);
  if (mismatch !== undefined) return mismatch;
  if (definition.condition !== undefined) {
    try {
      if (!(await matchesCondition(definition.condition, delivery)))
        return `\`if\` is false: ${truncate(definition.condition, 120)}`;
    } catch (error) {
      return `Cannot evaluate \`if\`. ${getErrorMessage(error)}`;
    }
  }
  if (delivery.depth < maxChainDepth) return undefined;
  return `The delivery is part of a chain of ${delivery.depth} webhook-triggered runs. Chains longer than ${maxChainDepth} start no runs.`;
}

/** Returns the debounce key. If it cannot be evaluated, the error message is the key. */
async function getDebounce(
  { definition }: Listener,
  delivery: Delivery,
): Promise<Pick<PendingStart, 'debounce'>> {
  if (definition.debounceSec === undefined) return {};
  const waitMs = definition.debounceSec * 1000;
  if (definition.concurrencyKey === undefined) return { debounce: { key: '', waitMs } };
  const key = await expressionText(definition.concurrencyKey, delivery).catch((error: unknown) =>
    getErrorMessage(error),
  );
  return { debounce: { key: key.slice(0, 1000), waitMs } };
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
 * Returns a function that reads the webhook triggers of all workflow files. It checks for changed files once per
 * event-loop tick, whatever the number of requests, and reads only those again.
 */
export function createListenerReader(
  library: WorkflowLibrary,
  clock: Pick<Clock, 'soon'>,
): () => readonly Listener[] {
  const known = new WeakMap<LibraryEntry, readonly Listener[]>();
  let last:
    | { readonly entries: readonly LibraryEntry[]; readonly listeners: readonly Listener[] }
    | undefined;
  let isCurrentTick = false;
  const read = (entry: LibraryEntry): readonly Listener[] => {
    const listeners = readListeners(entry);
    known.set(entry, listeners);
    return listeners;
  };
  return () => {
    if (last !== undefined && isCurrentTick) return last.listeners;
    const entries = library.list();
    isCurrentTick = true;
    clock.soon(() => (isCurrentTick = false));
    if (last?.entries !== entries) {
      last = { entries, listeners: entries.flatMap((entry) => known.get(entry) ?? read(entry)) };
    }
    return last.listeners;
  };
}

/**
 * Returns the webhook triggers of a workflow file; for an invalid file, a placeholder with the error if it seems to
 * have one.
 */
function readListeners({ fileName: dag, spec }: LibraryEntry): Listener[] {
  const { text, workflows, diagnostics } = spec;
  const error = diagnostics.find(({ severity }) => severity === 'error');
  const [workflow] = workflows;
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
    filter: toFilter(definition),
  }));
}

/** Returns the canonical name of an event. */
export const canonicalEventName = (event: string): string => findEvent(event)?.name ?? event;

const toFilter = ({ events, actions, branches, tags, paths }: WebhookTrigger): EventFilter => ({
  events: events.map(canonicalEventName),
  actions,
  branches: getNames(branches),
  tags: getNames(tags),
  paths: getNames(paths),
});

/** Converts a name filter. `only` without patterns matches nothing, `ignore` without patterns matches everything. */
function getNames(names: WebhookTrigger['branches']): NameFilter | undefined {
  if (names === undefined) return undefined;
  return 'only' in names ? { only: toPatterns(names.only) } : { ignore: toPatterns(names.ignore) };
}

const toPatterns = (texts: readonly string[]): NamePattern[] =>
  texts.map(parseNamePattern).flatMap((pattern) => ('problem' in pattern ? [] : [pattern]));

/** Whether a condition on a delivery is true. Rejects with a message about an invalid condition. */
const matchesCondition = (condition: string, delivery: Delivery): Promise<boolean> =>
  isConditionMet(condition, getScope(delivery), false);

/** Evaluates an expression on a delivery to a string. Rejects with a message about an invalid expression. */
export const expressionText = (expression: string, delivery: Delivery): Promise<string> =>
  evaluateText(expression, getScope(delivery));

function getScope({ event, action, payload, headers, receiver }: Delivery): ExpressionScope {
  const contexts: Record<(typeof webhookContexts)[number], JsonValue> = {
    event: event ?? null,
    action: action ?? null,
    payload,
    headers: { ...headers },
    receiver: receiver.name,
  };
  return {
    contexts,
    progress: 'success',
    hashFiles: () => Promise.reject(new Error('hashFiles is not available here')),
  };
}
