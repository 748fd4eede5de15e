import Type, { type Static, type TSchema } from 'typebox';
import { type ErrorCode, errorCodes } from '../../../core/base/error-codes.ts';
import { RunStatusView, StepStatusView, literals } from '../../../core/contract/run-views.ts';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import { parse } from 'yaml';

const strict = { additionalProperties: false };

/** One text, or several that must all occur. */
const Fragments = Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })]);
export type Fragments = Static<typeof Fragments>;

/** `line:column`, 1-based. */
const Place = Type.String({ pattern: '^[0-9]+:[0-9]+$' });

/** A run, including its sub-runs. */
const Definitions = {
  Run: Type.Object(
    {
      status: RunStatusView,
      name: Type.Optional(Type.String()),
      /** Exactly these, `NAME=value`. */
      params: Type.Optional(Type.Array(Type.String())),
      /** Exactly these names; a map in a value may be partial. */
      outputs: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      /** Exactly these steps, in the order of the file. */
      steps: Type.Optional(Type.Record(Type.String(), Type.Ref('Step'))),
      /** Exactly these handlers. */
      handlers: Type.Optional(Type.Record(Type.String(), Type.Ref('Step'))),
      error: Type.Optional(Fragments),
    },
    strict,
  ),
  /** A step or a handler; a status alone is short for a map with that status. */
  Step: Type.Union([
    StepStatusView,
    Type.Object(
      {
        status: StepStatusView,
        /** Null if no process exited. */
        exitCode: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
        signal: Type.Optional(Type.String()),
        attempts: Type.Optional(Type.Integer({ minimum: 0 })),
        error: Type.Optional(Fragments),
        /** Of the latest attempt. */
        stdout: Type.Optional(Type.String()),
        stderr: Type.Optional(Type.String()),
        /** Its sub-runs. */
        runs: Type.Optional(Type.Array(Type.Ref('Run'))),
      },
      strict,
    ),
  ]),
};

const ExpectedStepOrStatus = Type.Cyclic(Definitions, 'Step');
const ExpectedRunAlone = Type.Cyclic(Definitions, 'Run');
export type ExpectedStep = Static<typeof ExpectedStepOrStatus>;
export type ExpectedRun = Static<typeof ExpectedRunAlone>;

const ExpectedWarning = Type.Object({ at: Place, field: Type.String(), says: Fragments }, strict);
export type ExpectedWarning = Static<typeof ExpectedWarning>;

/** An error of a file: position, field, message and hint. */
const ExpectedError = Type.Object(
  { at: Place, field: Type.String(), says: Fragments, cure: Fragments },
  strict,
);
export type ExpectedError = Static<typeof ExpectedError>;

const Warnings = Type.Optional(Type.Array(ExpectedWarning));

/** The expected result of a case that runs, in addition to {@link ExpectedRun}. */
const RunOutcome = Type.Object(
  {
    ...Definitions.Run.properties,
    steps: Type.Optional(Type.Record(Type.String(), ExpectedStepOrStatus)),
    handlers: Type.Optional(Type.Record(Type.String(), ExpectedStepOrStatus)),
    /** Exit code of `engine start`. Default: 0 for `succeeded`, otherwise 1. */
    exit: Type.Optional(Type.Integer()),
    /** Steps and handlers in execution order; those of a nested list in any order. */
    order: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Array(Type.String())]), { minItems: 2 })),
    /** Files in the workflow's folder after the run, with their text. */
    leaves: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** Files that must not exist after the run. */
    absent: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    /** Exactly these steps of a retry plan: `run: failed` or `keep: succeeded before`. */
    plan: Type.Optional(Type.Record(Type.String(), Fragments)),
    /** Exactly these, of `engine validate`. */
    warnings: Warnings,
  },
  strict,
);
export type RunOutcome = Static<typeof RunOutcome>;

/** The file has exactly these errors: it is invalid and does not start. */
const RejectedOutcome = Type.Object(
  { rejected: Type.Array(ExpectedError, { minItems: 1 }), warnings: Warnings },
  strict,
);

/** The file is valid, but the start is rejected. */
const RefusedOutcome = Type.Object(
  {
    refused: Type.Object(
      { code: literals(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]), says: Fragments },
      strict,
    ),
  },
  strict,
);

/** The file is valid; it is not run. */
const AcceptedOutcome = Type.Object({ accepted: Type.Literal(true), warnings: Warnings }, strict);

