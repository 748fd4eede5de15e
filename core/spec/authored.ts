import Type, { type Static } from 'typebox';
import { dagNamePattern } from '../base/ids.ts';
import {
  AnyKey,
  closed,
  flag,
  text,
  TextOrList,
  ConditionObject,
  Conditions,
  count,
  DeclaredParams,
  TypedParamObject,
  withDescription,
  Env,
  seconds,
  Shell,
  wholeNumber,
  WorkerSelector,
} from './authored/values.ts';
import {
  durationPattern,
  Catchup,
  CatchupWindow,
  ExpectObject,
  MailOn,
  MailTarget,
  Notify,
  NotifyObject,
  Otel,
  Overlap,
  RunConfig,
  Schedule,
  ScheduleObject,
  SecretObject,
  Secrets,
  Smtp,
  SmtpServer,
} from './authored/settings.ts';
import { Container, RegistryAuth, RegistryAuths, Ssh } from './authored/executors.ts';
import {
  ContinueOnObject,
  Handlers,
  ParallelObject,
  RepeatPolicyObject,
  RetryPolicyObject,
  StepObject,
  Steps,
  TtyObject,
} from './authored/step.ts';

/** Schemas of triggers other than schedules. */

const patterns = (what: string, ...examples: (string | string[])[]) =>
  TextOrList(`${what}. Supports *, ** and !.`, ...examples);

const TriggerParamObject = Type.Object(
  {
    path: text('JSONPath of the value in the payload.', '$.pull_request.head.ref'),
    default: Type.Optional(
      Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
        description: 'Default value if the payload has none.',
        examples: ['main'],
      }),
    ),
  },
  closed,
);

const WebhookObject = Type.Object(
  {
    receiver: Type.Optional(text('Receiver name or ID. Default: any receiver.', 'github')),
    event: Type.Optional(
      TextOrList('Events that start the workflow. Default: all except "ping".', 'push', [
        'push',
        'pull_request',
      ]),
    ),
    actions: Type.Optional(
      TextOrList('Values of "action" in the payload. Default: any.', 'opened', ['opened', 'synchronize']),
    ),
    branches: Type.Optional(
      patterns('Branches to match; pull requests: base branch', 'main', ['main', 'release/**']),
    ),
    branchesIgnore: Type.Optional(patterns('Branches to ignore', 'dependabot/**')),
    tags: Type.Optional(patterns('Tags to match', 'v*')),
    tagsIgnore: Type.Optional(patterns('Tags to ignore', '*-rc*')),
    paths: Type.Optional(patterns('Changed files to match', 'src/**', ['src/**', '!**/*.md'])),
    pathsIgnore: Type.Optional(patterns('Changed files to ignore', 'docs/**')),
    if: Type.Optional(
      Type.Union([Type.String(), Type.Boolean()], {
        description: 'Expression that must be true, in GitHub Actions syntax.',
        examples: ["payload.sender.login != 'ghost'"],
      }),
    ),
    params: Type.Optional(
      Type.Record(AnyKey, Type.Union([Type.String(), TriggerParamObject]), {
        description: 'Run parameters from the payload, as JSONPath expressions.',
        examples: [{ REF: '$.ref', WHO: { path: '$.sender.login', default: 'nobody' } }],
      }),
    ),
    queue: Type.Optional(text('Queue for these runs. Default: queue of the workflow.', 'deployments')),
    singleton: Type.Optional(flag('Skip if a run is active or queued. Default: false.')),
    debounce: Type.Optional(
      Type.Union([Type.Number({ minimum: 0 }), Type.String({ pattern: durationPattern })], {
        description: 'Delay before starting. A later delivery replaces this one.',
        examples: ['30s', 5],
      }),
    ),
    concurrencyKey: Type.Optional(
      text('Expression. Runs with the same value are executed one at a time.', 'payload.ref'),
    ),
  },
  closed,
);
export type AuthoredWebhook = Static<typeof WebhookObject>;

const On = Type.Object(
  {
    webhook: Type.Optional(
      Type.Union([WebhookObject, Type.Array(WebhookObject)], {
        description: 'Incoming webhooks that start the workflow.',
        examples: [{ receiver: 'github', event: 'push', branches: 'main', params: { REF: '$.ref' } }],
      }),
    ),
  },
  {
    ...closed,
    description: 'Events that start the workflow.',
    examples: [{ webhook: { event: 'push', branches: 'main' } }],
  },
);

/**
 * Schema of a workflow document with canonical key spelling. Together with `authored/`, it is the single source of the
 * types, the validator and the editor's JSON Schema. Other spellings are renamed first (`canonical-keys.ts`). Union
 * branches are distinguished by the JSON type of the value alone.
 */
