import Type, { type Static } from 'typebox';
import { ContainerSpec, Step, Condition, EnvEntry, TextMap } from './step.ts';
import { MailOn, MailTarget, Notify, Otel, RegistryAuths, RunConfig, Secret, Smtp } from './settings.ts';
import { handlerNames } from './workflow-rules.ts';

/** One parameter with its default; positional ones are named by their position: `1`, `2`, … */
export const Parameter = Type.Object({ name: Type.String(), value: Type.String() });

export type Parameter = Static<typeof Parameter>;

/**
 * Names that match: those of `only`, or all except those of `ignore`; patterns as in core/base/name-pattern.ts.
 */
const Names = Type.Union([
  Type.Object({ only: Type.Array(Type.String()) }),
  Type.Object({ ignore: Type.Array(Type.String()) }),
]);

/** Where a payload contains the value of a parameter. */
const TriggerParam = Type.Object({
  name: Type.String(),
  /** Keys of objects and indexes of lists, in order; empty for the whole payload. */
  path: Type.Array(Type.Union([Type.String(), Type.Integer()])),
  /** Used when the value is missing or null; without a default the parameter is not set. */
  default: Type.Optional(Type.String()),
});

/** A trigger that starts a workflow from webhooks (`on.webhook`). Absent or empty filters match everything. */
export const WebhookTrigger = Type.Object({
  /** Name or ID of the receiver. */
  receiver: Type.Optional(Type.String()),
  events: Type.Array(Type.String()),
  actions: Type.Array(Type.String()),
  branches: Type.Optional(Names),
  tags: Type.Optional(Names),
  paths: Type.Optional(Names),
  /** An expression over the delivery. */
  condition: Type.Optional(Type.String()),
  params: Type.Array(TriggerParam),
  /** Overrides the workflow's queue. */
  queue: Type.Optional(Type.String()),
  /** Starts nothing while a run of the workflow is active or queued. */
  singleton: Type.Boolean(),
  /** Seconds to wait for a later delivery, which replaces this one. */
  debounceSec: Type.Optional(Type.Number()),
  /** An expression; runs with the same value run one after the other. */
  concurrencyKey: Type.Optional(Type.String()),
});

export type WebhookTrigger = Static<typeof WebhookTrigger>;

/** How to handle missed scheduled starts. */
export const catchupPolicies = ['skip', 'last', 'all'] as const;

export type Catchup = (typeof catchupPolicies)[number];

/** How to handle a scheduled start while a run of the workflow is active. */
export const overlapPolicies = ['skip', 'queue', 'allow'] as const;

export type Overlap = (typeof overlapPolicies)[number];

/** What is expected of the runs of a workflow. Durations in seconds. */
export const Expect = Type.Object({
  /** Wall time `HH:MM` by which a run must have succeeded, on each day with a scheduled start, or on each day. */
  by: Type.Optional(Type.String()),
  /** From the scheduled time, or the creation of a run, to its end. */
  withinSec: Type.Optional(Type.Number()),
  /** Longest duration of a run. */
  longestSec: Type.Optional(Type.Number()),
  /** The same as a multiple of the usual duration. */
  longestTimes: Type.Optional(Type.Number()),
  /** Longest time without a successful run. */
  everySec: Type.Optional(Type.Number()),
});

export type Expect = Static<typeof Expect>;

/**
 * Cron expressions by what they do to the workflow: five fields, or six with seconds first, after `CRON_TZ=Zone ` when
 * they use another time zone than that of the configuration or the machine. A start may also be `@reboot`.
 */
export const Schedule = Type.Object({
  start: Type.Array(Type.String()),
  stop: Type.Array(Type.String()),
  restart: Type.Array(Type.String()),
});

export type Schedule = Static<typeof Schedule>;

/**
 * A validated and normalised workflow: shorthand expanded, defaults filled in, dependencies resolved, values
 * unexpanded.
 */