/** Output of a dry run without side effects. */
const DryOutcome = Type.Object(
  {
    /** Whether a run could start; otherwise `engine dry` exits with 1. */
    runnable: Type.Boolean(),
    /** Exactly as many, in this order; maps in them may be partial. */
    plans: Type.Optional(Type.Array(Type.Unknown())),
    findings: Type.Optional(Type.Array(Type.Unknown())),
    /** Texts that must not occur in the output. */
    silentOf: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    /** Files in the workflow's folder after the run; no others may have been created. */
    leaves: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  strict,
);
export type DryOutcome = Static<typeof DryOutcome>;

export type Expectation =
  | RunOutcome
  | Static<typeof RejectedOutcome>
  | Static<typeof RefusedOutcome>
  | Static<typeof AcceptedOutcome>
  | DryOutcome;

/** The discriminating key of each kind of expectation, and its shape. */
const outcomes = {
  status: RunOutcome,
  rejected: RejectedOutcome,
  refused: RefusedOutcome,
  accepted: AcceptedOutcome,
  runnable: DryOutcome,
} as const;

/** An action on the case's run; exactly one of `retry`, `startAgain` and `restartWhen`. */
const RerunFields = Type.Object(
  {
    /** Retry: all that did not succeed, or from a step. */
    retry: Type.Optional(
      Type.Object(
        { step: Type.Optional(Type.String()), downstream: Type.Optional(Type.Boolean()) },
        { additionalProperties: false },
      ),
    ),
    /** Start a new run with its workflow and parameters. */
    startAgain: Type.Optional(
      Type.Object({ name: Type.Optional(Type.String()) }, { additionalProperties: false }),
    ),
    /**
     * File that a step writes into the workflow's folder: once it exists, the run is restarted. Comes first,
     * instead of `stopWhen`.
     */
    restartWhen: Type.Optional(Type.String()),
    /** Files to write first, by path relative to the workflow's folder. */
    files: Type.Optional(Type.Record(Type.String(), Type.String())),
    expect: Type.Object({}),
  },
  { additionalProperties: false },
);

/** The result is a run, with a `plan` for a retry, or an error. */
export interface Rerun extends Omit<Static<typeof RerunFields>, 'expect'> {
  readonly expect: Expectation;
}

const kinds = ['retry', 'startAgain', 'restartWhen'] as const;
type RerunKind = (typeof kinds)[number];

/** Throws unless an entry has exactly one action. */
function kindOf(rerun: Rerun, index: number): RerunKind {
  const [kind, ...others] = kinds.filter((key) => rerun[key] !== undefined);
  if (kind === undefined || others.length > 0) throw new Error(`it needs exactly one of ${kinds.join(', ')}`);
  if (kind === 'restartWhen' && index > 0) throw new Error('restartWhen can only come first');
  return kind;
}

/** A case in `cases.yaml`; `expect` has a shape for each kind of result. */
const CaseFields = Type.Object(
  {
    /** Number within the topic and the rule: `03 an explicit depends adds to the chain`. */
    case: Type.String({ pattern: '^[0-9]{2} \\S' }),
    /** The workflow file. */
    spec: Type.String(),
    /** Name of the file. If set, or with `files`, the API starts the file, otherwise it sends the text. */
    as: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_.-]+\\.ya?ml$' })),
    /** Other files, by path. */
    files: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** The base configuration: `base.yaml` of the engine's home. */
    base: Type.Optional(Type.String()),
    /** Text as after `--params`, or arguments as after `--`. */
    params: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
    /** Name of the run instead of the workflow's. */
    name: Type.Optional(Type.String()),
    /** Environment of the engine, in addition to `PATH`, `HOME`, `LANG` and `TZ`. */
    given: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** File that a step writes into the workflow's folder: once it exists, the run is stopped. */
    stopWhen: Type.Optional(Type.String()),
    /** `--default-working-dir`, relative to the folder of the workflow; command line only. */
    defaultWorkingDir: Type.Optional(Type.String()),
    /** The only interface that supports the case. */
    only: Type.Optional(literals(['cli', 'api'])),
    /** For a dry run: whether it runs the commands in backticks. */
    runSubstitutions: Type.Optional(Type.Boolean()),
    /** Actions on the finished run, in order. */
    afterwards: Type.Optional(Type.Array(RerunFields, { minItems: 1 })),
    expect: Type.Object({}),
  },
  { additionalProperties: false },
);

