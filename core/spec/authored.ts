import Type, { type Static, type TSchema } from 'typebox';

/**
 * The shape of a workflow document as people write it, in its canonical spelling: the one source of the
 * types below, of the validator and of the editor's JSON Schema. Other spellings are renamed before
 * (`canonical-keys.ts`). Unions are told apart by the JSON type of the value alone.
 */

const closed = { additionalProperties: false } as const;

/** A whole number, or one in quotes. */
const count = (description: string) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^[0-9]{1,9}$' })], { description });
/** A duration in seconds, or one in quotes. */
const seconds = (description: string) =>
  Type.Union([Type.Number({ minimum: 0 }), Type.String({ pattern: '^[0-9]{1,9}(\\.[0-9]{1,9})?$' })], {
    description,
  });
const text = (description: string) => Type.String({ description });
const flag = (description: string) => Type.Boolean({ description });

/** What may stand where a text is needed: YAML reads `5` and `true` as other types. */
const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);
// A key may hold line breaks, which the default pattern of a record does not match.
const AnyKey = Type.String({ pattern: '^' });
const ScalarMap = Type.Record(AnyKey, Scalar);
const TextOrList = (description: string) =>
  Type.Union([Type.String(), Type.Array(Type.String())], { description });
const ExitCodes = (description: string) =>
  Type.Union(
    [
      Type.Integer(),
      Type.String({ pattern: '^-?[0-9]{1,9}$' }),
      Type.Array(Type.Union([Type.Integer(), Type.String({ pattern: '^-?[0-9]{1,9}$' })])),
    ],
    { description },
  );

const Shell = Type.Union([Type.String(), Type.Array(Scalar)], {
  description:
    'Program that runs commands, with its arguments: one text or a list. "direct" runs without a shell.',
});
const Env = Type.Union([ScalarMap, Type.Array(Type.Union([Type.String(), ScalarMap]))], {
  description:
    'Variables in the order given; later ones may use earlier ones. A map, or a list of maps or of KEY=value.',
});
const Params = Type.Union(
  [
    Type.String(),
    Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean(), ScalarMap])),
    ScalarMap,
  ],
  {
    description:
      'Parameters with their defaults: positional words and KEY=value in one text, a list, or a map.',
  },
);

const ConditionObject = Type.Object(
  {
    condition: Type.Optional(
      Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
        description: 'Expression whose value is compared, often a command in backticks.',
      }),
    ),
    expected: Type.Optional(
      Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
        description: 'The value needed; a regular expression after "re:".',
      }),
    ),
    command: Type.Optional(text('Command whose success is the condition.')),
    negate: Type.Optional(flag('Turns the result round.')),
  },
  closed,
);
export type AuthoredCondition = Static<typeof ConditionObject>;
const Conditions = Type.Union(
  [Type.String(), ConditionObject, Type.Array(Type.Union([Type.String(), ConditionObject]))],
  {
    description: 'All of them must hold. A text is a command that must succeed.',
  },
);
export type AuthoredConditions = Static<typeof Conditions>;

const ContinueOnObject = Type.Object(
  {
    failure: Type.Optional(flag('Go on after a failure.')),
    skipped: Type.Optional(flag('Go on when the step was skipped.')),
    exitCode: Type.Optional(ExitCodes('Go on after these exit codes.')),
    output: Type.Optional(TextOrList('Go on when a line of stdout holds this text, or matches after "re:".')),
    markSuccess: Type.Optional(flag('Count such a failure as a success.')),
  },
  closed,
);
const ContinueOn = Type.Union([Type.String({ examples: ['skipped', 'failed'] }), ContinueOnObject], {
  description: 'When a step that failed or was skipped does not stop what depends on it.',
});
export type AuthoredContinueOn = Static<typeof ContinueOn>;

