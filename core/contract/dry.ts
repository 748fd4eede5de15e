import Type, { type Static } from 'typebox';
import { executorTypes } from '../model/step-types.ts';
import { handlerNames } from '../model/workflow-rules.ts';
import { FileName, SourceFileName } from './dags.ts';
import { defineOperation } from './operation.ts';
import { BaseText, DagName, DefaultWorkingDir, literals } from './run-views.ts';

const dryValueFields = {
  /** With all references expanded that are known before a run; others are left as written. Secrets are `*******`. */
  value: Type.String(),
  /** References that are left as written: `${RESULT}`, `` `date` ``. Absent if there are none. */
  unresolved: Type.Optional(Type.Array(Type.String())),
};

/** A string of a workflow, expanded as far as possible without running anything. */
export const DryValueView = Type.Object(dryValueFields);
export type DryValueView = Static<typeof DryValueView>;

/** A variable or parameter, expanded in the same way. */
export const DryNamedValueView = Type.Object({ name: Type.String(), ...dryValueFields });
export type DryNamedValueView = Static<typeof DryNamedValueView>;

/** A folder that a run would use. */
export const DryFolderView = Type.Object({
  ...dryValueFields,
  /**
   * Whether the folder exists; absent if this is unknown or it cannot be created. The run creates a missing folder.
   */
  exists: Type.Optional(Type.Boolean()),
});
export type DryFolderView = Static<typeof DryFolderView>;

/** A condition; a dry run never evaluates it. */
export const DryConditionView = Type.Object({
  kind: literals(['command', 'expression']),
  written: Type.String(),
  /** For an expression: its value before the run. */
  value: Type.Optional(DryValueView),
  /** For an expression: the expected value, with the prefix `re:` for a pattern. */
  expected: Type.Optional(Type.String()),
  /** The condition is negated. */
  negate: Type.Boolean(),
});
export type DryConditionView = Static<typeof DryConditionView>;

/** One item of `parallel`. */
export const DryItemView = Type.Object({
  ...dryValueFields,
  /** For a sub-workflow: the parameters of its run. */
  params: Type.Optional(Type.Array(DryNamedValueView)),
  /** Index of the sub-workflow's plan in `plans`. */
  plan: Type.Optional(Type.Integer()),
});
export type DryItemView = Static<typeof DryItemView>;

/** The action of a step. */
export const DryActionView = Type.Union([
  Type.Object({
    kind: Type.Literal('command'),
    /** The text that the shell receives: the engine inserts no values. */
    text: Type.String(),
    /** Program and arguments of the shell; absent if unknown. */
    shell: Type.Optional(Type.Array(DryValueView)),
  }),
  Type.Object({ kind: Type.Literal('argv'), argv: Type.Array(DryValueView) }),
  Type.Object({
    kind: Type.Literal('script'),
    text: Type.String(),
    /** Program and arguments that run the script: a command, a shell or its interpreter. */
    shell: Type.Optional(Type.Array(DryValueView)),
  }),
  Type.Object({
    kind: Type.Literal('dag'),
    dag: Type.String(),
    /** For `parallel`, the parameters of the items. */
    params: Type.Array(DryNamedValueView),
    /** Index of its plan in `plans`; absent if a parameter is unresolved, or if a finding has the reason. */
    plan: Type.Optional(Type.Integer()),
  }),
  Type.Object({
    kind: Type.Literal('executor'),
    type: literals(executorTypes),
    /** Its command, script and configuration by field, such as `command` and `config.timeout`. */
    fields: Type.Array(DryNamedValueView),
  }),
]);
export type DryActionView = Static<typeof DryActionView>;

