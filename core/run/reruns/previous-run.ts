import type { NodeId, RunEvent } from '../../model/run/run-event.ts';
import type { Step } from '../../model/workflow/step.ts';
import type { Termination } from '../termination.ts';
import type { CompletedItems } from '../steps/completed-item.ts';
import type { NodeResult } from '../steps/node-task.ts';
import type { OpenNode } from '../steps/open-node.ts';

/** The earlier state of a run that is retried or taken over. */
export interface PreviousRun {
  /** Steps that keep their results; the others run again. */
  readonly keptResults: ReadonlyMap<string, NodeResult>;
  /** Number of the newest attempt of each node that had one, by `section:name`. */
  readonly attempts: ReadonlyMap<string, number>;
  /** Items that steps with `parallel` need not run again, by step name. */
  readonly items: ReadonlyMap<string, CompletedItems>;
  /** The requested step: it starts regardless of the results of its dependencies. */
  readonly from?: string;
  /** Only the step `from` runs, once, without its retry policy; all others stay unchanged. */
  readonly onlyThisStep: boolean;
  /** How far it was when its host was lost; absent for a run that had ended. */
  readonly inProgress?: InterruptedRun;
}

/** State of a run whose host was lost. Times in epoch milliseconds. */
export interface InterruptedRun {
  /** When it was started or retried; absent when it had not started yet. */
  readonly startedAt?: number;
  /** When its newest step started. */
  readonly lastStepAt?: number;
  /** The reason why it was ending early. */
  readonly termination?: Termination;
  /** `init`: its conditions were met and the init handler has started; `steps`: a step has started. */
  readonly stage: 'conditions' | 'init' | 'steps';
  /** Nodes that had started and not ended, by `section:name`. */
  readonly open: ReadonlyMap<string, OpenNode>;
  /** Results of handlers, by the names of their steps. */
  readonly handlers: ReadonlyMap<string, NodeResult>;
  /** Names of the steps that had ended since then; `keptResults` may contain others, which a retry keeps. */
  readonly ended: ReadonlySet<string>;
  /** Mails that were started, by what they are about, and whether their outcome is known. */
  readonly mailed: ReadonlyMap<string, 'tried' | 'unknown'>;
  /** The event of the takeover, for the run's log. */
  readonly recoveredEvent: Extract<RunEvent, { type: 'run.recovered' }>;
}

/** Returns the number of a node's newest attempt before the retry or takeover; 0 for none. */
export const previousAttempts = (previousRun: PreviousRun | undefined, { section, name }: NodeId): number =>
  previousRun?.attempts.get(`${section}:${name}`) ?? 0;

/** Returns the state of a node that was running when its host was lost. */
export const findOpenNode = (
  previousRun: PreviousRun | undefined,
  { section, name }: NodeId,
): OpenNode | undefined => previousRun?.inProgress?.open.get(`${section}:${name}`);

/** Returns the steps that keep their results, each after its dependencies. */
export function sortKeptSteps(steps: readonly Step[], { keptResults }: PreviousRun): Step[] {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const ordered = new Set<Step>();
  // A stack instead of recursion: a chain can have thousands of steps.
  const open = steps.filter(({ name }) => keptResults.has(name)).toReversed();
  const visited = new Set<Step>();
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    if (ordered.has(step)) continue;
    const dependencies = visited.has(step) ? [] : step.depends.map((name) => byName.get(name)!);
    const pending = dependencies.filter(
      (dependency) => keptResults.has(dependency.name) && !ordered.has(dependency),
    );
    visited.add(step);
    if (pending.length === 0) ordered.add(step);
    else open.push(step, ...pending);
  }
  return [...ordered];
}
