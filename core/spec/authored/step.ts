import Type, { type Static } from 'typebox';
import { Container, ExecutorConfig, StepType } from './executors.ts';
import {
  AnyKey,
  Backoff,
  closed,
  Conditions,
  count,
  countOrExpression,
  Env,
  ExitCodes,
  flag,
  Params,
  positiveCount,
  Scalar,
  scalar,
  seconds,
  secondsOrExpression,
  Shell,
  text,
  TextOrList,
  WorkerSelector,
} from './values.ts';

export const ContinueOnObject = Type.Object(
  {
    failure: Type.Optional(flag('Go on after a failure.')),
    skipped: Type.Optional(flag('Go on when the step was skipped.')),
    exitCode: Type.Optional(ExitCodes('Go on after these exit codes.')),
    output: Type.Optional(
      TextOrList('Go on when a line of stdout holds this text, or matches after "re:".', 're:^WARN'),
    ),
    markSuccess: Type.Optional(flag('Count such a failure as a success.')),
  },
  closed,
);
const ContinueOn = Type.Union([Type.String(), ContinueOnObject], {
  description: 'When a step that failed or was skipped does not stop what depends on it.',
  examples: ['skipped', 'failed', { exitCode: [1], markSuccess: true }],
});
export type AuthoredContinueOn = Static<typeof ContinueOn>;

export const RetryPolicyObject = Type.Object(
  {
    limit: countOrExpression('Extra attempts after the first.', 3, '${RETRIES}'),
    intervalSec: secondsOrExpression('Seconds between attempts.', 5, '${RETRY_WAIT}'),
    exitCode: Type.Optional(ExitCodes('Retry only after these exit codes.')),
    backoff: Type.Optional(Backoff),
    maxIntervalSec: Type.Optional(seconds('Longest interval, in seconds.', 60)),
  },
  {
    ...closed,
    description: 'How often and how long after a failure the step is tried again.',
    examples: [{ limit: 3, intervalSec: 5, backoff: true, maxIntervalSec: 60 }],
  },
);
export type AuthoredRetryPolicy = Static<typeof RetryPolicyObject>;

export const RepeatPolicyObject = Type.Object(
  {
    repeat: Type.Optional(
      Type.Union([Type.Boolean(), Type.Enum(['while', 'until'])], {
        description:
          'while: again as long as the condition holds. until: again until it holds. true: again as long as the step succeeds.',
        examples: ['while', 'until', true],
      }),
    ),
    condition: Type.Optional(
      scalar('What decides: a command, or with "expected" an expression.', 'test -f done', '`cat state`'),
    ),
    expected: Type.Optional(
      scalar('The value of the condition; a regular expression after "re:".', 'ready', 're:^(ok|done)$'),
    ),
    exitCode: Type.Optional(ExitCodes('Exit codes that count as the condition.')),
    intervalSec: Type.Optional(seconds('Seconds between two times.', 10)),
    limit: Type.Optional(count('Most times the step is run; no limit when absent.', 30)),
    backoff: Type.Optional(Backoff),
    maxIntervalSec: Type.Optional(seconds('Longest interval, in seconds.', 60)),
  },
  {
    ...closed,
    description: 'When and how often the step is run again after it has ended.',
    examples: [{ repeat: 'until', condition: '`cat state`', expected: 'ready', intervalSec: 10, limit: 30 }],
  },
);
export type AuthoredRepeatPolicy = Static<typeof RepeatPolicyObject>;

const ItemList = Type.Array(
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Record(AnyKey, Scalar)]),
  { minItems: 1, maxItems: 1000 },
);
export const ParallelObject = Type.Object(
  {
    items: Type.Union([Type.String(), ItemList], {
      description: 'The items: a list, or an expression whose value is one.',
      examples: [['eu', 'us'], '${REGIONS}'],
    }),
    maxConcurrent: Type.Optional(positiveCount('Items worked on at once; 10 when absent.', 4)),
  },
  closed,
);
const Parallel = Type.Union([Type.String(), ItemList, ParallelObject], {
  description: 'Does the step once for each item; ${ITEM} is the item, ${ITEM.key} a part of it.',
  examples: [['eu', 'us'], '${REGIONS}', { items: [{ region: 'eu' }, { region: 'us' }], maxConcurrent: 2 }],
});
export type AuthoredParallel = Static<typeof Parallel>;