/** A case with its topic. */
export interface ConformanceCase extends Omit<Static<typeof CaseFields>, 'expect' | 'afterwards'> {
  /** Folder of the topic: `020-chain`. */
  readonly topic: string;
  /** `020-chain/03 an explicit depends adds to the chain`. */
  readonly title: string;
  readonly expect: Expectation;
  readonly afterwards?: readonly Rerun[];
}

/** A folder of cases about one part of the language. */
interface Topic {
  readonly folder: string;
  readonly cases: readonly ConformanceCase[];
}

/** Default file name. */
const usualFile = 'workflow.yaml';

export const getFileName = ({ as }: Pick<ConformanceCase, 'as'>): string => as ?? usualFile;

/** Whether the case is about a file in a folder, so that the API must start that file. */
export const needsFile = ({ as, files }: Pick<ConformanceCase, 'as' | 'files'>): boolean =>
  as !== undefined || files !== undefined;

/** A unique run id. */
export const runIdOf = ({ topic, case: name }: ConformanceCase): string =>
  `${topic.slice(0, 3)}-${name.slice(0, 2)}`;

/** An id for the run that an entry of `afterwards` starts. */
export const newRunIdOf = (item: ConformanceCase, index: number): string => `${runIdOf(item)}-${index + 1}`;

/** `test/conformance`. */
export const setFolder = join(import.meta.dirname, '..');

/** Test files that share a process read the suite once. */
let topics: readonly Topic[] | undefined;

/** The whole suite ordered by number. Throws, naming the case, if one is malformed. */
export const readTopics = (): readonly Topic[] => (topics ??= readAllTopics());

function readAllTopics(): Topic[] {
  return readdirSync(setFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^\d/.test(entry.name))
    .map(({ name }) => name)
    .sort()
    .map(readTopic);
}

/** The cases of one interface. */
export const readCasesFor = (way: 'cli' | 'api'): ConformanceCase[] =>
  readTopics()
    .flatMap(({ cases }) => cases)
    .filter(({ only }) => only === undefined || only === way);

/**
 * The environment of all cases together; API cases share one server. Throws if two cases have different
 * values for a variable.
 */
export function mergeEnvironments(cases: readonly ConformanceCase[]): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const { given = {}, title } of cases) {
    for (const [name, value] of Object.entries(given)) {
      if (merged[name] !== undefined && merged[name] !== value)
        throw new Error(`${title}: another case gives ${name} another value; choose another name`);
      merged[name] = value;
    }
  }
  return merged;
}

function readTopic(folder: string): Topic {
  const file = join(setFolder, folder, 'cases.yaml');
  const written: unknown = parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(written)) throw new Error(`${file} must be a list of cases`);
  return { folder, cases: written.map((item: unknown) => readCase(folder, item)) };
}

function readCase(topic: string, written: unknown): ConformanceCase {
  const named = typeof written === 'object' && written !== null && 'case' in written ? written.case : '?';
  const title = `${topic}/${String(named)}`;
  check(title, CaseFields, written);
  const read = written as ConformanceCase;
  check(`${title}: expect`, chooseOutcome(title, read.expect), read.expect);
  for (const [index, rerun] of (read.afterwards ?? []).entries())
    checkRerun(`${title}: afterwards[${index}]`, rerun, index);
  return { ...read, topic, title };
}

function checkRerun(at: string, rerun: Rerun, index: number): void {
  try {
    kindOf(rerun, index);
  } catch (error) {
    throw new Error(`${at}: ${(error as Error).message}`, { cause: error });
  }
  check(`${at}: expect`, chooseOutcome(at, rerun.expect), rerun.expect);
}

function chooseOutcome(title: string, expectation: object): TSchema {
  const [kind, ...others] = Object.entries(outcomes).filter(([key]) => key in expectation);
  if (kind !== undefined && others.length === 0) return kind[1];
  throw new Error(`${title}: expect needs exactly one of ${Object.keys(outcomes).join(', ')}`);
}

function check(where: string, schema: TSchema, value: unknown): void {
  const [first] = Value.Errors(schema, value);
  if (first === undefined) return;
  throw new Error(`${where}${first.instancePath}: ${first.message} ${JSON.stringify(first.params)}`);
}
