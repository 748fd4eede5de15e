import Type, { type Static, type TSchema } from 'typebox';
import { type ErrorCode, errorCodes } from '../../../core/base/error-codes.ts';
import { RunStatusView, StepStatusView, literals } from '../../../core/contract/runs/run-views.ts';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import { parse } from 'yaml';

const strict = { additionalProperties: false };

/** One text, or several that must all be found. */
const Fragments = Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })]);
export type Fragments = Static<typeof Fragments>;

/** `line:column`, both from 1. */
const Place = Type.String({ pattern: '^[0-9]+:[0-9]+$' });

/** A run, down to the runs that its steps have started. */
const Definitions = {
  Run: Type.Object(
    {
      status: RunStatusView,
      name: Type.Optional(Type.String()),
      /** Exactly these, `NAME=value`. */
      params: Type.Optional(Type.Array(Type.String())),
      /** Exactly these names; a map in a value need not be complete. */
      outputs: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      /** Exactly these steps, in the order of the file. */
      steps: Type.Optional(Type.Record(Type.String(), Type.Ref('Step'))),
      /** Exactly these handlers. */
      handlers: Type.Optional(Type.Record(Type.String(), Type.Ref('Step'))),
      error: Type.Optional(Fragments),
    },
    strict,
  ),
  /** A step or a handler; a status alone is short for a map with it. */
  Step: Type.Union([
    StepStatusView,
    Type.Object(
      {
        status: StepStatusView,
        /** Null when no process ended by itself. */
        exitCode: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
        signal: Type.Optional(Type.String()),
        attempts: Type.Optional(Type.Integer({ minimum: 0 })),
        error: Type.Optional(Fragments),
        /** Of the newest attempt. */
        stdout: Type.Optional(Type.String()),
        stderr: Type.Optional(Type.String()),
        /** The runs it has started. */
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

/** An error of a file says where it is, in which field, what is wrong and what to do about it. */
const ExpectedError = Type.Object(
  { at: Place, field: Type.String(), says: Fragments, cure: Fragments },
  strict,
);
export type ExpectedError = Static<typeof ExpectedError>;

const Warnings = Type.Optional(Type.Array(ExpectedWarning));

/** What a case that runs must come to, beside what {@link ExpectedRun} says. */
const RunOutcome = Type.Object(
  {
    ...Definitions.Run.properties,
    steps: Type.Optional(Type.Record(Type.String(), ExpectedStepOrStatus)),
    handlers: Type.Optional(Type.Record(Type.String(), ExpectedStepOrStatus)),
    /** Exit code of `engine start`; 0 for `succeeded` and 1 for the rest when absent. */
    exit: Type.Optional(Type.Integer()),
    /** Steps and handlers in the order they ran; those of a nested list at any time between its neighbours. */
    order: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Array(Type.String())]), { minItems: 2 })),
    /** Files in the workflow's folder afterwards, with their text. */
    leaves: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** Files that must not be there afterwards. */
    absent: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    /** Exactly these steps, of a retry: what was said beforehand, `run: failed` or `keep: succeeded before`. */
    plan: Type.Optional(Type.Record(Type.String(), Fragments)),
    /** Exactly these, of `engine validate`. */
    warnings: Warnings,
  },
  strict,
);
export type RunOutcome = Static<typeof RunOutcome>;

/** The file has exactly these errors: it is neither valid nor started. */
const RejectedOutcome = Type.Object(
  { rejected: Type.Array(ExpectedError, { minItems: 1 }), warnings: Warnings },
  strict,
);

/** The file is sound, and the start is refused all the same. */
const RefusedOutcome = Type.Object(
  {
    refused: Type.Object(
      { code: literals(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]), says: Fragments },
      strict,
    ),
  },
  strict,
);

/** The file is sound; it is not run. */
const AcceptedOutcome = Type.Object({ accepted: Type.Literal(true), warnings: Warnings }, strict);

