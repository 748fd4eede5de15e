import Type, { type Static, type TSchema } from 'typebox';
import { dagNamePattern, runIdPattern } from '../../base/ids.ts';
import { hostKinds } from '../../model/host.ts';
import { runEndCauses, triggers } from '../../model/run/run-event.ts';
import { waitKinds } from '../../model/queue.ts';
import { decisions } from '../../model/run/approval.ts';
import { runStatuses, stepStatuses } from '../../model/run/status.ts';
import { Parameter, Workflow } from '../../model/workflow/workflow.ts';

/** A JSON Schema `enum` of string literals. */
export const literals = <const Values extends readonly string[]>(
  values: Values,
  options: { readonly description?: string } = {},
) => Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options });

/** A record with any JSON value. */
const JsonRecord = Type.Record(Type.String(), Type.Unknown());

/** A DAG name with a meaning of its own. */
export const dagNamed = (description: string) => Type.String({ pattern: dagNamePattern, description });
export const DagName = dagNamed('Workflow name, or name of its runs: at most 40 of A-Za-z0-9_.-');
export const RunId = Type.String({ pattern: runIdPattern, description: 'Run id: at most 64 of A-Za-z0-9_-' });
/** Folder of runs whose workflow names none; anybody who may start a run may run anything, so it needs no right of its own. */
export const DefaultWorkingDir = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: 'Working directory for workflows without `workingDir`: an absolute path on the engine host',
});
/** Text of a base configuration. */
export const BaseText = Type.String({
  description: 'Source of a base configuration to use instead of the one in the home',
});
export const RunStatusView = literals(runStatuses);
export const StepStatusView = literals(stepStatuses);
/** ISO 8601, UTC. */
export const Timestamp = Type.String({ format: 'date-time' });
export const RunRefView = Type.Object({ name: Type.String(), dagRunId: Type.String() });

/** Fields that name an attempt of a step. */
export const attemptAddress = {
  name: DagName,
  dagRunId: RunId,
  /** Step name, or a handler's (`onExit` …) with `section` `handler`. */
  step: Type.String({ minLength: 1 }),
  section: Type.Optional(literals(['step', 'handler'])),
  /** The newest attempt when absent. */
  attempt: Type.Optional(Type.Integer({ minimum: 1 })),
};
/** A reason to wait as a host has kept it: it can be read when none is there any more. */
export const KeptReasonView = Type.Object({
  /** One sentence. */
  reason: Type.String(),
  /** Since when it has been so. */
  at: Timestamp,
});

/** Why a run waits in its queue, at the time of the answer; the run's `error` has it in words. */
export const WaitView = Type.Object({
  kind: literals(waitKinds),
  queue: Type.String(),
  /** Higher ones start first. */
  priority: Type.Integer(),
  enqueuedAt: Timestamp,
  /** Active runs of the queue. */
  running: Type.Integer(),
  /** How many may be active; absent for no limit. */
  limit: Type.Optional(Type.Integer()),
  /** Waiting runs that start before it; 1000 stands for that and more. */
  ahead: Type.Integer(),
  /** The first few of the runs it waits for. */
  behind: Type.Array(RunRefView),
  /** Who has paused the queue. */
  by: Type.Optional(Type.String()),
  /** Labels of the worker that the run waited for, in events of releases in which runs and not steps did so. */
  workerSelector: Type.Optional(Type.Record(Type.String(), Type.String())),
  /** The last reason that was kept for it; absent in events. */
  kept: Type.Optional(KeptReasonView),
});

const runSummaryFields = {
  name: Type.String(),
  dagRunId: Type.String(),
  status: RunStatusView,
  trigger: literals(triggers),
  /** Who has started it: a user or a token, `schedule`, or the way in where nobody has to log in. Absent for sub-runs, and for runs of releases that did not keep it. */
  startedBy: Type.Optional(Type.String()),
  params: Type.Array(Parameter),
  /** Names of the steps that the run is of, when it is of a part of its workflow only: without the others, its handlers and mails. */
  onlySteps: Type.Optional(Type.Array(Type.String())),
  createdAt: Timestamp,
  startedAt: Type.Optional(Timestamp),
  finishedAt: Type.Optional(Timestamp),
  /** Why it is not succeeded, or why it waits. */
  error: Type.Optional(Type.String()),
  /** What kept the run from simply succeeding; absent while it is active and when it succeeded. */
  cause: Type.Optional(literals(runEndCauses)),
  /** Only while the run waits in a queue. */
  wait: Type.Optional(WaitView),
  parent: Type.Optional(Type.Object({ name: Type.String(), dagRunId: Type.String(), step: Type.String() })),
  root: Type.Optional(RunRefView),
} satisfies Record<string, TSchema>;

/** A run in a list. */
export const RunSummaryView = Type.Object(runSummaryFields);
export type RunSummaryView = Static<typeof RunSummaryView>;

/** The worker that makes an attempt or an item, when that is not the run's host. */
export const WorkerPlaceView = Type.Object({
  /** Id of the worker. */
  id: Type.String(),
  /** Name of its machine. */
  host: Type.String(),
  /** When it got the attempt; a time limit counts from then. */
  since: Timestamp,
});

export const AttemptView = Type.Object({
  attempt: Type.Integer(),
  startedAt: Timestamp,
  finishedAt: Type.Optional(Timestamp),
  pid: Type.Optional(Type.Integer()),
  /** Where it runs, or ran; of an attempt with items, the worker of the first one that was handed over. */
  worker: Type.Optional(WorkerPlaceView),
  exitCode: Type.Optional(Type.Integer()),
  signal: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
  /** Absolute paths on the engine's machine. */
  stdoutFile: Type.String(),
  stderrFile: Type.String(),
});
export type AttemptView = Static<typeof AttemptView>;

