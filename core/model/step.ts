import Type, { type Static } from 'typebox';
import { Condition, EnvEntry, SourcePosition } from './values.ts';

/** What a step does. The executor registry has one entry for each `kind`. */
export const StepAction = Type.Union([
  /** Text for the step's shell. */
  Type.Object({ kind: Type.Literal('command'), command: Type.String() }),
  /** Program and arguments, run without a shell. */
  Type.Object({ kind: Type.Literal('argv'), argv: Type.Array(Type.String()) }),
  /** An inline script; its first line may name an interpreter. */
  Type.Object({ kind: Type.Literal('script'), script: Type.String() }),
  /** A run of another workflow: of the same file, else of the workflow folder. */
  Type.Object({
    kind: Type.Literal('dag'),
    dag: Type.String(),
    /** In the order written; positional ones are named `1`, `2`, … Values are unexpanded. */
    params: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  }),
]);
export type StepAction = Static<typeof StepAction>;

/** When a failed or skipped step does not stop what depends on it (seed 1, `continueOn`). */
export const ContinueOn = Type.Object({
  failure: Type.Boolean(),
  skipped: Type.Boolean(),
  exitCodes: Type.Array(Type.Integer()),
  /** Substrings of a line of stdout, or `re:` patterns. */
  output: Type.Array(Type.String()),
  /** Count such a failure as a success. */
  markSuccess: Type.Boolean(),
});
export type ContinueOn = Static<typeof ContinueOn>;

/** How often and how long after a failure a step is tried again. */
export const RetryPolicy = Type.Object({
  /** Extra attempts after the first. */
  limit: Type.Integer(),
  intervalSec: Type.Number(),
  /** Retry only after these exit codes; empty means after any failure. */
  exitCodes: Type.Array(Type.Integer()),
  /** Factor on the interval for each further retry; 1 keeps it constant. */
  backoff: Type.Number(),
  maxIntervalSec: Type.Optional(Type.Number()),
});
export type RetryPolicy = Static<typeof RetryPolicy>;

/** One step, normalised. */
export const Step = Type.Object({
  /** Unique in the workflow; of any length (seed 1, Step fields). */
  name: Type.String(),
  id: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  action: StepAction,
  /** Names of the steps that must end first, chain wiring included, without repeats. */
  depends: Type.Array(Type.String()),
  /** As written; relative to the workflow's working directory. */
  dir: Type.Optional(Type.String()),
  shell: Type.Optional(Type.Array(Type.String())),
  env: Type.Array(EnvEntry),
  /** Variable that receives the step's trimmed stdout. */
  output: Type.Optional(Type.String()),
  continueOn: ContinueOn,
  retry: Type.Optional(RetryPolicy),
  preconditions: Type.Array(Condition),
  timeoutSec: Type.Optional(Type.Number()),
  /** Signal sent on stop instead of SIGTERM. */
  signalOnStop: Type.Optional(Type.String()),
  at: SourcePosition,
});
export type Step = Static<typeof Step>;
