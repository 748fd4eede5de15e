import Type, { type Static } from 'typebox';
import { restartPolicies, startups } from './executor-tables.ts';
import { executorTypes } from './step-types.ts';

/** A position in a source file, both 1-based. */
export const SourcePosition = Type.Object({ line: Type.Integer(), column: Type.Integer() });
export type SourcePosition = Static<typeof SourcePosition>;

/** One variable definition, unexpanded; later entries may refer to earlier ones. */
export const EnvEntry = Type.Object({ name: Type.String(), value: Type.String() });
export type EnvEntry = Static<typeof EnvEntry>;

/** A condition that must be met before a run or a step starts. */
export const Condition = Type.Union([
  /** A command whose success is the condition. */
  Type.Object({ kind: Type.Literal('command'), command: Type.String(), negate: Type.Boolean() }),
  /** An expression whose value must equal `expected`, or match it when it starts with `re:`. */
  Type.Object({
    kind: Type.Literal('expression'),
    condition: Type.String(),
    expected: Type.String(),
    negate: Type.Boolean(),
  }),
]);
export type Condition = Static<typeof Condition>;

/** Strings by name, in no particular order. */
export const TextMap = Type.Record(Type.String(), Type.String());
export type TextMap = Static<typeof TextMap>;

/** `container` of a workflow or a step; strings are unexpanded. */
export const ContainerSpec = Type.Object({
  image: Type.Optional(Type.String()),
  containerName: Type.Optional(Type.String()),
  /** One of `pullPolicies`, or an expression. */
  pullPolicy: Type.Optional(Type.String()),
  env: Type.Array(EnvEntry),
  /** `SOURCE:TARGET` or `SOURCE:TARGET:OPTIONS`. */
  volumes: Type.Array(Type.String()),
  user: Type.Optional(Type.String()),
  workingDir: Type.Optional(Type.String()),
  platform: Type.Optional(Type.String()),
  ports: Type.Array(Type.String()),
  network: Type.Optional(Type.String()),
  keepContainer: Type.Optional(Type.Boolean()),
  startup: Type.Optional(Type.Enum([...startups])),
  command: Type.Optional(Type.Array(Type.String())),
  waitFor: Type.Optional(Type.Enum(['running', 'healthy'])),
  /** Regular expression. */
  logPattern: Type.Optional(Type.String()),
  restartPolicy: Type.Optional(Type.Enum([...restartPolicies])),
});
export type ContainerSpec = Static<typeof ContainerSpec>;

/** The container of a container step whose `config` does not set it. */
const StepContainer = Type.Object({
  /** Whether all steps of the run with this container share it; otherwise the step has its own. */
  isShared: Type.Boolean(),
  spec: ContainerSpec,
});
type StepContainer = Static<typeof StepContainer>;

/** The action of a step. The executor registry has one entry for each `kind`. */
export const StepAction = Type.Union([
  /** Command for the step's shell. */
  Type.Object({ kind: Type.Literal('command'), command: Type.String() }),
  /** Program and arguments, run without a shell. */
  Type.Object({ kind: Type.Literal('argv'), argv: Type.Array(Type.String()) }),
  /** An inline script; its first line may name an interpreter. */
  Type.Object({
    kind: Type.Literal('script'),
    script: Type.String(),
    /** Program and arguments, unexpanded, which get the path of the script; no shell is used then. */
    command: Type.Optional(Type.Array(Type.String())),
  }),
  /** A run of another workflow: of the same file, otherwise of the workflow folder. */
  Type.Object({
    kind: Type.Literal('dag'),
    dag: Type.String(),
    /** In the order written; positional parameters are named `1`, `2`, … Values are unexpanded. */
    params: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  }),
  /** An action of another executor; all strings are unexpanded. */
  Type.Object({
    kind: Type.Literal('executor'),
    type: Type.Enum([...executorTypes]),
    /** The executor defines the meaning: a request, a query, an operation, a remote command. */
    command: Type.Optional(Type.String()),
    /** The command as a list of words. */
    argv: Type.Optional(Type.Array(Type.String())),
    script: Type.Optional(Type.String()),
    /** Inputs of a hosted action. */
    params: Type.Optional(Type.Array(Type.Object({ name: Type.String(), value: Type.String() }))),
    /** For a container step: where it runs, when `config` does not set it. */
    container: Type.Optional(StepContainer),
    /** By the field names of the executor's table (core/model/executor-config.ts). */
    config: Type.Record(Type.String(), Type.Unknown()),
  }),
]);
export type StepAction = Static<typeof StepAction>;
/** An action of an executor that `type` names. */
export type ExecutorAction = Extract<StepAction, { kind: 'executor' }>;

