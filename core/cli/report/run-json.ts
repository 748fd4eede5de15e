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

/** A run as shown by `--format json` in all commands. Times are ISO 8601 in UTC. */
export interface RunJson {
  name: string;
  dagRunId: string;
  status: RunStatus;
  error?: string;
  /** Why it waits in its queue, while queued. */
  wait?: RunDetailView['wait'];
  /** User who started the run; absent for sub-runs and runs of releases that did not record it. */
  startedBy?: string;
  /** `NAME=value` in order; positional parameters are named `1`, `2`, … */
  params: string[];
  startedAt: string | null;
  finishedAt: string | null;
  /** W3C Trace Context; absent for runs of releases before tracing. */
  traceId?: string;
  outputs: Record<string, unknown>;
  /** The process that drives it, while active; `gone` is the reason if no process does. */
  host?: RunHostView;
  /** How it was taken over from a lost host; absent if never. */
  takeOvers?: RunDetailView['takeOvers'];
  /** Peak usage of its processes; absent while running, and if not measured. */
  peakUsage?: RunDetailView['peakUsage'];
  steps: StepJson[];
  handlers: StepJson[];
}

/** A step or a handler of {@link RunJson}. */
export interface StepJson {
  name: string;
  status: StepStatus;
  /** Null if no process has exited by itself: not started, ended by a signal, skipped. */
  exitCode: number | null;
  signal?: string;
  /** Number of attempts. */
  attempts: number;
  error?: string;
  /** Captured `output`; for a handler it is stored only here. */
  output?: StepRunView['output'];
  /** Why it waits for a worker; absent if it does not. */
  waiting?: string;
  /** Worker of its newest attempt; absent for the host's own machine. */
  worker?: AttemptView['worker'];
  startedAt: string | null;
  finishedAt: string | null;
  /** Absolute paths of the newest attempt's logs; null without an attempt. */
  stdoutFile: string | null;
  stderrFile: string | null;
  /** Items of the newest attempt; absent for a step without `parallel`. */
  items?: ItemSummaryView;
  /** Sub-runs of the step, with all their steps; absent if there are none. */
  subRuns?: (RunJson | (RunRef & { status: RunStatus }))[];
}

type SubRunJson = NonNullable<StepJson['subRuns']>[number];

/** Returns a run as JSON, including all levels of sub-runs. */
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

/** Formats parameters as a list of `NAME=value`, as in the history (same as Dagu). */
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

/** Describes a sub-run. One that was recorded but not created when its parent ended has no details. */
async function describeSubRun(api: EngineApi, caller: Caller, ref: RunRef): Promise<SubRunJson> {
  try {
    return await describeRun(api, caller, await api.call('runs.get', ref, caller));
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return { ...ref, status: 'not_started' };
    throw error;
  }
}

/** Returns a JSON value for a table cell: a string unchanged, other values as JSON. */
export const formatValue = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
