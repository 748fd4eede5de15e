import Type, { type Static, type TSchema } from 'typebox';
import { dagNamePattern, runIdPattern } from '../base/ids.ts';
import { hostKinds, runStatuses, stepStatuses } from '../model/run.ts';
import { runEndCauses, triggers } from '../model/run-event.ts';
import { waitKinds } from '../model/queue.ts';
import { missedKinds, missedRules } from '../model/expectation.ts';
import { decisions } from '../model/approval.ts';
import { Parameter, Workflow } from '../model/workflow.ts';

/** Returns a schema with an `enum` of string literals. */
export const literals = <const Values extends readonly string[]>(
  values: Values,
  options: { readonly description?: string } = {},
) => Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options });

/** An object with any JSON values. */
const JsonRecord = Type.Record(Type.String(), Type.Unknown());

/** Returns the schema of a workflow name with a description. */
export const dagNamed = (description: string) => Type.String({ pattern: dagNamePattern, description });
export const DagName = dagNamed('Workflow name, or name of its runs: at most 40 characters, A-Za-z0-9_.-');
export const RunId = Type.String({
  pattern: runIdPattern,
  description: 'Run ID: at most 64 characters, A-Za-z0-9_-',
});
/**
 * Working directory of runs whose workflow specifies none. Requires no extra permission, because any user that may start
 * a run may run any command.
 */
export const DefaultWorkingDir = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: 'Default working directory: an absolute path on the engine host',
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

/** Fields that identify an attempt of a step. */
export const attemptPathFields = {
  name: DagName,
  dagRunId: RunId,
  /** Step name, or a handler's (`onExit` …) with `section` `handler`. */
  step: Type.String({ minLength: 1 }),
  section: Type.Optional(literals(['step', 'handler'])),
  /** Default: the newest attempt. */
  attempt: Type.Optional(Type.Integer({ minimum: 1 })),
};
/** A reason for waiting as a host stored it, available even if no host is running. */
export const StoredReasonView = Type.Object({
  /** One sentence. */
  reason: Type.String(),
  /** Since when it applies. */
  at: Timestamp,
});

/** Why a run waits in its queue at the time of the response; the `error` of the run has the message. */
export const WaitView = Type.Object({
  kind: literals(waitKinds),
  queue: Type.String(),
  /** Higher priorities start first. */
  priority: Type.Integer(),
  enqueuedAt: Timestamp,
  /** Active runs of the queue. */
  running: Type.Integer(),
  /** Maximum number of active runs; absent if there is no limit. */
  limit: Type.Optional(Type.Integer()),
  /** Number of queued runs that start before it, at most 1000. */
  ahead: Type.Integer(),
  /** The first few runs that it waits for. */
  behind: Type.Array(RunRefView),
  /** By whom the queue was paused. */
  by: Type.Optional(Type.String()),
  /**
   * Labels of the worker that the run waits for, in events of earlier versions, in which runs instead of steps waited
   * for workers.
   */
  workerSelector: Type.Optional(Type.Record(Type.String(), Type.String())),
  /** The last stored reason; absent in events. */
  kept: Type.Optional(StoredReasonView),
});

/** An expectation of a workflow that was missed. */
export const MissedView = Type.Object({
  kind: literals(missedKinds, {
    description: 'late: no success in time; long: takes too long; missing: no run at all',
  }),
  rule: literals(missedRules, {
    description: 'Field of `expect`, or `start` for a scheduled start that did not happen',
  }),
  deadline: Type.With(Timestamp, { description: 'When it was expected' }),
  dagRunId: Type.Optional(Type.With(RunId, { description: 'The run that is late or long' })),
  message: Type.String({ description: 'What was expected, as a sentence' }),
  decidedAt: Type.With(Timestamp, { description: 'When it was found' }),
  resolvedAt: Type.Optional(
    Type.With(Timestamp, { description: 'When the run ended, or the next one succeeded' }),
  ),
});
export type MissedView = Static<typeof MissedView>;

