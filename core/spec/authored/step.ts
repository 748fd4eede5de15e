import Type, { type Static } from 'typebox';
import { Container, ExecutorConfig, StepType } from './executors.ts';
import {
  AnyKey,
  Backoff,
  closed,
  Conditions,
  count,
  countOrExpression,
  withDescription,
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
    failure: Type.Optional(flag('Continue after any failure. Default: false.')),
    skipped: Type.Optional(flag('Continue if the step is skipped. Default: false.')),
    exitCode: Type.Optional(ExitCodes('Continue after these exit codes.')),
    output: Type.Optional(
      TextOrList(
        'Continue if stdout contains this string. Prefix "re:" for a regular expression.',
        're:^WARN',
        ['no data', 're:^WARN'],
      ),
    ),
    markSuccess: Type.Optional(flag('Mark the failed step as succeeded. Default: false.')),
  },
  closed,
);
const ContinueOn = Type.Union([Type.String(), ContinueOnObject], {
  description: 'When dependent steps run even if this step failed or was skipped.',
  examples: ['skipped', 'failed', { exitCode: [1], markSuccess: true }],
});
export type AuthoredContinueOn = Static<typeof ContinueOn>;

export const RetryPolicyObject = Type.Object(
  {
    limit: countOrExpression('Maximum number of retries.', 3, '${RETRIES}'),
    intervalSec: secondsOrExpression('Seconds between attempts.', 5, '${RETRY_WAIT}'),
    exitCode: Type.Optional(ExitCodes('Retry only on these exit codes. Default: any failure.')),
    backoff: Type.Optional(Backoff),
    maxIntervalSec: Type.Optional(seconds('Maximum interval in seconds.', 60)),
  },
  {
    ...closed,
    description: 'Retry settings for a failed step.',
    examples: [{ limit: 3, intervalSec: 5, backoff: true, maxIntervalSec: 60 }],
  },
);
export type AuthoredRetryPolicy = Static<typeof RetryPolicyObject>;

export const RepeatPolicyObject = Type.Object(
  {
    repeat: Type.Optional(
      Type.Union(
        [
          Type.Boolean(),
          Type.Enum(['while', 'until'], {
            enumDescriptions: ['Repeat while the condition is met.', 'Repeat until the condition is met.'],
          }),
        ],
        {
          description: 'Repeat while or until the condition is met; true: while succeeding.',
          examples: ['while', 'until', true],
        },
      ),
    ),
    condition: Type.Optional(
      scalar('Command that must succeed, or value compared with "expected".', 'test -f done', '`cat state`'),
    ),
    expected: Type.Optional(
      scalar('Expected value. Prefix with "re:" for a regular expression.', 'ready', 're:^(ok|done)$'),
    ),
    exitCode: Type.Optional(ExitCodes('Exit codes that meet the condition.')),
    intervalSec: Type.Optional(seconds('Seconds between repetitions. Default: 0.', 10)),
    limit: Type.Optional(count('Maximum number of repetitions. Default: no limit.', 30)),
    backoff: Type.Optional(Backoff),
    maxIntervalSec: Type.Optional(seconds('Maximum interval in seconds.', 60)),
  },
  {
    ...closed,
    description: 'Repeat settings for a finished step.',
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
      description: 'List of 1 to 1000 items, or an expression.',
      examples: [['eu', 'us'], '${REGIONS}'],
    }),
    maxConcurrent: Type.Optional(positiveCount('Maximum concurrent items. Default: 10.', 4)),
  },
  closed,
);
const Parallel = Type.Union([Type.String(), ItemList, ParallelObject], {
  description: 'Run the step once per item. Use ${ITEM} or ${ITEM.key}.',
  examples: [['eu', 'us'], '${REGIONS}', { items: [{ region: 'eu' }, { region: 'us' }], maxConcurrent: 2 }],
});
export type AuthoredParallel = Static<typeof Parallel>;

const terminalSize = (description: string, example: number) =>
  Type.Union([Type.Integer({ minimum: 1, maximum: 9999 }), Type.String({ pattern: '^[1-9][0-9]{0,3}$' })], {
    description,
    examples: [example],
  });
export const TtyObject = Type.Object(
  {
    columns: Type.Optional(terminalSize('Terminal width in columns. Default: 120.', 200)),
    rows: Type.Optional(terminalSize('Terminal height in rows. Default: 40.', 50)),
  },
  closed,
);
const Tty = Type.Union([Type.Boolean(), TtyObject], {
  description: 'Run in a pseudo-terminal, for colored and line-buffered output.',
  examples: [true, { columns: 200, rows: 50 }],
});