/** A dry run says this; nothing has been done. */
const DryOutcome = Type.Object(
  {
    /** Whether nothing is in the way of a run; the exit code of `engine dry` is 1 otherwise. */
    runnable: Type.Boolean(),
    /** Exactly as many, in this order; maps in them need not be complete. */
    plans: Type.Optional(Type.Array(Type.Unknown())),
    findings: Type.Optional(Type.Array(Type.Unknown())),
    /** Texts that must be nowhere in the answer. */
    silentOf: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    /** Files in the workflow's folder afterwards; others must not have come. */
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

/** The key that tells the kinds of expectation apart, and the form of each. */
const outcomes = {
  status: RunOutcome,
  rejected: RejectedOutcome,
  refused: RefusedOutcome,
  accepted: AcceptedOutcome,
  runnable: DryOutcome,
} as const;

/** Something done with the case's run; exactly one of `retry`, `startAgain` and `restartWhen`. */
const RerunFields = Type.Object(
  {
    /** Let it go on: all that did not succeed, or from a step. */
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
     * File that a step writes into the workflow's folder: once it is there, the run is restarted. Comes first, in
     * place of `stopWhen`.
     */
    restartWhen: Type.Optional(Type.String()),
    /** Texts of files written beforehand, by path from the workflow's folder. */
    files: Type.Optional(Type.Record(Type.String(), Type.String())),
    expect: Type.Object({}),
  },
  { additionalProperties: false },
);

/** What must come of it is a run, with a `plan` when it goes on, or a refusal. */
export interface Rerun extends Omit<Static<typeof RerunFields>, 'expect'> {
  readonly expect: Expectation;
}

const kinds = ['retry', 'startAgain', 'restartWhen'] as const;
type RerunKind = (typeof kinds)[number];

/** Throws when an entry does not say one thing to do. */
function kindOf(rerun: Rerun, index: number): RerunKind {
  const [kind, ...others] = kinds.filter((key) => rerun[key] !== undefined);
  if (kind === undefined || others.length > 0) throw new Error(`it needs exactly one of ${kinds.join(', ')}`);
  if (kind === 'restartWhen' && index > 0) throw new Error('restartWhen can only come first');
  return kind;
}

/** What a case does, in `cases.yaml`; `expect` has a form of its own for each kind of outcome. */
const CaseFields = Type.Object(
  {
    /** Number within the topic and the rule in words: `03 an explicit depends adds to the chain`. */
    case: Type.String({ pattern: '^[0-9]{2} \\S' }),
    /** The workflow file. */
    spec: Type.String(),
    /** Name of the file. Given, or with `files`, the API starts the file, else it sends the text. */
    as: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_.-]+\\.ya?ml$' })),
    /** Texts of files beside it, by path. */
    files: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** The base configuration: `base.yaml` of the engine's home. */
    base: Type.Optional(Type.String()),
    /** A text as after `--params`, or words as after `--`. */
    params: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
    /** Name of the run in place of the workflow's own. */
    name: Type.Optional(Type.String()),
    /** Environment of the engine, beside `PATH`, `HOME`, `LANG` and `TZ`. */
    given: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** File that a step writes into the workflow's folder: once it is there, the run is asked to stop. */
    stopWhen: Type.Optional(Type.String()),
    /** `--default-working-dir`, relative to the folder of the workflow; the command line alone has it. */
    defaultWorkingDir: Type.Optional(Type.String()),
    /** The one way that has what the case is about. */
    only: Type.Optional(literals(['cli', 'api'])),
    /** Of a dry run: whether it runs the commands in backticks. */
    runSubstitutions: Type.Optional(Type.Boolean()),
    /** What is done with the run afterwards, one after the other. */
    afterwards: Type.Optional(Type.Array(RerunFields, { minItems: 1 })),
    expect: Type.Object({}),
  },
  { additionalProperties: false },
);

/** A case as it is run. */
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

/** What the file is called when the case does not mind. */
const usualFile = 'workflow.yaml';

export const fileNameOf = ({ as }: Pick<ConformanceCase, 'as'>): string => as ?? usualFile;

/** Whether the case is about a file in a folder, so that the API must start that file. */
export const needsFile = ({ as, files }: Pick<ConformanceCase, 'as' | 'files'>): boolean =>
  as !== undefined || files !== undefined;

/** A run id that no other case has. */
export const runIdOf = ({ topic, case: name }: ConformanceCase): string =>
  `${topic.slice(0, 3)}-${name.slice(0, 2)}`;

/** An id for the run that an entry of `afterwards` starts. */
export const newRunIdOf = (item: ConformanceCase, index: number): string => `${runIdOf(item)}-${index + 1}`;

/** `test/conformance`. */
export const setFolder = join(import.meta.dirname, '..');

/** The whole set in order of its numbers. Throws, naming the case, when one does not have the form. */
export function readTopics(): Topic[] {
  return readdirSync(setFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^\d/.test(entry.name))
    .map(({ name }) => name)
    .sort()
    .map(readTopic);
}

/** The cases for one way to run them. */
export const readCasesFor = (way: 'cli' | 'api'): ConformanceCase[] =>
  readTopics()
    .flatMap(({ cases }) => cases)
    .filter(({ only }) => only === undefined || only === way);

/**
 * The environment that all cases together ask for; the API's cases share one server.
 * Throws when two cases want different values for a variable.
 */
export function mergeGiven(cases: readonly ConformanceCase[]): Record<string, string> {
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