const runSummaryFields = {
  name: Type.String(),
  dagRunId: Type.String(),
  status: RunStatusView,
  trigger: literals(triggers),
  /**
   * Actor that started the run: a user or token, `schedule`, or the transport without authentication. Absent for sub-runs
   * and for runs of versions that did not store it.
   */
  startedBy: Type.Optional(Type.String()),
  params: Type.Array(Parameter),
  /** Names of the steps of a partial run, which runs without the other steps, handlers and mails. */
  onlySteps: Type.Optional(Type.Array(Type.String())),
  unsaved: Type.Optional(
    Type.Boolean({ description: 'True if the workflow had unsaved changes. Otherwise missing.' }),
  ),
  createdAt: Timestamp,
  startedAt: Type.Optional(Timestamp),
  finishedAt: Type.Optional(Timestamp),
  /** Why it has not succeeded, or why it waits. */
  error: Type.Optional(Type.String()),
  /** Why the run did not simply succeed; absent while it is active and if it succeeded. */
  cause: Type.Optional(literals(runEndCauses)),
  /** Only while the run waits in a queue. */
  wait: Type.Optional(WaitView),
  parent: Type.Optional(Type.Object({ name: Type.String(), dagRunId: Type.String(), step: Type.String() })),
  root: Type.Optional(RunRefView),
  noteExcerpt: Type.Optional(
    Type.String({ description: 'First 200 characters of the note. Missing without one.' }),
  ),
  missed: Type.Optional(
    Type.Array(MissedView, {
      description: 'Expectations that the run has missed, oldest first. Only in lists of runs.',
    }),
  ),
} satisfies Record<string, TSchema>;

/** A run in a list. */
export const RunSummaryView = Type.Object(runSummaryFields);
export type RunSummaryView = Static<typeof RunSummaryView>;

/** The worker that runs an attempt or item, if it is not the run's host. */
export const AttemptWorkerView = Type.Object({
  /** Id of the worker. */
  id: Type.String(),
  /** Name of its machine. */
  host: Type.String(),
  /** When it received the attempt; timeouts start then. */
  since: Timestamp,
});

export const AttemptView = Type.Object({
  attempt: Type.Integer(),
  startedAt: Timestamp,
  finishedAt: Type.Optional(Timestamp),
  pid: Type.Optional(Type.Integer()),
  specHash: Type.Optional(
    Type.String({
      description: 'SHA-256 of the text it ran, if the run has resumed with a changed file since',
    }),
  ),
  /** Where it runs or ran; for an attempt with items, the worker of the first dispatched item. */
  worker: Type.Optional(AttemptWorkerView),
  exitCode: Type.Optional(Type.Integer()),
  signal: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
  /** Absolute paths on the engine's machine. */
  stdoutFile: Type.String(),
  stderrFile: Type.String(),
});
export type AttemptView = Static<typeof AttemptView>;

/** Progress of the items of a step with `parallel`, including those that succeeded before a retry. */
export const ItemSummaryView = Type.Object({
  /** Number of items; absent while it is unknown. */
  total: Type.Optional(Type.Integer()),
  /** Number of started items: the sum of the other three. */
  started: Type.Integer(),
  running: Type.Integer(),
  /** Includes partially succeeded items. */
  succeeded: Type.Integer(),
  /** Includes aborted items. */
  failed: Type.Integer(),
});
export type ItemSummaryView = Static<typeof ItemSummaryView>;

/** Returns a string schema with a description. */
const describedString = (description: string) => Type.String({ description });

/** The question of an approval step. It is pending as long as it has neither `decision` nor `endedAt`. */
export const ApprovalView = Type.Object({
  id: Type.String(),
  name: describedString('Name of the run of the step'),
  dagRunId: Type.String(),
  /** The outermost run, if that is not the run itself. */
  root: Type.Optional(RunRefView),
  step: describedString('Name of the step or handler'),
  section: literals(['step', 'handler']),
  attempt: Type.Integer(),
  question: describedString('Question. Can have several lines.'),
  details: Type.Optional(describedString('Longer description')),
  inputs: Type.Array(Type.String(), { description: 'Names of the inputs that can be filled in' }),
  required: Type.Array(Type.String(), {
    description: 'Names of the inputs that are required for approval',
  }),
  askedAt: Timestamp,
  answeredAt: Type.Optional(Timestamp),
  decision: Type.Optional(literals(decisions, { description: 'Decision. Missing while open.' })),
  answeredBy: Type.Optional(describedString('User, token, or access path if no login is required')),
  comment: Type.Optional(describedString('Comment')),
  values: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'Input values, by name' })),
  /** When its attempt ended without an answer; it can no longer be answered. */
  endedAt: Type.Optional(Timestamp),
});
export type ApprovalView = Static<typeof ApprovalView>;