export const StepObject = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Generated (for example cmd_1) if left blank.',
        examples: ['load'],
      }),
    ),
    id: Type.Optional(
      Type.String({
        pattern: '^[a-zA-Z][a-zA-Z0-9_-]*$',
        description: 'Identifier for references such as ${load.exitCode}.',
        examples: ['load'],
      }),
    ),
    description: Type.Optional(text('Short description of the step.', 'Reads the source tables')),
    command: Type.Optional(
      Type.Union([Type.String(), Type.Array(Scalar)], {
        description: 'Shell command, or a list of a program and its arguments.',
        examples: ['echo hello', ['ls', '-l']],
      }),
    ),
    script: Type.Optional(
      text('Script to run. Start with #! to choose an interpreter.', '#!/usr/bin/env python3\nprint(1)\n'),
    ),
    run: Type.Optional(text('Sub-workflow to run: a name or a file path.', 'load-region')),
    params: Type.Optional(Params),
    parallel: Type.Optional(Parallel),
    depends: Type.Optional(
      TextOrList('Steps that must finish before this one starts.', 'extract', ['left', 'right']),
    ),
    dir: Type.Optional(text('Working directory. Default: that of the workflow.', 'data')),
    shell: Type.Optional(
      withDescription(Shell, 'Shell for this step, or "direct" for none. Default: workflow shell.'),
    ),
    shellPackages: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Nix packages for the step. Requires the shell nix-shell.',
        examples: [['curl', 'jq']],
      }),
    ),
    tty: Type.Optional(Tty),
    env: Type.Optional(withDescription(Env, 'Environment variables for this step. Override all others.')),
    stdout: Type.Optional(text('File to copy stdout to.', 'logs/out.txt')),
    stderr: Type.Optional(text('File to copy stderr to.', 'logs/err.txt')),
    output: Type.Optional(text('Variable that stores stdout for dependent steps.', 'RESULT')),
    continueOn: Type.Optional(ContinueOn),
    retryPolicy: Type.Optional(RetryPolicyObject),
    repeatPolicy: Type.Optional(RepeatPolicyObject),
    preconditions: Type.Optional(
      withDescription(Conditions, 'Conditions that must be met; otherwise the step is skipped.'),
    ),
    timeoutSec: Type.Optional(seconds('Timeout per attempt in seconds. Default: no limit.', 60)),
    signalOnStop: Type.Optional(text('Signal sent when the step is stopped. Default: SIGTERM.', 'SIGINT')),
    mailOnError: Type.Optional(flag('Send "errorMail" if the step fails. Default: false.')),
    workerSelector: Type.Optional(WorkerSelector),
    inputFiles: Type.Optional(
      TextOrList('Artifacts from earlier steps to copy into the working directory.', 'model.bin', [
        'data/train.csv',
        'data/test.csv',
      ]),
    ),
    outputFiles: Type.Optional(
      TextOrList('Files to store as artifacts when the step succeeds. Supports patterns.', 'model.bin', [
        'report.html',
        'plots/*.png',
      ]),
    ),
    onPartition: Type.Optional(
      Type.Enum(['continue', 'stop'], {
        description: 'What to do if the worker loses the coordinator. Default: continue.',
        enumDescriptions: [
          'The step continues. Its result is reported after reconnecting.',
          'The step is stopped, so it never runs on two workers at the same time.',
        ],
        examples: ['stop'],
      }),
    ),
    type: Type.Optional(StepType),
    config: Type.Optional(ExecutorConfig),
    container: Type.Optional(Container),
  },
  {
    ...closed,
    description: 'A step: a command, script or sub-workflow.',
    examples: [{ name: 'extract', command: './extract.sh', retryPolicy: { limit: 3, intervalSec: 5 } }],
  },
);
export type AuthoredStep = Static<typeof StepObject>;

const commandText = Type.String({
  description: 'A shell command, or a script of several lines.',
});
export const StepItem = Type.Union([commandText, StepObject]);
export const Steps = Type.Union(
  [
    Type.Array(
      Type.Union([
        commandText,
        StepObject,
        Type.Array(StepItem, { description: 'Steps that run in parallel.' }),
      ]),
    ),
    Type.Record(AnyKey, StepItem),
  ],
  {
    description: 'The steps of this workflow. Nested lists run in parallel.',
    examples: [
      ['echo one', ['echo left', 'echo right'], 'echo last'],
      { build: 'make', test: { command: 'make test' } },
    ],
  },
);
export type AuthoredSteps = Static<typeof Steps>;

const handler = (when: string) =>
  Type.Optional(Type.Union([Type.String(), StepObject], { description: when, examples: ['./report.sh'] }));
export const Handlers = Type.Object(
  {
    init: handler('Runs before the first step. If it fails, the run is aborted.'),
    success: handler('Runs after the run succeeds or partially succeeds.'),
    failure: handler('Runs after the run fails.'),
    abort: handler('Runs after the run is aborted.'),
    exit: handler('Always runs last.'),
  },
  {
    ...closed,
    description: 'Steps that run when the run starts, succeeds, fails, aborts or exits.',
    examples: [{ failure: './report.sh', exit: 'rm -rf tmp' }],
  },
);
export type AuthoredHandlers = Static<typeof Handlers>;
