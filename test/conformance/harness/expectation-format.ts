import Type, { type Static } from 'typebox';
import { errorCodes, type ErrorCode } from '../../../core/base/error-codes.ts';
import { literals, RunStatusView, StepStatusView } from '../../../core/contract/runs/run-views.ts';

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
export const outcomes = {
  status: RunOutcome,
  rejected: RejectedOutcome,
  refused: RefusedOutcome,
  accepted: AcceptedOutcome,
  runnable: DryOutcome,
} as const;