export const Workflow = Type.Object({
  name: Type.String(),
  group: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  /** As written; the dependencies it implies are already in each step's `depends`. */
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
  /** Handlers that come from the base configuration; a sub-run does not run them. */
  inheritedHandlers: Type.Optional(Type.Array(Type.Enum([...handlerNames]))),
  env: Type.Array(EnvEntry),
  /** Dotenv files, as written; absent when the workflow does not set it. The first that exists is read. */
  dotenv: Type.Optional(Type.Array(Type.String())),
  /** Dotenv files whose values are masked, as written; all are read and required. */
  secretFiles: Type.Optional(Type.Array(Type.String())),
  secrets: Type.Optional(Type.Array(Secret)),
  /** With a `paramSchema`, its `values`: the defaults that override those of the schema. */
  params: Type.Array(Parameter),
  /**
   * JSON Schema that validates the parameters and fills in defaults: the path of a file, as written (looked for in the
   * process directory, the working directory and the file's directory), or the schema itself.
   */
  paramSchema: Type.Optional(Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())])),
  /** Program and its arguments; default: the platform's default shell. */
  shell: Type.Optional(Type.Array(Type.String())),
  /**
   * SSH settings of the host that steps without a type run on (core/model/executor-config.ts); their actions include them
   * already. Values are unexpanded.
   */
  ssh: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  /**
   * Container for all steps without a type, whose actions include it already; overrides `ssh`. Values are unexpanded.
   */
  container: Type.Optional(ContainerSpec),
  registryAuths: Type.Optional(RegistryAuths),
  /** As written; relative to the file's directory. */
  workingDir: Type.Optional(Type.String()),
  preconditions: Type.Array(Condition),
  timeoutSec: Type.Optional(Type.Number()),
  /** Most active runs; default: 1, negative: no limit. */
  maxActiveRuns: Type.Integer(),
  /** Most steps that run at the same time; 0: no limit. */
  maxActiveSteps: Type.Integer(),
  /** Seconds between SIGTERM and SIGKILL; default: 5. */
  maxCleanUpTimeSec: Type.Number(),
  /** Most bytes of captured output of one step; default: 1 MiB. */
  maxOutputSize: Type.Integer(),
  schedule: Schedule,
  /** Triggers for webhooks. */
  webhooks: Type.Optional(Type.Array(WebhookTrigger)),
  /** Time zone of the expressions that name none; they include it already. */
  timezone: Type.Optional(Type.String()),
  /** Default: from the configuration. */
  catchup: Type.Optional(Type.Enum([...catchupPolicies])),
  /** Seconds; default: from the configuration. */
  catchupWindowSec: Type.Optional(Type.Number()),
  /** Default: `skip`. */
  overlap: Type.Optional(Type.Enum([...overlapPolicies])),
  /** Skip a scheduled start when a run has succeeded since the previous slot. */
  skipIfSuccessful: Type.Optional(Type.Boolean()),
  expect: Type.Optional(Expect),
  /** Inherit no handlers from the base configuration or a parent. */
  skipBaseHandlers: Type.Optional(Type.Boolean()),
  /** Pause after the start of each step. */
  delaySec: Type.Optional(Type.Number()),
  /** Pause between the stop and the start of a restart. */
  restartWaitSec: Type.Optional(Type.Number()),
  /** Default: the queue of the workflow's own name. */
  queue: Type.Optional(Type.String()),
  /** Labels that a worker needs to run it. */
  workerSelector: Type.Optional(TextMap),
  /** As written, unexpanded; default: the configured directory. */
  logDir: Type.Optional(Type.String()),
  /** Days; negative: forever. Default: the configured number, otherwise 30. */
  histRetentionDays: Type.Optional(Type.Integer()),
  /** Number of runs to keep per name; negative: no limit. Default: the configured number, otherwise no limit. */
  histRetentionRuns: Type.Optional(Type.Integer()),
  /** Channels that are notified of its runs. */
  notify: Type.Optional(Notify),
  mailOn: Type.Optional(MailOn),
  /** `mailOn` comes from the base configuration: a sub-run does not use it. */
  inheritedMailOn: Type.Optional(Type.Boolean()),
  /** In the order in which they are tried. */
  smtp: Type.Optional(Type.Array(Smtp)),
  errorMail: Type.Optional(MailTarget),
  infoMail: Type.Optional(MailTarget),
  otel: Type.Optional(Otel),
  runConfig: Type.Optional(RunConfig),
});

export type Workflow = Static<typeof Workflow>;