/** When the dependents of a failed or skipped step still run. */
export const ContinueOn = Type.Object({
  failure: Type.Boolean(),
  skipped: Type.Boolean(),
  exitCodes: Type.Array(Type.Integer()),
  /** Substrings of a line of stdout, or `re:` patterns. */
  output: Type.Array(Type.String()),
  /** Count the failure as a success. */
  markSuccess: Type.Boolean(),
});
export type ContinueOn = Static<typeof ContinueOn>;

/** How often and after which delay a failed step is retried. */
export const RetryPolicy = Type.Object({
  /** Additional attempts after the first. A string is an expression for the number, evaluated when the step starts. */
  limit: Type.Union([Type.Integer(), Type.String()]),
  /** Seconds between attempts; a string as for `limit`. */
  intervalSec: Type.Union([Type.Number(), Type.String()]),
  /** Retry only after these exit codes; empty means after any failure. */
  exitCodes: Type.Array(Type.Integer()),
  /** Factor on the interval for each further retry; 1 keeps it constant. */
  backoff: Type.Number(),
  maxIntervalSec: Type.Optional(Type.Number()),
});
export type RetryPolicy = Static<typeof RetryPolicy>;

/** When and how often a step is repeated after an attempt series has ended. */
export const RepeatPolicy = Type.Object({
  /** Repeat while the condition is met, or until it is. */
  mode: Type.Union([Type.Literal('while'), Type.Literal('until')]),
  /**
   * Evaluated after each execution, with the step's own `output`: an expression when `expected` is set, otherwise a
   * command. Without a condition and without `exitCodes` the step's success counts.
   */
  condition: Type.Optional(Type.String()),
  /** Expected value of the condition, or a pattern after `re:`; not expanded. */
  expected: Type.Optional(Type.String()),
  /** Exit codes of the step that meet the condition; empty: exit codes do not count. */
  exitCodes: Type.Array(Type.Integer()),
  intervalSec: Type.Number(),
  /** Most executions of the step, including the first; absent: no limit. Reaching it is not a failure. */
  limit: Type.Optional(Type.Integer()),
  /** Factor on the interval for each execution so far; 1 keeps it constant. */
  backoff: Type.Number(),
  maxIntervalSec: Type.Optional(Type.Number()),
});
export type RepeatPolicy = Static<typeof RepeatPolicy>;

/**
 * One item of `parallel`, unexpanded: a string, or strings by key for `${ITEM.key}` (the item is then compact JSON).
 */
export const ParallelItem = Type.Union([Type.String(), Type.Record(Type.String(), Type.String())]);
export type ParallelItem = Static<typeof ParallelItem>;

/** Runs a step once for each item. */
export const Parallel = Type.Object({
  /** An expression whose value is split into items when the step starts, or 1 to 1000 items. */
  items: Type.Union([Type.String(), Type.Array(ParallelItem)]),
  /** Most items that run at the same time. */
  maxConcurrent: Type.Integer(),
});
export type Parallel = Static<typeof Parallel>;

/** Size of a pseudo-terminal, in characters. */
export const TerminalSize = Type.Object({ columns: Type.Integer(), rows: Type.Integer() });
export type TerminalSize = Static<typeof TerminalSize>;

/** One step, normalised. */
export const Step = Type.Object({
  /** Unique in the workflow; of any length. */
  name: Type.String(),
  id: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  action: StepAction,
  /** Its type requires this machine, even if the workflow sets another default for its steps. */
  runsLocally: Type.Optional(Type.Literal(true)),
  /** Names of the steps that must finish first, including implicit chain dependencies, without duplicates. */
  depends: Type.Array(Type.String()),
  /** As written; relative to the workflow's working directory. */
  dir: Type.Optional(Type.String()),
  shell: Type.Optional(Type.Array(Type.String())),
  /** Nix packages for its shell, which then is a `nix-shell`; as written. */
  shellPackages: Type.Optional(Type.Array(Type.String())),
  /** Its process runs in a terminal of its own. */
  terminal: Type.Optional(TerminalSize),
  env: Type.Array(EnvEntry),
  /** Variable that receives the step's trimmed stdout. */
  output: Type.Optional(Type.String()),
  /** Files that receive a copy of each stream; as written, unexpanded. */
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
  /** Labels of the worker for its attempts; a step that runs a sub-workflow passes them on to its steps. */
  workerSelector: Type.Optional(TextMap),
  /** Artifacts of the run that must be in its directory before it starts; names relative to it, as written. */
  inputFiles: Type.Optional(Type.Array(Type.String())),
  /**
   * Files that become artifacts of the run when the step has succeeded; names and globs relative to its directory, as
   * written.
   */
  outputFiles: Type.Optional(Type.Array(Type.String())),
  /** Behaviour of its worker while no coordinator is reachable; default: `continue`. */
  onPartition: Type.Optional(Type.Union([Type.Literal('continue'), Type.Literal('stop')])),
  at: SourcePosition,
});
export type Step = Static<typeof Step>;
