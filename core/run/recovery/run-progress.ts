import type { NodeId, RecordedEvent } from '../../model/run-event.ts';
import type { Termination } from '../run-handlers.ts';

/** The attempts of a node so far. */
export interface NodeProgress {
  /** How often it has run, including the current or just completed series. */
  readonly times: number;
  /** Number of the last attempt before that series; 0 for none. */
  readonly attemptsBefore: number;
  /** Attempts of the series so far that count against the limit of retries. */
  readonly count: number;
  /** Kind and time of its next attempt, when none is running. */
  readonly due?: { readonly kind: 'retry' | 'repeat'; readonly at: number };
}

/** The progress of a run since it was started or retried. Times in epoch milliseconds. */
export interface RunProgress {
  readonly startedAt?: number;
  readonly from?: string;
  readonly onlyThisStep: boolean;
  /** Whether it resumed with the current file, and the steps whose earlier items do not count. */
  readonly usesFile: boolean;
  readonly fresh: ReadonlySet<string>;
  readonly termination?: Termination;
  /** When the newest step started. */
  readonly lastStepAt?: number;
  /** Names of the steps that have ended since. */
  readonly ended: ReadonlySet<string>;
  /** Mails that were started, by {@link mailKey} of what they are about, and whether their outcome is known. */
  readonly mailed: ReadonlyMap<string, 'tried' | 'unknown'>;
  /** By {@link nodeKey}; only nodes that have started an attempt. */
  readonly nodes: ReadonlyMap<string, NodeProgress>;
}

/** Returns the key of a node: `section:name`. */
export const nodeKey = ({ section, name }: NodeId): string => `${section}:${name}`;

/** Returns the key of the subject of a mail: a node, or the run as a whole. */
export const mailKey = (about: NodeId | undefined): string => (about === undefined ? '' : nodeKey(about));

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };
type Draft = Mutable<Omit<RunProgress, 'ended' | 'mailed' | 'nodes'>> & {
  readonly ended: Set<string>;
  readonly mailed: Map<string, 'tried' | 'unknown'>;
  readonly nodes: Map<string, NodeProgress>;
};

const newDraft = (): Draft => ({
  onlyThisStep: false,
  usesFile: false,
  fresh: new Set(),
  ended: new Set(),
  mailed: new Map(),
  nodes: new Map(),
});

/** Reads the progress from all events of the run, oldest first. */
export function readProgress(events: Iterable<RecordedEvent>): RunProgress {
  let draft = newDraft();
  for (const recorded of events) draft = note(draft, recorded);
  return draft;
}

function note(draft: Draft, { event, at }: RecordedEvent): Draft {
  switch (event.type) {
    case 'run.retried': {
      const restarted = newDraft();
      Object.assign(restarted, {
        from: event.from,
        onlyThisStep: event.alone === true,
        usesFile: event.specHash !== undefined,
        fresh: new Set(event.fresh),
      });
      return restarted;
    }
    case 'run.started':
      draft.startedAt = at;
      break;
    case 'run.terminating':
      draft.termination = { cause: event.cause, error: event.error };
      break;
    case 'run.notification':
      draft.mailed.set(mailKey(event.about), event.isOver === true ? 'tried' : 'unknown');
      break;
    case 'step.started':
      if (event.node.section === 'step') draft.lastStepAt = at;
      recordStart(draft.nodes, event.node, event.attempt);
      break;
    case 'step.finished':
    case 'step.ended':
      if (event.node.section === 'step') draft.ended.add(event.node.name);
      break;
    case 'step.retry_scheduled':
      recordRetry(draft.nodes, event.node, event);
      break;
    case 'step.repeat_scheduled':
      recordRepeat(draft.nodes, event.node, event);
      break;
    default:
  }
  return draft;
}

function recordStart(nodes: Draft['nodes'], node: NodeId, attempt: number): void {
  const progress = nodes.get(nodeKey(node));
  // At first and after a repetition, a new series starts.
  const isNew = progress === undefined || progress.due?.kind === 'repeat';
  const times = isNew ? (progress?.times ?? 0) + 1 : progress.times;
  nodes.set(nodeKey(node), {
    times,
    attemptsBefore: isNew ? attempt - 1 : progress.attemptsBefore,
    count: isNew ? 1 : progress.count + 1,
  });
}

function recordRetry(
  nodes: Draft['nodes'],
  node: NodeId,
  { dueAt, uncounted }: { readonly dueAt: number; readonly uncounted?: true },
): void {
  const progress = nodes.get(nodeKey(node));
  if (progress === undefined) return;
  const count = uncounted === true ? progress.count - 1 : progress.count;
  nodes.set(nodeKey(node), { ...progress, count, due: { kind: 'retry', at: dueAt } });
}

function recordRepeat(nodes: Draft['nodes'], node: NodeId, { dueAt }: { readonly dueAt: number }): void {
  const progress = nodes.get(nodeKey(node));
  if (progress !== undefined) nodes.set(nodeKey(node), { ...progress, due: { kind: 'repeat', at: dueAt } });
}