const RetryPolicyObject = Type.Object(
  {
    limit: count('Extra attempts after the first.'),
    intervalSec: seconds('Seconds between attempts.'),
    exitCode: Type.Optional(ExitCodes('Retry only after these exit codes.')),
    backoff: Type.Optional(
      Type.Union([Type.Boolean(), Type.Number(), Type.String({ pattern: '^[0-9]{1,9}(\\.[0-9]{1,9})?$' })], {
        description: 'Factor on the interval for each further attempt; true is 2.',
      }),
    ),
    maxIntervalSec: Type.Optional(seconds('Longest interval, in seconds.')),
  },
  { ...closed, description: 'How often and how long after a failure the step is tried again.' },
);
export type AuthoredRetryPolicy = Static<typeof RetryPolicyObject>;

const StepType = Type.Union(
  [Type.String(), Type.Object({ type: Type.String(), config: Type.Optional(Type.Unknown()) }, closed)],
  {
    description: 'Kind of step: "command" (the default).',
  },
);

const StepObject = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Unique name; made from the kind and the place when absent.',
      }),
    ),
    id: Type.Optional(
      Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9_-]*$', description: 'Short name for references.' }),
    ),
    description: Type.Optional(text('What the step is for.')),
    command: Type.Optional(
      Type.Union([Type.String(), Type.Array(Scalar)], {
        description:
          'Text for the shell; several lines are a script; a list is a program with its arguments, run without a shell.',
      }),
    ),
    script: Type.Optional(text('Inline script; its first line may name an interpreter.')),
    run: Type.Optional(text('Name of the workflow to run as this step.')),
    params: Type.Optional(Params),
    depends: Type.Optional(TextOrList('Names or ids of the steps that must end first; [] for none.')),
    dir: Type.Optional(text('Working directory, relative to that of the workflow.')),
    shell: Type.Optional(Shell),
    env: Type.Optional(Env),
    output: Type.Optional(text('Variable that receives the trimmed stdout.')),
    continueOn: Type.Optional(ContinueOn),
    retryPolicy: Type.Optional(RetryPolicyObject),
    preconditions: Type.Optional(Conditions),
    timeoutSec: Type.Optional(
      seconds('Longest run of the step, in seconds; overrides the timeout of the workflow.'),
    ),
    signalOnStop: Type.Optional(
      Type.String({ description: 'Signal sent on stop instead of SIGTERM.', examples: ['SIGINT'] }),
    ),
    mailOnError: Type.Optional(flag('Mail when the step fails.')),
    type: Type.Optional(StepType),
  },
  { ...closed, description: 'One step.' },
);
export type AuthoredStep = Static<typeof StepObject>;

const StepItem = Type.Union([Type.String(), StepObject]);
const Steps = Type.Union(
  [Type.Array(Type.Union([Type.String(), StepObject, Type.Array(StepItem)])), Type.Record(AnyKey, StepItem)],
  {
    description: 'The steps: a list, whose nested lists are parallel groups, or a map of names to steps.',
  },
);
export type AuthoredSteps = Static<typeof Steps>;

const Handlers = Type.Object(
  {
    init: Type.Optional(StepItem),
    success: Type.Optional(StepItem),
    failure: Type.Optional(StepItem),
    abort: Type.Optional(StepItem),
    exit: Type.Optional(StepItem),
  },
  { ...closed, description: 'Steps that run at the turns of a run.' },
);
export type AuthoredHandlers = Static<typeof Handlers>;

const ScheduleObject = Type.Object(
  {
    start: Type.Optional(TextOrList('When to start.')),
    stop: Type.Optional(TextOrList('When to stop.')),
    restart: Type.Optional(TextOrList('When to restart.')),
  },
  closed,
);
const Schedule = Type.Union([Type.String(), Type.Array(Type.String()), ScheduleObject], {
  description: 'Cron expressions of five fields: minute, hour, day, month, weekday.',
});
export type AuthoredSchedule = Static<typeof Schedule>;

