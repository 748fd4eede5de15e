import type { EngineApi, Caller } from '../../api/engine-host.ts';
import { AppError } from '../../base/errors.ts';
import type {
  AttemptView,
  ItemSummaryView,
  RunDetailView,
  RunHostView,
  StepRunView,
} from '../../contract/runs/run-views.ts';
import type { RunRef } from '../../model/run/run.ts';
import type { RunStatus, StepStatus } from '../../model/run/status.ts';

/** A run as `--format json` shows it, everywhere the same. Times are ISO 8601 in UTC. */
export interface RunJson {
  name: string;
  dagRunId: string;
  status: RunStatus;
  error?: string;
  /** Why it waits in its queue, while it does. */
  wait?: RunDetailView['wait'];
  /** Who has started it; absent for a sub-run, and for a run of a release that did not keep it. */
  startedBy?: string;
  /** `NAME=value` in order; positional ones are named `1`, `2`, … */
  params: string[];
  startedAt: string | null;
  finishedAt: string | null;
  /** W3C Trace Context; absent for a run of a release before traces. */
  traceId?: string;
  outputs: Record<string, unknown>;
  /** The process that drives it, while one does; `gone` says why nobody does at the moment. */
  host?: RunHostView;
  /** How it changed hands because a host was gone; absent when it never did. */
  takeOvers?: RunDetailView['takeOvers'];
  /** The most that its processes used at one time; absent while it goes on, and when nobody has looked. */
  peakUsage?: RunDetailView['peakUsage'];
  steps: StepJson[];
  handlers: StepJson[];
}

/** A step or a handler of {@link RunJson}. */
export interface StepJson {
  name: string;
  status: StepStatus;
  /** Null when no process has ended by itself: not started, ended by a signal, skipped. */
  exitCode: number | null;
  signal?: string;
  /** How often it was tried. */
  attempts: number;
  error?: string;
  /** What it was told to capture by `output`; of a handler it is kept here alone. */
  output?: StepRunView['output'];
  /** Why it waits for a worker; absent when it does not. */
  waiting?: string;
  /** Where its newest attempt runs, or ran; absent for the host's own machine. */
  worker?: AttemptView['worker'];
  startedAt: string | null;
  finishedAt: string | null;
  /** Absolute paths of the newest attempt's logs; null without an attempt. */
  stdoutFile: string | null;
  stderrFile: string | null;
  /** How the items of the newest attempt stand; absent for a step without `parallel`. */
  items?: ItemSummaryView;
  /** Runs that the step has started, with all their steps; absent when there are none. */
  subRuns?: (RunJson | (RunRef & { status: RunStatus }))[];
}

type SubRunJson = NonNullable<StepJson['subRuns']>[number];

/** The JSON form of a run, sub-runs included to any depth. */
export async function describeRun(api: EngineApi, caller: Caller, run: RunDetailView): Promise<RunJson> {
  const describeAll = (steps: readonly StepRunView[]): Promise<StepJson[]> =>
    Promise.all(steps.map((step) => describeStep(step, (ref) => describeSubRun(api, caller, ref))));
  return {
    name: run.name,
    dagRunId: run.dagRunId,
    status: run.status,
    ...(run.error === undefined ? {} : { error: run.error }),
    ...(run.wait === undefined ? {} : { wait: run.wait }),
    ...(run.startedBy === undefined ? {} : { startedBy: run.startedBy }),
    params: formatParams(run.params),
    startedAt: run.startedAt ?? null,
    finishedAt: run.finishedAt ?? null,
    ...(run.traceId === undefined ? {} : { traceId: run.traceId }),
    outputs: run.outputs,
    ...(run.host === undefined ? {} : { host: run.host }),
    ...(run.takeOvers.length === 0 ? {} : { takeOvers: run.takeOvers }),
    ...(run.peakUsage === undefined ? {} : { peakUsage: run.peakUsage }),
    steps: await describeAll(run.steps),
    handlers: await describeAll(run.handlers),
  };
}

/** Parameters as a list of `NAME=value`, the form of the history (as in Dagu). */
export function formatParams(params: RunDetailView['params']): string[] {
  return params.map(({ name, value }) => `${name}=${value}`);
}

async function describeStep(
  step: StepRunView,
  describe: (ref: RunRef) => Promise<SubRunJson>,
): Promise<StepJson> {
  const last = step.attempts.at(-1);
  return {
    name: step.name,
    status: step.status,
    exitCode: step.exitCode ?? null,
    ...(step.signal === undefined ? {} : { signal: step.signal }),
    attempts: step.attempts.length,
    ...(step.error === undefined ? {} : { error: step.error }),
    ...(step.output === undefined ? {} : { output: step.output }),
    ...(step.waiting === undefined ? {} : { waiting: step.waiting }),
    ...(last?.worker === undefined ? {} : { worker: last.worker }),
    startedAt: step.startedAt ?? null,
    finishedAt: step.finishedAt ?? null,
    stdoutFile: last?.stdoutFile ?? null,
    stderrFile: last?.stderrFile ?? null,
    ...(step.items === undefined ? {} : { items: step.items }),
    ...(step.subRuns.length === 0 ? {} : { subRuns: await Promise.all(step.subRuns.map(describe)) }),
  };
}

/** A sub-run that was recorded but not yet created when its parent ended has no details. */
async function describeSubRun(api: EngineApi, caller: Caller, ref: RunRef): Promise<SubRunJson> {
  try {
    return await describeRun(api, caller, await api.call('runs.get', ref, caller));
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return { ...ref, status: 'not_started' };
    throw thrown;
  }
}

/** A JSON value in a table cell: text as it is, the rest as JSON. */
export const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
