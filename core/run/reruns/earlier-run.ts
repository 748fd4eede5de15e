import type { NodeId, RunEvent } from '../../model/run/run-event.ts';
import type { Step } from '../../model/workflow/step.ts';
import type { Ending } from '../ending.ts';
import type { KeptItems } from '../steps/done-item.ts';
import type { NodeResult } from '../steps/node-task.ts';
import type { OpenNode } from '../steps/open-node.ts';

/** A run that goes on after its end (a retry): what stays of it. */
export interface EarlierRun {
  /** Steps that keep their end; the others begin anew. */
  readonly kept: ReadonlyMap<string, NodeResult>;
  /** Number of the newest attempt of each node that had one, by `section:name`. */
  readonly attempts: ReadonlyMap<string, number>;
  /** Items that steps with `parallel` need not do again, by step name. */
  readonly items: ReadonlyMap<string, KeptItems>;
  /** The step that was asked for: it starts whatever became of those it depends on. */
  readonly from?: string;
  /** Only the step `from` runs, once, without its retry policy; all others stay as they are. */
  readonly alone: boolean;
  /** How far it had got when its host was lost; absent for one that had ended. */
  readonly underWay?: UnderWay;
}

/** A run whose host was lost: where it stood. Times in epoch milliseconds. */
export interface UnderWay {
  /** When it was started, or made to go on after its end; absent when it had not got so far. */
  readonly startedAt?: number;
  /** When its newest step began. */
  readonly lastStepAt?: number;
  /** What was ending it early. */
  readonly ending?: Ending;
  /** `init`: its conditions held and the init handler has begun; `steps`: a step has begun. */
  readonly stage: 'conditions' | 'init' | 'steps';
  /** Nodes that had begun and not ended, by `section:name`. */
  readonly open: ReadonlyMap<string, OpenNode>;
  /** How handlers had ended, by the names of their steps. */
  readonly handlers: ReadonlyMap<string, NodeResult>;
  /** Names of the steps that had ended since then; `kept` may have others, which a retry keeps. */
  readonly ended: ReadonlySet<string>;
  /** What mails were about that had been begun, and whether it is known what became of them. */
  readonly mailed: ReadonlyMap<string, 'tried' | 'unknown'>;
  /** The take-over in words, for the run's log. */
  readonly takenOver: Extract<RunEvent, { type: 'run.recovered' }>;
}

/** Number of the newest attempt that a node had before the run went on; 0 for none. */
export const earlierAttempts = (earlier: EarlierRun | undefined, { section, name }: NodeId): number =>
  earlier?.attempts.get(`${section}:${name}`) ?? 0;

/** How far a node had got when its host was lost, when it was under way. */
export const findOpen = (earlier: EarlierRun | undefined, { section, name }: NodeId): OpenNode | undefined =>
  earlier?.underWay?.open.get(`${section}:${name}`);

/** Kept steps in an order in which each comes after those it depends on. */
export function keptInOrder(steps: readonly Step[], { kept }: EarlierRun): Step[] {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const ordered = new Set<Step>();
  // A stack instead of recursion: a chain of thousands of steps is not unusual.
  const open = steps.filter(({ name }) => kept.has(name)).toReversed();
  const entered = new Set<Step>();
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    if (ordered.has(step)) continue;
    const first = entered.has(step) ? [] : step.depends.map((name) => byName.get(name)!);
    const before = first.filter((other) => kept.has(other.name) && !ordered.has(other));
    entered.add(step);
    if (before.length === 0) ordered.add(step);
    else open.push(step, ...before);
  }
  return [...ordered];
}