const MailTarget = Type.Object(
  {
    from: Type.Optional(Type.String()),
    to: Type.Optional(TextOrList('Recipients.')),
    prefix: Type.Optional(Type.String()),
    attachLogs: Type.Optional(Type.Boolean()),
  },
  closed,
);
const openObject = (description: string): TSchema => Type.Object({}, { description });

/** Fields whose types are checked and that have no effect in this version. */
const inertFields = {
  delaySec: Type.Optional(seconds('Pause after the start of each step.')),
  restartWaitSec: Type.Optional(seconds('Pause before a restart.')),
  histRetentionDays: Type.Optional(Type.Integer({ description: 'Days the history is kept.' })),
  skipIfSuccessful: Type.Optional(flag('Skip a scheduled start after a success.')),
  skipBaseHandlers: Type.Optional(flag('Sub-workflows do not inherit handlers.')),
  mailOn: Type.Optional(
    Type.Object({ failure: Type.Optional(Type.Boolean()), success: Type.Optional(Type.Boolean()) }, closed),
  ),
  smtp: Type.Optional(openObject('Mail server.')),
  errorMail: Type.Optional(MailTarget),
  infoMail: Type.Optional(MailTarget),
  otel: Type.Optional(openObject('Tracing.')),
  logDir: Type.Optional(text('Folder of the logs.')),
  runConfig: Type.Optional(
    Type.Object(
      { disableParamEdit: Type.Optional(Type.Boolean()), disableRunIdEdit: Type.Optional(Type.Boolean()) },
      closed,
    ),
  ),
};

/** One document of a workflow file. */
export const authoredSchema = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_.-]{1,40}$',
        description: 'Name; the name of the file when absent.',
      }),
    ),
    group: Type.Optional(text('Group in the list of workflows.')),
    description: Type.Optional(text('What the workflow is for.')),
    type: Type.Optional(
      Type.Enum(['chain', 'graph'], {
        description: 'chain: each step waits for the one before. graph: only for its depends.',
      }),
    ),
    steps: Type.Optional(Steps),
    shell: Type.Optional(Shell),
    workingDir: Type.Optional(text('Working directory, relative to the file.')),
    env: Type.Optional(Env),
    params: Type.Optional(Params),
    preconditions: Type.Optional(Conditions),
    handlerOn: Type.Optional(Handlers),
    maxActiveRuns: Type.Optional(
      Type.Integer({ description: 'Active runs allowed at once; negative for no limit.' }),
    ),
    maxActiveSteps: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Steps allowed to run at once; 0 for no limit.' }),
    ),
    maxCleanUpTimeSec: Type.Optional(seconds('Seconds between the stop signal and the kill.')),
    maxOutputSize: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Bytes of captured output allowed for one step.' }),
    ),
    schedule: Type.Optional(Schedule),
    timeout: Type.Optional(seconds('Longest run, in seconds.')),
    tags: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.Union([Type.String(), Type.Number()]))], {
        description: 'Tags: a list, or words separated by commas.',
      }),
    ),
    ...inertFields,
  },
  { ...closed, title: 'Stepwright workflow', description: 'A workflow: steps and how they are run.' },
);
export type Authored = Static<typeof authoredSchema>;

/** The keys of each kind of map in a workflow, in canonical spelling. */
export const authoredKeys = {
  workflow: Object.keys(authoredSchema.properties),
  step: Object.keys(StepObject.properties),
  handlers: Object.keys(Handlers.properties),
  condition: Object.keys(ConditionObject.properties),
  continueOn: Object.keys(ContinueOnObject.properties),
  retryPolicy: Object.keys(RetryPolicyObject.properties),
  schedule: Object.keys(ScheduleObject.properties),
  stepType: ['type', 'config'],
  mailOn: ['failure', 'success'],
  mail: Object.keys(MailTarget.properties),
  runConfig: ['disableParamEdit', 'disableRunIdEdit'],
  inert: Object.keys(inertFields),
} as const;
