import Type, { type Static } from 'typebox';
import { Container, RegistryAuth, RegistryAuths, Ssh } from './authored/executors.ts';
import {
  MailOn,
  MailTarget,
  Otel,
  RunConfig,
  Schedule,
  ScheduleObject,
  SecretObject,
  Secrets,
  Smtp,
} from './authored/settings.ts';
import {
  ContinueOnObject,
  Handlers,
  ParallelObject,
  RepeatPolicyObject,
  RetryPolicyObject,
  StepObject,
  Steps,
} from './authored/step.ts';
import {
  closed,
  ConditionObject,
  Conditions,
  DeclaredParams,
  Env,
  flag,
  seconds,
  Shell,
  text,
  TextOrList,
  WorkerSelector,
} from './authored/values.ts';

/**
 * The shape of a workflow document as people write it, in its canonical spelling: with `authored/`, the one
 * source of the types, of the validator and of the editor's JSON Schema. Other spellings are renamed before
 * (`canonical-keys.ts`). Unions are told apart by the JSON type of the value alone.
 */
export const authoredSchema = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_.-]{1,40}$',
        description: 'Name; the name of the file when absent.',
        examples: ['nightly-etl'],
      }),
    ),
    group: Type.Optional(text('Group in the list of workflows.', 'reports')),
    description: Type.Optional(text('What the workflow is for.', 'Loads the sales of the day')),
    type: Type.Optional(
      Type.Enum(['chain', 'graph'], {
        description: 'chain: each step waits for the one before. graph: only for its depends.',
        examples: ['graph'],
      }),
    ),
    steps: Type.Optional(Steps),
    shell: Type.Optional(Shell),
    workingDir: Type.Optional(text('Working directory, relative to the file.', './work')),
    env: Type.Optional(Env),
    dotenv: Type.Optional(
      TextOrList('Files of variables; the first that is there is read.', '.env', ['.env.local', '.env']),
    ),
    params: Type.Optional(DeclaredParams),
    secrets: Type.Optional(Secrets),
    preconditions: Type.Optional(Conditions),
    handlerOn: Type.Optional(Handlers),
    skipBaseHandlers: Type.Optional(flag('Take no handlers from the base configuration.')),
    maxActiveRuns: Type.Optional(
      Type.Integer({
        description: 'Active runs allowed at once; negative for no limit.',
        examples: [1, -1],
      }),
    ),
    maxActiveSteps: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Steps allowed to run at once; 0 for no limit.',
        examples: [4],
      }),
    ),
    maxCleanUpTimeSec: Type.Optional(seconds('Seconds between the stop signal and the kill.', 5)),
    maxOutputSize: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Bytes of captured output allowed for one step.',
        examples: [1_048_576],
      }),
    ),
    schedule: Type.Optional(Schedule),
    skipIfSuccessful: Type.Optional(
      flag('Skip a scheduled start when a run has succeeded since the last one.'),
    ),
    timeout: Type.Optional(seconds('Longest run, in seconds.', 3600)),
    delaySec: Type.Optional(seconds('Pause after the start of each step.', 1)),
    restartWaitSec: Type.Optional(seconds('Pause before a restart.', 10)),
    queue: Type.Optional(text('Queue that runs wait in; named like the workflow when absent.', 'etl')),
    workerSelector: Type.Optional(WorkerSelector),
    tags: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.Union([Type.String(), Type.Number()]))], {
        description: 'Tags: a list, or words separated by commas.',
        examples: [['etl', 'nightly'], 'etl, nightly'],
      }),
    ),
    logDir: Type.Optional(text('Folder of the logs.', '/var/log/etl')),
    histRetentionDays: Type.Optional(
      Type.Integer({ description: 'Days the history is kept; negative for ever.', examples: [30, -1] }),
    ),
    mailOn: Type.Optional(MailOn),
    smtp: Type.Optional(Smtp),
    errorMail: Type.Optional(MailTarget),
    infoMail: Type.Optional(MailTarget),
    otel: Type.Optional(Otel),
    runConfig: Type.Optional(RunConfig),
    container: Type.Optional(Container),
    ssh: Type.Optional(Ssh),
    registryAuths: Type.Optional(RegistryAuths),
  },
  {
    ...closed,
    title: 'Stepwright workflow',
    description: 'A workflow: steps and how they are run.',
    examples: [{ steps: ['echo hello'] }],
  },
);
export type Authored = Static<typeof authoredSchema>;

export type {
  AuthoredMailTarget,
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

/** The keys of each kind of map in a workflow, in canonical spelling. */
export const authoredKeys = {
  workflow: Object.keys(authoredSchema.properties),
  step: Object.keys(StepObject.properties),
  handlers: Object.keys(Handlers.properties),
  condition: Object.keys(ConditionObject.properties),
  continueOn: Object.keys(ContinueOnObject.properties),
  retryPolicy: Object.keys(RetryPolicyObject.properties),
  repeatPolicy: Object.keys(RepeatPolicyObject.properties),
  parallel: Object.keys(ParallelObject.properties),
  schedule: Object.keys(ScheduleObject.properties),
  secret: Object.keys(SecretObject.properties),
  stepType: ['type', 'config'],
  mailOn: Object.keys(MailOn.properties),
  mail: Object.keys(MailTarget.properties),
  smtp: Object.keys(Smtp.properties),
  otel: Object.keys(Otel.properties),
  runConfig: Object.keys(RunConfig.properties),
  container: Object.keys(Container.properties),
  ssh: Object.keys(Ssh.properties),
  registryAuth: Object.keys(RegistryAuth.properties),
} as const;
