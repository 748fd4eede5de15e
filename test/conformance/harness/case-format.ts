import Type, { type Static } from 'typebox';
import { literals } from '../../../core/contract/runs/run-views.ts';
import type { Expectation } from './expectation-format.ts';
import { RerunFields, type Rerun } from './rerun-format.ts';

/** What a case does, in `cases.yaml`; `expect` has a form of its own for each kind of outcome. */
export const CaseFields = Type.Object(
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
export interface Topic {
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