/** One step or handler, in order of execution. */
export const DryStepView = Type.Object({
  name: Type.String(),
  /** 1-based. Steps of one wave may run in parallel; absent for a handler. */
  wave: Type.Optional(Type.Integer()),
  /** When the handler runs; absent for a step. */
  handler: Type.Optional(literals(handlerNames)),
  depends: Type.Array(Type.String()),
  action: DryActionView,
  /** Variables that the text of a command or script refers to. */
  variables: Type.Array(DryNamedValueView),
  dir: DryFolderView,
  /** The step's own variables. */
  env: Type.Array(DryNamedValueView),
  conditions: Type.Array(DryConditionView),
  parallel: Type.Optional(
    Type.Object({
      maxConcurrent: Type.Integer(),
      /** The expression that yields the items, if they are not a list. */
      expression: Type.Optional(DryValueView),
      /** Absent if they are only known at run time. */
      items: Type.Optional(Type.Array(DryItemView)),
    }),
  ),
  /** Variable that stores its output. */
  output: Type.Optional(Type.String()),
  stdout: Type.Optional(DryValueView),
  stderr: Type.Optional(DryValueView),
  /** Retries, repetitions, limits and failure handling, one sentence each. */
  rules: Type.Array(Type.String()),
  /** All references that are left as written until the run, without duplicates. */
  unresolved: Type.Array(Type.String()),
});
export type DryStepView = Static<typeof DryStepView>;

/** Plan of a run of one workflow. */
export const DryPlanView = Type.Object({
  name: Type.String(),
  /** Absolute path; absent for text without a file. */
  file: Type.Optional(Type.String()),
  params: Type.Array(DryNamedValueView),
  env: Type.Array(DryNamedValueView),
  workingDir: DryFolderView,
  /** The folder that would contain the directory of the run. */
  logDir: DryFolderView,
  dotenv: Type.Optional(Type.Object({ file: Type.String(), variables: Type.Array(DryNamedValueView) })),
  /** `found`: it has a value, which is never shown. */
  secrets: Type.Array(
    Type.Object({
      name: Type.String(),
      provider: Type.String(),
      key: Type.String(),
      found: Type.Boolean(),
    }),
  ),
  conditions: Type.Array(DryConditionView),
  /** Limits of the whole run, one sentence each. */
  rules: Type.Array(Type.String()),
  /** By wave, then in the order of the file. */
  steps: Type.Array(DryStepView),
  handlers: Type.Array(DryStepView),
});
export type DryPlanView = Static<typeof DryPlanView>;

/** A finding about the run, with its location. */
export const DryFindingView = Type.Object({
  /** `error`: the run or the step would fail. `warning`: probably a mistake. `info`: for information. */
  severity: literals(['error', 'warning', 'info']),
  message: Type.String(),
  /** Index of the workflow's plan in `plans`. */
  plan: Type.Integer(),
  /** Path of workflows and steps: `etl`, `etl > load > child`. */
  workflow: Type.String(),
  step: Type.Optional(Type.String()),
  /** For example `workingDir`, `env.NAME`, `parallel`. */
  field: Type.Optional(Type.String()),
});
export type DryFindingView = Static<typeof DryFindingView>;

/** Plan of a run, with its values. Nothing is executed. */
export const DryRunView = Type.Object({
  name: Type.String(),
  /** Whether there are no errors. */
  runnable: Type.Boolean(),
  /** Whether commands in backticks were run. */
  ranSubstitutions: Type.Boolean(),
  /** The plan of the workflow, then those of its sub-workflows; steps that run the same workflow share it. */
  plans: Type.Array(DryPlanView),
  findings: Type.Array(DryFindingView),
});
export type DryRunView = Static<typeof DryRunView>;

const options = {
  /** As after `--` on the command line: `KEY=value` and positional words, with optional quotes. */
  params: Type.Optional(Type.String()),
  /** Runs commands in backticks, whose output is part of values. */
  runSubstitutions: Type.Optional(Type.Boolean()),
  defaultWorkingDir: Type.Optional(DefaultWorkingDir),
};

export const dryOperations = {
  'dags.dry': defineOperation({
    summary: 'Show what a run of a workflow would do, with resolved values, without running anything',
    method: 'POST',
    path: '/dags/{fileName}/dry',
    input: Type.Object({ fileName: FileName, dagName: Type.Optional(DagName), ...options }),
    output: DryRunView,
    errors: ['not_found', 'invalid_spec'],
    role: 'operator',
    label: 'start a dry run of a workflow',
  }),
  'runs.dry': defineOperation({
    summary: 'Show what a run of an unsaved workflow would do, without running anything',
    method: 'POST',
    path: '/dag-runs/dry',
    input: Type.Object({
      spec: Type.String(),
      base: Type.Optional(BaseText),
      name: Type.Optional(DagName),
      fileName: SourceFileName,
      ...options,
    }),
    output: DryRunView,
    errors: ['invalid_spec'],
    role: 'operator',
    label: 'start a dry run of an unsaved workflow',
  }),
};
