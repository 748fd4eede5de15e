import Type, { type Static } from 'typebox';
import { Step } from './step.ts';
import { Condition, EnvEntry } from './values.ts';

/** One parameter with its default; positional ones are named by their place: `1`, `2`, … */
export const Parameter = Type.Object({ name: Type.String(), value: Type.String() });
export type Parameter = Static<typeof Parameter>;

/** Cron expressions by what they do to the workflow (seed 1: `schedule`). */
export const Schedule = Type.Object({
  start: Type.Array(Type.String()),
  stop: Type.Array(Type.String()),
  restart: Type.Array(Type.String()),
});
export type Schedule = Static<typeof Schedule>;

/** A checked and normalised workflow: shorthand expanded, defaults filled, dependencies wired, values unexpanded. */
export const Workflow = Type.Object({
  name: Type.String(),
  group: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  /** As written; the wiring it implies is already in each step's `depends`. */
  type: Type.Union([Type.Literal('chain'), Type.Literal('graph')]),
  tags: Type.Array(Type.String()),
  steps: Type.Array(Step),
  /** Present handlers only; each is a step named `onInit`, `onSuccess`, `onFailure`, `onAbort` or `onExit`. */
  handlers: Type.Object({
    init: Type.Optional(Step),
    success: Type.Optional(Step),
    failure: Type.Optional(Step),
    abort: Type.Optional(Step),
    exit: Type.Optional(Step),
  }),
  env: Type.Array(EnvEntry),
  params: Type.Array(Parameter),
  /** Program and its arguments; absent means the platform's default shell. */
  shell: Type.Optional(Type.Array(Type.String())),
  /** As written; relative to the file's folder. */
  workingDir: Type.Optional(Type.String()),
  preconditions: Type.Array(Condition),
  timeoutSec: Type.Optional(Type.Number()),
  /** Active runs allowed at once; 1 by default, negative for no limit. */
  maxActiveRuns: Type.Integer(),
  /** Steps allowed to run at once; 0 for no limit. */
  maxActiveSteps: Type.Integer(),
  /** Seconds between SIGTERM and SIGKILL; 5 by default. */
  maxCleanUpTimeSec: Type.Number(),
  /** Bytes of captured output allowed for one step; 1 MiB by default. */
  maxOutputSize: Type.Integer(),
  schedule: Schedule,
});
export type Workflow = Static<typeof Workflow>;
