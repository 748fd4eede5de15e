import Type, { type Static } from 'typebox';
import { StepContainer } from '../executors/container-shape.ts';
import { executorTypes } from '../executors/executor-type.ts';
import { Condition, EnvEntry, SourcePosition, TextMap } from './values.ts';

/** What a step does. The executor registry has one entry for each `kind`. */
export const StepAction = Type.Union([
  /** Text for the step's shell. */
  Type.Object({ kind: Type.Literal('command'), command: Type.String() }),
  /** Program and arguments, run without a shell. */
  Type.Object({ kind: Type.Literal('argv'), argv: Type.Array(Type.String()) }),
  /** An inline script; its first line may name an interpreter. */
  Type.Object({
    kind: Type.Literal('script'),
    script: Type.String(),
    /** Program and arguments, unexpanded, that are given the path of the script; then there is no shell. */
    command: Type.Optional(Type.Array(Type.String())),
  }),
  /** A run of another workflow: of the same file, else of the workflow folder. */
  Type.Object({
    kind: Type.Literal('dag'),
    dag: Type.String(),
    /** In the order written; positional ones are named `1`, `2`, … Values are unexpanded. */
    params: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  }),
  /** Work of another executor; every text is unexpanded. */
  Type.Object({
    kind: Type.Literal('executor'),
    type: Type.Enum([...executorTypes]),
    /** What it means is the executor's: a request, a query, an operation, a command elsewhere. */
    command: Type.Optional(Type.String()),
    /** The same as a list of words. */
    argv: Type.Optional(Type.Array(Type.String())),
    script: Type.Optional(Type.String()),
    /** Inputs of a hosted action. */
    params: Type.Optional(Type.Array(Type.Object({ name: Type.String(), value: Type.String() }))),
    /** Of a container step: where it runs, when `config` does not say it. */
    container: Type.Optional(StepContainer),
    /** By the names of the executor's table (core/model/executors). */
    config: Type.Record(Type.String(), Type.Unknown()),
  }),
]);
export type StepAction = Static<typeof StepAction>;
/** The work of an executor that `type` names. */
export type ExecutorAction = Extract<StepAction, { kind: 'executor' }>;

/** When a failed or skipped step does not stop what depends on it. */
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
  /** Extra attempts after the first. A text is an expression for the number, evaluated when the step starts. */
  limit: Type.Union([Type.Integer(), Type.String()]),
  /** Seconds between attempts; a text as for `limit`. */
  intervalSec: Type.Union([Type.Number(), Type.String()]),
  /** Retry only after these exit codes; empty means after any failure. */
  exitCodes: Type.Array(Type.Integer()),
  /** Factor on the interval for each further retry; 1 keeps it constant. */
  backoff: Type.Number(),
  maxIntervalSec: Type.Optional(Type.Number()),
});
export type RetryPolicy = Static<typeof RetryPolicy>;

/** When and how often a step is run again after an attempt series has ended. */
export const RepeatPolicy = Type.Object({
  /** Again as long as the condition holds, or until it does. */
  mode: Type.Union([Type.Literal('while'), Type.Literal('until')]),
  /**
   * Looked at after each time, the step's own `output` included: an expression when `expected` is given, else a
   * command. Without a condition and without `exitCodes` it is the step's success.
   */
  condition: Type.Optional(Type.String()),
  /** What the value of the condition must equal, or match after `re:`; not expanded. */
  expected: Type.Optional(Type.String()),
  /** Exit codes of the step that count as the condition; empty when they do not matter. */
  exitCodes: Type.Array(Type.Integer()),
  intervalSec: Type.Number(),
  /** Most times the step is run, the first included; absent for no limit. Reaching it is no failure. */
  limit: Type.Optional(Type.Integer()),
  /** Factor on the interval for each time already run; 1 keeps it constant. */
  backoff: Type.Number(),
  maxIntervalSec: Type.Optional(Type.Number()),
});
export type RepeatPolicy = Static<typeof RepeatPolicy>;

/** One item of `parallel`, unexpanded: a text, or texts by key for `${ITEM.key}` (the item is then compact JSON). */
export const ParallelItem = Type.Union([Type.String(), Type.Record(Type.String(), Type.String())]);
export type ParallelItem = Static<typeof ParallelItem>;

/** Doing a step once for each item. */
export const Parallel = Type.Object({
  /** An expression whose value is split into items when the step starts, or 1 to 1000 items. */
  items: Type.Union([Type.String(), Type.Array(ParallelItem)]),
  /** Items worked on at once. */
  maxConcurrent: Type.Integer(),
});
export type Parallel = Static<typeof Parallel>;

/** Characters of a pseudo-terminal. */
export const TerminalSize = Type.Object({ columns: Type.Integer(), rows: Type.Integer() });
export type TerminalSize = Static<typeof TerminalSize>;

/** One step, normalised. */
export const Step = Type.Object({
  /** Unique in the workflow; of any length. */
  name: Type.String(),
  id: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  action: StepAction,
  /** Its type says that it runs on this machine, whatever the workflow says of its steps. */
  runsHere: Type.Optional(Type.Literal(true)),
  /** Names of the steps that must end first, chain wiring included, without repeats. */
  depends: Type.Array(Type.String()),
  /** As written; relative to the workflow's working directory. */
  dir: Type.Optional(Type.String()),
  shell: Type.Optional(Type.Array(Type.String())),
  /** Nix packages for its shell, which is a `nix-shell` then; as written. */
  shellPackages: Type.Optional(Type.Array(Type.String())),
  /** Its process runs in a terminal of its own. */
  terminal: Type.Optional(TerminalSize),
  env: Type.Array(EnvEntry),
  /** Variable that receives the step's trimmed stdout. */
  output: Type.Optional(Type.String()),
  /** Files that get a copy of each stream; as written, unexpanded. */
  stdout: Type.Optional(Type.String()),
  stderr: Type.Optional(Type.String()),
  continueOn: ContinueOn,
  retry: Type.Optional(RetryPolicy),
  repeat: Type.Optional(RepeatPolicy),
  parallel: Type.Optional(Parallel),
  preconditions: Type.Array(Condition),
  timeoutSec: Type.Optional(Type.Number()),
  /** Signal sent on stop instead of SIGTERM. */
  signalOnStop: Type.Optional(Type.String()),
  mailOnError: Type.Optional(Type.Boolean()),
  /** Labels of the worker that makes its attempts; of a step that runs a sub-workflow, handed down to its steps. */
  workerSelector: Type.Optional(TextMap),
  /** Artifacts of the run that are to be in its folder before it begins; names relative to it, as written. */
  inputFiles: Type.Optional(Type.Array(Type.String())),
  /** What becomes artifacts of the run when it has succeeded; names and globs relative to its folder, as written. */
  outputFiles: Type.Optional(Type.Array(Type.String())),
  /** What its worker does with it while no coordinator can be reached; `continue` when absent. */
  onPartition: Type.Optional(Type.Union([Type.Literal('continue'), Type.Literal('stop')])),
  at: SourcePosition,
});
export type Step = Static<typeof Step>;
