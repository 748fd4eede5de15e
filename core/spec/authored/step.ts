import Type, { type Static } from 'typebox';
import { Container, ExecutorConfig, StepType } from './executors.ts';
import {
  AnyKey,
  Backoff,
  closed,
  Conditions,
  count,
  countOrExpression,
  describe,
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
    failure: Type.Optional(flag('Go on after any failure; false when absent.')),
    skipped: Type.Optional(flag('Go on when the step was skipped; false when absent.')),
    exitCode: Type.Optional(ExitCodes('Go on after one of these exit codes: a number, or a list.')),
    output: Type.Optional(
      TextOrList(
        'Go on when a line of stdout holds this text, or one of a list; after "re:" it is a regular expression.',
        're:^WARN',
        ['no data', 're:^WARN'],
      ),
    ),
    markSuccess: Type.Optional(flag('Count such a failure as a success; false when absent.')),
  },
  closed,
);
const ContinueOn = Type.Union([Type.String(), ContinueOnObject], {
  description:
    'When what depends on this step goes on although it failed or was skipped: "failed", "skipped", or a map.',
  examples: ['skipped', 'failed', { exitCode: [1], markSuccess: true }],
});
export type AuthoredContinueOn = Static<typeof ContinueOn>;

export const RetryPolicyObject = Type.Object(
  {
    limit: countOrExpression('How many more attempts there are after the first.', 3, '${RETRIES}'),
    intervalSec: secondsOrExpression('Seconds to wait before the next attempt.', 5, '${RETRY_WAIT}'),
    exitCode: Type.Optional(
      ExitCodes(
        'Try again only after one of these exit codes: a number, or a list. After any failure when absent.',
      ),
    ),
    backoff: Type.Optional(Backoff),
    maxIntervalSec: Type.Optional(seconds('Longest interval, in seconds.', 60)),
  },
  {
    ...closed,
    description: 'How often the step is tried again after a failure, and how long after it.',
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
            enumDescriptions: ['Again as long as the condition holds.', 'Again until the condition holds.'],
          }),
        ],
        {
          description:
            '"while" runs the step again as long as the condition holds, "until" until it holds, true as long as the step succeeds.',
          examples: ['while', 'until', true],
        },
      ),
    ),
    condition: Type.Optional(
      scalar(
        'What decides after each time: a command by its success, or with "expected" a text with variables or a command in backticks.',
        'test -f done',
        '`cat state`',
      ),
    ),
    expected: Type.Optional(
      scalar(
        'Text that the condition, or one of its lines, equals when it holds; after "re:" a regular expression.',
        'ready',
        're:^(ok|done)$',
      ),
    ),
    exitCode: Type.Optional(
      ExitCodes('The condition holds when the step ended with one of these exit codes: a number, or a list.'),
    ),
    intervalSec: Type.Optional(seconds('Seconds to wait before the next time; 0 when absent.', 10)),
    limit: Type.Optional(count('Most times that the step is run; no limit when absent.', 30)),
    backoff: Type.Optional(Backoff),
    maxIntervalSec: Type.Optional(seconds('Longest interval, in seconds.', 60)),
  },
  {
    ...closed,
    description: 'When, and how often, the step is run again after it has ended.',
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
      description:
        'The items: a list of 1 to 1000, or an expression whose value is split when the step starts.',
      examples: [['eu', 'us'], '${REGIONS}'],
    }),
    maxConcurrent: Type.Optional(positiveCount('How many items are done at once; 10 when absent.', 4)),
  },
  closed,
);
const Parallel = Type.Union([Type.String(), ItemList, ParallelObject], {
  description:
    'Does the step once for each item of a list, several at a time: ${ITEM} is the item, ${ITEM.key} a part of it.',
  examples: [['eu', 'us'], '${REGIONS}', { items: [{ region: 'eu' }, { region: 'us' }], maxConcurrent: 2 }],
});
export type AuthoredParallel = Static<typeof Parallel>;

const terminalSide = (description: string, example: number) =>
  Type.Union([Type.Integer({ minimum: 1, maximum: 9999 }), Type.String({ pattern: '^[1-9][0-9]{0,3}$' })], {
    description,
    examples: [example],
  });
export const TtyObject = Type.Object(
  {
    columns: Type.Optional(terminalSide('Characters in a line of the terminal; 120 when absent.', 200)),
    rows: Type.Optional(terminalSide('Lines of the terminal; 40 when absent.', 50)),
  },
  closed,
);
const Tty = Type.Union([Type.Boolean(), TtyObject], {
  description:
    'Runs the command or script in a terminal of its own, so that it writes in colours and by the line: true, or a map with the size.',
  examples: [true, { columns: 200, rows: 50 }],
});