export const StepObject = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Unique name; made from the kind and the place when absent.',
        examples: ['load'],
      }),
    ),
    id: Type.Optional(
      Type.String({
        pattern: '^[a-zA-Z][a-zA-Z0-9_-]*$',
        description: 'Short name for references.',
        examples: ['load'],
      }),
    ),
    description: Type.Optional(text('What the step is for.', 'Reads the source tables')),
    command: Type.Optional(
      Type.Union([Type.String(), Type.Array(Scalar)], {
        description:
          'Text for the shell; several lines are a script; a list is a program with its arguments, run without a shell.',
        examples: ['echo hello', ['ls', '-l']],
      }),
    ),
    script: Type.Optional(
      text(
        'Inline script; its first line may name an interpreter, or "command" the program that is given it.',
        '#!/usr/bin/env python3\nprint(1)\n',
      ),
    ),
    run: Type.Optional(text('Name of the workflow to run as this step.', 'load-region')),
    params: Type.Optional(Params),
    parallel: Type.Optional(Parallel),
    depends: Type.Optional(
      TextOrList('Names or ids of the steps that must end first; [] for none.', 'extract', ['left', 'right']),
    ),
    dir: Type.Optional(text('Working directory, relative to that of the workflow.', 'data')),
    shell: Type.Optional(Shell),
    shellPackages: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Packages for a nix-shell.',
        examples: [['curl', 'jq']],
      }),
    ),
    env: Type.Optional(Env),
    stdout: Type.Optional(text('File that receives a copy of stdout.', 'logs/out.txt')),
    stderr: Type.Optional(text('File that receives a copy of stderr.', 'logs/err.txt')),
    output: Type.Optional(text('Variable that receives the trimmed stdout.', 'RESULT')),
    continueOn: Type.Optional(ContinueOn),
    retryPolicy: Type.Optional(RetryPolicyObject),
    repeatPolicy: Type.Optional(RepeatPolicyObject),
    preconditions: Type.Optional(Conditions),
    timeoutSec: Type.Optional(
      seconds('Longest run of the step, in seconds; overrides the timeout of the workflow.', 60),
    ),
    signalOnStop: Type.Optional(text('Signal sent on stop instead of SIGTERM.', 'SIGINT')),
    mailOnError: Type.Optional(flag('Mail when the step fails.')),
    workerSelector: Type.Optional(WorkerSelector),
    type: Type.Optional(StepType),
    config: Type.Optional(ExecutorConfig),
    container: Type.Optional(Container),
  },
  {
    ...closed,
    description: 'One step.',
    examples: [{ name: 'extract', command: './extract.sh', retryPolicy: { limit: 3, intervalSec: 5 } }],
  },
);
export type AuthoredStep = Static<typeof StepObject>;

export const StepItem = Type.Union([Type.String(), StepObject]);
export const Steps = Type.Union(
  [Type.Array(Type.Union([Type.String(), StepObject, Type.Array(StepItem)])), Type.Record(AnyKey, StepItem)],
  {
    description: 'The steps: a list, whose nested lists are parallel groups, or a map of names to steps.',
    examples: [['echo one', ['echo left', 'echo right'], 'echo last']],
  },
);
export type AuthoredSteps = Static<typeof Steps>;

const handler = (when: string) =>
  Type.Optional(Type.Union([Type.String(), StepObject], { description: when, examples: ['./report.sh'] }));
export const Handlers = Type.Object(
  {
    init: handler('Runs after the preconditions and before the steps; when it fails, no step runs.'),
    success: handler('Runs when the run has succeeded.'),
    failure: handler('Runs when the run has failed.'),
    abort: handler('Runs when the run was aborted.'),
    exit: handler('Runs last, whatever happened.'),
  },
  {
    ...closed,
    description: 'Steps that run at the turns of a run.',
    examples: [{ failure: './report.sh', exit: 'rm -rf tmp' }],
  },
);
export type AuthoredHandlers = Static<typeof Handlers>;
