import Type, { type Static } from 'typebox';
import { ContainerSpec } from '../executors/container-shape.ts';
import { handlerNames } from './handler-name.ts';
import { MailOn, MailTarget, Otel, RegistryAuths, RunConfig, Secret, Smtp } from '../settings.ts';
import { Step } from './step.ts';
import { Condition, EnvEntry, TextMap } from './values.ts';
import { WebhookTrigger } from './webhook-trigger.ts';

/** One parameter with its default; positional ones are named by their place: `1`, `2`, … */
export const Parameter = Type.Object({ name: Type.String(), value: Type.String() });
export type Parameter = Static<typeof Parameter>;

/** What becomes of missed scheduled starts. */
export const catchups = ['skip', 'last', 'all'] as const;
export type Catchup = (typeof catchups)[number];

/** What becomes of a scheduled start while a run of the workflow is active. */
export const overlaps = ['skip', 'queue', 'allow'] as const;
export type Overlap = (typeof overlaps)[number];

/**
 * Cron expressions by what they do to the workflow: five fields, or six with seconds first,
 * after `CRON_TZ=Zone ` when they are not meant in the time zone of the configuration or the machine. A start may
 * also be `@reboot`.
 */
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
  /** Handlers that come from the base configuration; a sub-run does without them. */
  inheritedHandlers: Type.Optional(Type.Array(Type.Enum([...handlerNames]))),
  env: Type.Array(EnvEntry),
  /** Files of variables, as written; absent when the workflow says nothing. The first that exists is read. */
  dotenv: Type.Optional(Type.Array(Type.String())),
  /** Files of variables whose values are hidden, as written; all are read, and each has to be there. */
  secretFiles: Type.Optional(Type.Array(Type.String())),
  secrets: Type.Optional(Type.Array(Secret)),
  /** With a `paramSchema`, its `values`: the defaults that come before those of the schema. */
  params: Type.Array(Parameter),
  /**
   * JSON Schema that fills in and checks the parameters: the path of a file, as written (looked for in the
   * process directory, the working directory and the file's folder), or the schema itself.
   */
  paramSchema: Type.Optional(Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())])),
  /** Program and its arguments; absent means the platform's default shell. */
  shell: Type.Optional(Type.Array(Type.String())),
  /**
   * How the host is reached that steps without a type run on (core/model/executors/ssh.ts); their actions have it
   * already. Values are unexpanded.
   */
  ssh: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  /** One for all steps without a type, whose actions have it already; counts before `ssh`. Values are unexpanded. */
  container: Type.Optional(ContainerSpec),
  registryAuths: Type.Optional(RegistryAuths),
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
  /** What of the webhooks that come starts it. */
  webhooks: Type.Optional(Type.Array(WebhookTrigger)),
  /** Zone of the expressions that name none; they have it already. */
  timezone: Type.Optional(Type.String()),
  /** Absent means what the configuration says. */
  catchup: Type.Optional(Type.Enum([...catchups])),
  /** Seconds; absent means what the configuration says. */
  catchupWindowSec: Type.Optional(Type.Number()),
  /** Absent means `skip`. */
  overlap: Type.Optional(Type.Enum([...overlaps])),
  /** Skip a scheduled start when a run has succeeded since the slot before. */
  skipIfSuccessful: Type.Optional(Type.Boolean()),
  /** Take no handlers from the base configuration, nor from a parent. */
  skipBaseHandlers: Type.Optional(Type.Boolean()),
  /** Pause after the start of each step. */
  delaySec: Type.Optional(Type.Number()),
  /** Pause between the stop and the start of a restart. */
  restartWaitSec: Type.Optional(Type.Number()),
  /** Absent means the queue of the workflow's own name. */
  queue: Type.Optional(Type.String()),
  /** Labels a worker needs to take a run. */
  workerSelector: Type.Optional(TextMap),
  /** As written, unexpanded; absent means the configured folder. */
  logDir: Type.Optional(Type.String()),
  /** Negative keeps runs for ever; absent means the configured number, else 30. */
  histRetentionDays: Type.Optional(Type.Integer()),
  /** How many runs of its name are kept; negative for any number, absent means the configured number, else any. */
  histRetentionRuns: Type.Optional(Type.Integer()),
  mailOn: Type.Optional(MailOn),
  /** `mailOn` is that of the base configuration: a sub-run does without it. */
  inheritedMailOn: Type.Optional(Type.Boolean()),
  /** In the order in which they are tried. */
  smtp: Type.Optional(Type.Array(Smtp)),
  errorMail: Type.Optional(MailTarget),
  infoMail: Type.Optional(MailTarget),
  otel: Type.Optional(Otel),
  runConfig: Type.Optional(RunConfig),
});
export type Workflow = Static<typeof Workflow>;