export const authoredSchema = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        pattern: dagNamePattern,
        description: 'Workflow name, up to 40 characters. Default: file name without extension.',
        examples: ['nightly-etl'],
      }),
    ),
    group: Type.Optional(text('Group in the workflow list.', 'reports')),
    description: Type.Optional(text('Short description of the workflow.', 'Loads the sales of the day')),
    type: Type.Optional(
      Type.Enum(['chain', 'graph'], {
        description: 'Execution order. Default: sequential.',
        enumDescriptions: [
          'Sequential: each step runs after the previous one and its "depends".',
          'Graph: each step runs after its "depends" only.',
        ],
        examples: ['graph'],
      }),
    ),
    steps: Type.Optional(Steps),
    shell: Type.Optional(Shell),
    workingDir: Type.Optional(
      text('Working directory for all steps. Default: folder of the workflow file.', './work'),
    ),
    env: Type.Optional(Env),
    dotenv: Type.Optional(
      TextOrList('Files with KEY=value lines. The first existing file is loaded.', '.env', [
        '.env.local',
        '.env',
      ]),
    ),
    secretFiles: Type.Optional(
      TextOrList('Files with KEY=value lines. All must exist; values are masked.', 'prod.env', [
        'shared.env',
        '/run/secrets/app.env',
      ]),
    ),
    params: Type.Optional(DeclaredParams),
    secrets: Type.Optional(Secrets),
    preconditions: Type.Optional(Conditions),
    handlerOn: Type.Optional(Handlers),
    skipBaseHandlers: Type.Optional(flag('Ignore handlers from the base configuration. Default: false.')),
    maxActiveRuns: Type.Optional(
      wholeNumber('Maximum concurrent runs. Default: 1. Negative: no limit.', 1, -1),
    ),
    maxActiveSteps: Type.Optional(count('Maximum concurrent steps per run. Default: 0 (no limit).', 4)),
    maxCleanUpTimeSec: Type.Optional(
      seconds('Seconds between the stop signal and the kill. Default: 5.', 30),
    ),
    maxOutputSize: Type.Optional(
      count('Maximum bytes captured by "output". Default: 1048576 (1 MiB). Maximum: 64 MiB.', 1_048_576),
    ),
    schedule: Type.Optional(Schedule),
    on: Type.Optional(On),
    timezone: Type.Optional(
      text('IANA time zone of the schedule. Default: configured or system time zone.', 'Europe/Berlin'),
    ),
    catchup: Type.Optional(Catchup),
    catchupWindow: Type.Optional(CatchupWindow),
    overlap: Type.Optional(Overlap),
    skipIfSuccessful: Type.Optional(
      flag('Skip if a run succeeded since the last scheduled time. Default: false.'),
    ),
    expect: Type.Optional(ExpectObject),
    timeout: Type.Optional(seconds('Run timeout in seconds. Default: 0 (no limit).', 3600)),
    delaySec: Type.Optional(seconds('Delay in seconds after starting each step. Default: 0.', 1)),
    restartWaitSec: Type.Optional(seconds('Delay in seconds before a restart. Default: 0.', 10)),
    queue: Type.Optional(text('Queue for runs of this workflow. Default: the workflow name.', 'etl')),
    workerSelector: Type.Optional(WorkerSelector),
    tags: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.Union([Type.String(), Type.Number()]))], {
        description: 'Tags: a list or a comma-separated string. Stored in lowercase.',
        examples: [['etl', 'nightly'], 'etl, nightly'],
      }),
    ),
    logDir: Type.Optional(text('Log directory. Default: the log directory of the home.', '/var/log/etl')),
    histRetentionDays: Type.Optional(
      wholeNumber('Days to keep finished runs. Default: 30. Negative: forever.', 30, -1),
    ),
    histRetentionRuns: Type.Optional(
      wholeNumber('Number of recent runs to keep. Default: no limit.', 100, -1),
    ),
    notify: Type.Optional(Notify),
    mailOn: Type.Optional(MailOn),
    smtp: Type.Optional(Smtp),
    errorMail: Type.Optional(withDescription(MailTarget, 'Email sent when a run fails.')),
    infoMail: Type.Optional(withDescription(MailTarget, 'Email sent when a run succeeds.')),
    otel: Type.Optional(Otel),
    runConfig: Type.Optional(RunConfig),
    container: Type.Optional(Container),
    ssh: Type.Optional(Ssh),
    registryAuths: Type.Optional(RegistryAuths),
  },
  {
    ...closed,
    description: 'A workflow: its steps and settings.',
    examples: [{ steps: ['echo hello'] }],
  },
);
export type Authored = Static<typeof authoredSchema>;

export type {
  AuthoredExpect,
  AuthoredMailTarget,
  AuthoredNotify,
  AuthoredOtel,
  AuthoredSchedule,
  AuthoredSecrets,
} from './authored/settings.ts';
export type {
  AuthoredContinueOn,
  AuthoredHandlers,
  AuthoredParallel,
  AuthoredRepeatPolicy,
  AuthoredRetryPolicy,
  AuthoredStep,
  AuthoredSteps,
} from './authored/step.ts';
export type { AuthoredCondition, AuthoredConditions } from './authored/values.ts';

/** The canonical keys of each kind of map in a workflow. */
export const authoredKeys = {
  workflow: Object.keys(authoredSchema.properties),
  step: Object.keys(StepObject.properties),
  handlers: Object.keys(Handlers.properties),
  condition: Object.keys(ConditionObject.properties),
  continueOn: Object.keys(ContinueOnObject.properties),
  retryPolicy: Object.keys(RetryPolicyObject.properties),
  repeatPolicy: Object.keys(RepeatPolicyObject.properties),
  parallel: Object.keys(ParallelObject.properties),
  tty: Object.keys(TtyObject.properties),
  schedule: Object.keys(ScheduleObject.properties),
  expect: Object.keys(ExpectObject.properties),
  on: Object.keys(On.properties),
  webhook: Object.keys(WebhookObject.properties),
  typedParam: Object.keys(TypedParamObject.properties),
  triggerParam: Object.keys(TriggerParamObject.properties),
  secret: Object.keys(SecretObject.properties),
  stepType: ['type', 'config'],
  notify: Object.keys(NotifyObject.properties),
  mailOn: Object.keys(MailOn.properties),
  mail: Object.keys(MailTarget.properties),
  smtp: Object.keys(SmtpServer.properties),
  otel: Object.keys(Otel.properties),
  runConfig: Object.keys(RunConfig.properties),
  container: Object.keys(Container.properties),
  ssh: Object.keys(Ssh.properties),
  registryAuth: Object.keys(RegistryAuth.properties),
} as const;