export const StepObject = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Name of the step, unique in the workflow; made of its kind and place, such as cmd_1, when absent.',
        examples: ['load'],
      }),
    ),
    id: Type.Optional(
      Type.String({
        pattern: '^[a-zA-Z][a-zA-Z0-9_-]*$',
        description:
          'Short name for "depends" and for references such as ${load.exitCode}: a letter, then letters, digits, "_" and "-".',
        examples: ['load'],
      }),
    ),
    description: Type.Optional(text('What the step is for, in words for people.', 'Reads the source tables')),
    command: Type.Optional(
      Type.Union([Type.String(), Type.Array(Scalar)], {
        description:
          'What the step runs: a line for the shell, a script of several lines, or a list of a program and its arguments, which no shell sees.',
        examples: ['echo hello', ['ls', '-l']],
      }),
    ),
    script: Type.Optional(
      text(
        'Script that the shell runs, or the interpreter that its first line names after "#!", or the program that "command" names.',
        '#!/usr/bin/env python3\nprint(1)\n',
      ),
    ),
    run: Type.Optional(
      text(
        'Workflow to run as this step: a name in this file or in the folder of workflows, or the path of a file.',
        'load-region',
      ),
    ),
    params: Type.Optional(Params),
    parallel: Type.Optional(Parallel),
    depends: Type.Optional(
      TextOrList(
        'Names or ids of the steps that must end first: one, or a list; [] for none. In a chain the step before comes on top.',
        'extract',
        ['left', 'right'],
      ),
    ),
    dir: Type.Optional(
      text(
        'Directory that the step works in, relative to that of the workflow, which it is when absent; made when missing.',
        'data',
      ),
    ),
    shell: Type.Optional(
      describe(
        Shell,
        'Program that runs this step, with its arguments: one text, or a list. That of the workflow when absent; "direct" runs a list without a shell.',
      ),
    ),
    shellPackages: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Nix packages that the step needs; its shell must be nix-shell.',
        examples: [['curl', 'jq']],
      }),
    ),
    tty: Type.Optional(Tty),
    env: Type.Optional(
      describe(
        Env,
        'Variables of this step, over all others of these names: a map, or a list of maps and of KEY=value.',
      ),
    ),
    stdout: Type.Optional(
      text('File that receives a copy of stdout, relative to the directory of the step.', 'logs/out.txt'),
    ),
    stderr: Type.Optional(
      text('File that receives a copy of stderr, relative to the directory of the step.', 'logs/err.txt'),
    ),
    output: Type.Optional(
      text(
        'Variable that receives what the step writes to stdout, without spaces around it, for the steps that depend on it.',
        'RESULT',
      ),
    ),
    continueOn: Type.Optional(ContinueOn),
    retryPolicy: Type.Optional(RetryPolicyObject),
    repeatPolicy: Type.Optional(RepeatPolicyObject),
    preconditions: Type.Optional(
      describe(
        Conditions,
        'Conditions that must all hold, or the step is skipped. A text is a command that must succeed.',
      ),
    ),
    timeoutSec: Type.Optional(
      seconds(
        'Seconds that one attempt may take; no limit of its own when absent. Counts instead of the "timeout" of the workflow.',
        60,
      ),
    ),
    signalOnStop: Type.Optional(
      text('Signal that the processes of the step get on a stop; SIGTERM when absent.', 'SIGINT'),
    ),
    mailOnError: Type.Optional(flag('Send "errorMail" when the step fails; false when absent.')),
    workerSelector: Type.Optional(WorkerSelector),
    inputFiles: Type.Optional(
      TextOrList(
        'Artifacts of the run that are put into the directory of the step before it begins: names that steps before it have in "outputFiles".',
        'model.bin',
        ['data/train.csv', 'data/test.csv'],
      ),
    ),
    outputFiles: Type.Optional(
      TextOrList(
        'Files that are kept as artifacts of the run once the step has succeeded: names and patterns, relative to its directory.',
        'model.bin',
        ['report.html', 'plots/*.png'],
      ),
    ),
    onPartition: Type.Optional(
      Type.Enum(['continue', 'stop'], {
        description:
          'What the worker of the step does with it while it can reach no coordinator for as long as a lease; "continue" when absent.',
        enumDescriptions: [
          'The step goes on, and its result is sent when somebody can be reached again.',
          'The step is ended, for work that nobody else may do meanwhile.',
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
    description: 'One step: a command, a script or a workflow to run, and how.',
    examples: [{ name: 'extract', command: './extract.sh', retryPolicy: { limit: 3, intervalSec: 5 } }],
  },
);
export type AuthoredStep = Static<typeof StepObject>;

const commandText = Type.String({
  description: 'A command: a line for the shell, or a script of several lines.',
});
export const StepItem = Type.Union([commandText, StepObject]);
export const Steps = Type.Union(
  [
    Type.Array(
      Type.Union([
        commandText,
        StepObject,
        Type.Array(StepItem, { description: 'A group: steps that run side by side.' }),
      ]),
    ),
    Type.Record(AnyKey, StepItem),
  ],
  {
    description:
      'The steps, in order: a list, in which a list is a group that runs side by side, or a map of names to steps. A text is a command.',
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
    init: handler(
      'Runs after the preconditions and before the steps; when it fails, no step runs and the run is aborted.',
    ),
    success: handler('Runs after the steps when the run has succeeded, if only partially.'),
    failure: handler('Runs after the steps when the run has failed.'),
    abort: handler(
      'Runs when the run was aborted: stopped, or its preconditions or init did not let it begin.',
    ),
    exit: handler('Runs last, whatever has happened.'),
  },
  {
    ...closed,
    description:
      'Steps that run at the turns of a run, with the status so far in DAG_RUN_STATUS. A text is a command.',
    examples: [{ failure: './report.sh', exit: 'rm -rf tmp' }],
  },
);
export type AuthoredHandlers = Static<typeof Handlers>;