/** How the items of a step with `parallel` stand in its newest attempt. */
export const ItemSummaryView = Type.Object({
  /** How many items the attempt does; absent while that is not known. */
  total: Type.Optional(Type.Integer()),
  /** Begun so far: the sum of the other three. */
  started: Type.Integer(),
  running: Type.Integer(),
  /** Partially succeeded ones included. */
  succeeded: Type.Integer(),
  /** Aborted ones included. */
  failed: Type.Integer(),
});
export type ItemSummaryView = Static<typeof ItemSummaryView>;

/** A text with a meaning of its own. */
const told = (description: string) => Type.String({ description });

/** What a step has asked a person. It waits for the answer as long as it has neither `decision` nor `endedAt`. */
export const ApprovalView = Type.Object({
  id: Type.String(),
  name: told('Name of the run of the step'),
  dagRunId: Type.String(),
  /** The outermost run, when that is a sub-run. */
  root: Type.Optional(RunRefView),
  step: told('Name of the step or handler'),
  section: literals(['step', 'handler']),
  attempt: Type.Integer(),
  question: told('Question. Can have several lines.'),
  details: Type.Optional(told('Longer description')),
  inputs: Type.Array(Type.String(), { description: 'Names of the inputs that can be filled in' }),
  required: Type.Array(Type.String(), {
    description: 'Names of the inputs that are required for approval',
  }),
  askedAt: Timestamp,
  answeredAt: Type.Optional(Timestamp),
  decision: Type.Optional(literals(decisions, { description: 'Decision. Missing while open.' })),
  answeredBy: Type.Optional(told('User, token, or access path if no login is required')),
  comment: Type.Optional(told('Comment')),
  values: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'Input values, by name' })),
  /** When its attempt ended without an answer: nobody can give one any more. */
  endedAt: Type.Optional(Timestamp),
});
export type ApprovalView = Static<typeof ApprovalView>;

/** One step, or one handler, of a run; every step of the workflow is present. */
export const StepRunView = Type.Object({
  name: Type.String(),
  section: literals(['step', 'handler']),
  status: StepStatusView,
  startedAt: Type.Optional(Timestamp),
  finishedAt: Type.Optional(Timestamp),
  exitCode: Type.Optional(Type.Integer()),
  signal: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
  /** Why its attempt, or an item of it, waits for a worker or a person, in one sentence; absent when none waits. */
  waiting: Type.Optional(Type.String()),
  output: Type.Optional(Type.Object({ name: Type.String(), value: Type.Unknown() })),
  attempts: Type.Array(AttemptView),
  subRuns: Type.Array(RunRefView),
  /** Only for a step with `parallel` whose newest attempt has begun an item. */
  items: Type.Optional(ItemSummaryView),
  /** What a step of type `approval` has asked last. */
  approval: Type.Optional(ApprovalView),
});
export type StepRunView = Static<typeof StepRunView>;

/** The process that drives a run. */
export const RunHostView = Type.Object({
  kind: literals(hostKinds),
  hostname: Type.String(),
  pid: Type.Integer(),
  /** When it first drove a run. */
  since: Timestamp,
  /** Its last sign of life; every few seconds while it drives runs. */
  lastSeenAt: Timestamp,
  /** Why it is certainly gone, in words that follow its name; another host is to take the run over then. */
  gone: Type.Optional(Type.String()),
});
export type RunHostView = Static<typeof RunHostView>;

/** A run has gone from one host to another. */
export const TakeOverView = Type.Object({
  at: Timestamp,
  /** Both hosts, and how it was known that the first was gone, in words. */
  by: Type.String(),
  from: Type.String(),
  reason: Type.String(),
});

/** The most that the processes of a run, and of the runs that its steps have started, used at one time. */
export const PeakUsageView = Type.Object({
  /** Percent of all cores. */
  cpu: Type.Number(),
  /** Bytes. */
  memory: Type.Integer(),
});

/** Everything known of a run, with the workflow it executes. */
export const RunDetailView = Type.Object({
  ...runSummaryFields,
  workflow: Workflow,
  /** The workflow file's text when the run was created. */
  spec: Type.String(),
  file: Type.Optional(Type.String()),
  steps: Type.Array(StepRunView),
  handlers: Type.Array(StepRunView),
  outputs: JsonRecord,
  /** Absolute path of the run's directory; absent before it has started. */
  logDir: Type.Optional(Type.String()),
  stopRequestedBy: Type.Optional(Type.String()),
  /** Why a run that is running makes no progress: a problem of the host that drives it, as in its health. */
  waiting: Type.Optional(Type.String()),
  /** The trace that the run belongs to (W3C Trace Context): 32 hexadecimal digits. */
  traceId: Type.Optional(Type.String()),
  /** The process that drives the run; absent when it waits or has ended. */
  host: Type.Optional(RunHostView),
  /** How the run changed hands since it was created, because its host was gone; the oldest first. */
  takeOvers: Type.Array(TakeOverView),
  /** The most that its processes used at one time; only of an ended run whose host has seen them. */
  peakUsage: Type.Optional(PeakUsageView),
  /** Follow events after this one to stay current. */
  lastEventId: Type.Integer(),
});
export type RunDetailView = Static<typeof RunDetailView>;
