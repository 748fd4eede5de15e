import Type, { type Static } from 'typebox';
import { dagNamePattern } from '../base/ids.ts';
import { Container, RegistryAuth, RegistryAuths, Ssh } from './authored/executors.ts';
import {
  Catchup,
  CatchupWindow,
  MailOn,
  MailTarget,
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
import { On, TriggerParamObject, WebhookObject } from './authored/triggers.ts';
import {
  closed,
  ConditionObject,
  Conditions,
  count,
  DeclaredParams,
  describe,
  Env,
  flag,
  seconds,
  Shell,
  text,
  TextOrList,
  wholeNumber,
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
        pattern: dagNamePattern,
        description:
          'Name of the workflow, 1 to 40 letters, digits, "_", "." or "-", but not "." or "..". Without it, the name of the file without its ending.',
        examples: ['nightly-etl'],
      }),
    ),
    group: Type.Optional(text('Heading under which lists show the workflow.', 'reports')),
    description: Type.Optional(
      text('What the workflow is for, in words for people.', 'Loads the sales of the day'),
    ),
    type: Type.Optional(
      Type.Enum(['chain', 'graph'], {
        description: 'How steps wait for each other; chain when absent.',
        enumDescriptions: [
          'Each step waits for the one before it, and for its "depends".',
          'Each step waits for its "depends" only.',
        ],
        examples: ['graph'],
      }),
    ),
    steps: Type.Optional(Steps),
    shell: Type.Optional(Shell),
    workingDir: Type.Optional(
      text(
        'Directory that the steps work in, relative to the folder of the file, which it is when absent; made when missing. May hold variables and "~".',
        './work',
      ),
    ),
    env: Type.Optional(Env),
    dotenv: Type.Optional(
      TextOrList(
        'Files of KEY=value lines: the first that exists is read, and ".env" when none of them does. [] reads none.',
        '.env',
        ['.env.local', '.env'],
      ),
    ),
    secretFiles: Type.Optional(
      TextOrList(
        'Files of KEY=value lines whose values are hidden as secrets are. All are read when a run starts, a later one goes before an earlier one, and each has to be there.',
        'prod.env',
        ['shared.env', '/run/secrets/app.env'],
      ),
    ),
    params: Type.Optional(DeclaredParams),
    secrets: Type.Optional(Secrets),
    preconditions: Type.Optional(Conditions),
    handlerOn: Type.Optional(Handlers),
    skipBaseHandlers: Type.Optional(flag('Take no handlers from the base configuration; false when absent.')),
    maxActiveRuns: Type.Optional(
      wholeNumber(
        'Active runs of this name allowed at once; 1 when absent, negative for no limit. A further start is refused.',
        1,
        -1,
      ),
    ),
    maxActiveSteps: Type.Optional(
      count('Steps of one run that may run at once; 0, which means no limit, when absent.', 4),
    ),
    maxCleanUpTimeSec: Type.Optional(
      seconds(
        'Seconds that a step has to end after its stop signal, before it is killed; 5 when absent.',
        30,
      ),
    ),
    maxOutputSize: Type.Optional(
      count(
        'Most bytes that the "output" of a step may capture, up to 67108864 (64 MiB); 1048576 when absent. More fails the step.',
        1_048_576,
      ),
    ),
    schedule: Type.Optional(Schedule),
    on: Type.Optional(On),
    timezone: Type.Optional(
      text(
        'Time zone of the schedule, by its IANA name; that of the configuration, else of the machine, when absent.',
        'Europe/Berlin',
      ),
    ),
    catchup: Type.Optional(Catchup),
    catchupWindow: Type.Optional(CatchupWindow),
    overlap: Type.Optional(Overlap),
    skipIfSuccessful: Type.Optional(
      flag('Leave out a scheduled start when a run has succeeded since the one before; false when absent.'),
    ),
    timeout: Type.Optional(
      seconds(
        'Seconds a run may take; 0, which means no limit, when absent. Then its steps are stopped and it has failed.',
        3600,
      ),
    ),
    delaySec: Type.Optional(seconds('Seconds to pause after the start of each step; 0 when absent.', 1)),
    restartWaitSec: Type.Optional(
      seconds('Seconds between the end of a run and its restart; 0 when absent.', 10),
    ),
    queue: Type.Optional(text('Queue that runs wait in; one named like the workflow when absent.', 'etl')),
    workerSelector: Type.Optional(WorkerSelector),
    tags: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.Union([Type.String(), Type.Number()]))], {
        description: 'Words to find the workflow by, kept in lower case: a list, or one text with commas.',
        examples: [['etl', 'nightly'], 'etl, nightly'],
      }),
    ),
    logDir: Type.Optional(
      text(
        'Folder for the logs of its runs, instead of the one in the home. May hold variables.',
        '/var/log/etl',
      ),
    ),
    histRetentionDays: Type.Optional(
      wholeNumber('Days that ended runs and their logs are kept; 30 when absent, negative for ever.', 30, -1),
    ),
    histRetentionRuns: Type.Optional(
      wholeNumber('Newest runs that are kept, with their logs; any number when absent or negative.', 100, -1),
    ),
    mailOn: Type.Optional(MailOn),
    smtp: Type.Optional(Smtp),
    errorMail: Type.Optional(describe(MailTarget, 'Mail that is sent after a failure.')),
    infoMail: Type.Optional(describe(MailTarget, 'Mail that is sent after a success.')),
    otel: Type.Optional(Otel),
    runConfig: Type.Optional(RunConfig),
    container: Type.Optional(Container),
    ssh: Type.Optional(Ssh),
    registryAuths: Type.Optional(RegistryAuths),
  },
  {
    ...closed,
    description: 'A workflow: its steps, and how they are run.',
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
export type { AuthoredWebhook } from './authored/triggers.ts';
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
  tty: Object.keys(TtyObject.properties),
  schedule: Object.keys(ScheduleObject.properties),
  on: Object.keys(On.properties),
  webhook: Object.keys(WebhookObject.properties),
  triggerParam: Object.keys(TriggerParamObject.properties),
  secret: Object.keys(SecretObject.properties),
  stepType: ['type', 'config'],
  mailOn: Object.keys(MailOn.properties),
  mail: Object.keys(MailTarget.properties),
  smtp: Object.keys(SmtpServer.properties),
  otel: Object.keys(Otel.properties),
  runConfig: Object.keys(RunConfig.properties),
  container: Object.keys(Container.properties),
  ssh: Object.keys(Ssh.properties),
  registryAuth: Object.keys(RegistryAuth.properties),
} as const;