/** One step or handler of a run; every step of the workflow is present. */
export const StepRunView = Type.Object({
  name: Type.String(),
  section: literals(['step', 'handler']),
  status: StepStatusView,
  startedAt: Type.Optional(Timestamp),
  finishedAt: Type.Optional(Timestamp),
  exitCode: Type.Optional(Type.Integer()),
  signal: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
  /**
   * Why its attempt, or one of its items, waits for a worker or an approval, in one sentence; absent if none waits.
   */
  waiting: Type.Optional(Type.String()),
  output: Type.Optional(Type.Object({ name: Type.String(), value: Type.Unknown() })),
  attempts: Type.Array(AttemptView),
  subRuns: Type.Array(RunRefView),
  /** Only for a step with `parallel` whose newest attempt has started an item. */
  items: Type.Optional(ItemSummaryView),
  /** The latest question of a step of type `approval`. */
  approval: Type.Optional(ApprovalView),
});
export type StepRunView = Static<typeof StepRunView>;

/** The process that executes a run. */
export const RunHostView = Type.Object({
  kind: literals(hostKinds),
  hostname: Type.String(),
  pid: Type.Integer(),
  version: Type.Optional(Type.String({ description: 'Release of the engine' })),
  /** When it first executed a run. */
  since: Timestamp,
  /** Its last heartbeat; every few seconds while it executes runs. */
  lastSeenAt: Timestamp,
  /** Why it has certainly ended, to follow its name; another host then takes over the run. */
  gone: Type.Optional(Type.String()),
});
export type RunHostView = Static<typeof RunHostView>;

/** A takeover of a run by another host. */
export const RecoveryView = Type.Object({
  at: Timestamp,
  /** The two hosts, and how it was determined that the first one had ended, as a message. */
  by: Type.String(),
  from: Type.String(),
  reason: Type.String(),
});

/** Peak resource usage of the processes of a run, including the runs that its steps have started. */
export const PeakUsageView = Type.Object({
  /** Percent of all cores. */
  cpu: Type.Number(),
  /** Bytes. */
  memory: Type.Integer(),
});

/** Note of a run. */
export const RunNoteView = Type.Object({
  text: Type.String({ description: 'Markdown' }),
  author: Type.String({ description: 'User, token, or access path if no login is required' }),
  at: Timestamp,
});
export type RunNoteView = Static<typeof RunNoteView>;

/** All details of a run, with its workflow. */
export const RunDetailView = Type.Object({
  ...runSummaryFields,
  workflow: Workflow,
  /** Text of the workflow file when the run was created. */
  spec: Type.String(),
  file: Type.Optional(Type.String()),
  steps: Type.Array(StepRunView),
  handlers: Type.Array(StepRunView),
  outputs: JsonRecord,
  note: Type.Optional(RunNoteView),
  /** Absolute path of the run's directory; absent before it has started. */
  logDir: Type.Optional(Type.String()),
  stopRequestedBy: Type.Optional(Type.String()),
  /** Why a running run makes no progress: a problem of its host, as in its health. */
  waiting: Type.Optional(Type.String()),
  /** Trace id of the run (W3C Trace Context): 32 hexadecimal digits. */
  traceId: Type.Optional(Type.String()),
  /** The process that executes the run; absent if it is queued or finished. */
  host: Type.Optional(RunHostView),
  /** Recoveries of the run by other hosts since it was created, oldest first. */
  recoveries: Type.Array(RecoveryView),
  /** Former name of `recoveries`; removed in the next release. */
  takeOvers: Type.Optional(Type.Array(RecoveryView, { deprecated: true })),
  /** Peak resource usage; only for a finished run whose host monitored it. */
  peakUsage: Type.Optional(PeakUsageView),
  /** Follow events after this one to stay up to date. */
  lastEventId: Type.Integer(),
});
export type RunDetailView = Static<typeof RunDetailView>;
