import Type, { type Static } from 'typebox';
import { executorTypes } from '../../model/executors/executor-type.ts';
import { handlerNames } from '../../model/workflow/handler-name.ts';
import { FileName, InPlaceOf } from '../workflows/dags.ts';
import { defineOperation } from '../operation.ts';
import { BaseText, DagName, DefaultWorkingDir, literals } from './run-views.ts';

const dryValueFields = {
  /** With everything put in that is known before a run; the rest stays as written. Secrets are `*******`. */
  value: Type.String(),
  /** What stays as written: `${RESULT}`, `` `date` ``. Absent when there is nothing. */
  unresolved: Type.Optional(Type.Array(Type.String())),
};

/** A text of a workflow, resolved as far as that is possible without running anything. */
export const DryValueView = Type.Object(dryValueFields);
export type DryValueView = Static<typeof DryValueView>;

/** A variable or parameter, resolved likewise. */
export const DryNamedValueView = Type.Object({ name: Type.String(), ...dryValueFields });
export type DryNamedValueView = Static<typeof DryNamedValueView>;

/** A folder that a run would use. */
export const DryFolderView = Type.Object({
  ...dryValueFields,
  /** Whether it is there; absent when that cannot be told, or it cannot be made. A missing one is made by the run. */
  exists: Type.Optional(Type.Boolean()),
});
export type DryFolderView = Static<typeof DryFolderView>;

/** A condition; a dry run never evaluates it. */
export const DryConditionView = Type.Object({
  kind: literals(['command', 'expression']),
  written: Type.String(),
  /** Of an expression: what it comes to before the run. */
  value: Type.Optional(DryValueView),
  /** Of an expression: the text it is compared with, `re:` before a pattern. */
  expected: Type.Optional(Type.String()),
  /** It must not hold. */
  negate: Type.Boolean(),
});
export type DryConditionView = Static<typeof DryConditionView>;

/** One item of `parallel`. */
export const DryItemView = Type.Object({
  ...dryValueFields,
  /** Of a sub-workflow: what its run would be given. */
  params: Type.Optional(Type.Array(DryNamedValueView)),
  /** Place of the sub-workflow's plan in `plans`. */
  plan: Type.Optional(Type.Integer()),
});
export type DryItemView = Static<typeof DryItemView>;

/** What a step would do. */
export const DryActionView = Type.Union([
  Type.Object({
    kind: Type.Literal('command'),
    /** As the shell gets it: the engine puts no values in. */
    text: Type.String(),
    /** Program and arguments of the shell; absent when it cannot be told. */
    shell: Type.Optional(Type.Array(DryValueView)),
  }),
  Type.Object({ kind: Type.Literal('argv'), argv: Type.Array(DryValueView) }),
  Type.Object({
    kind: Type.Literal('script'),
    text: Type.String(),
    /** Program and arguments that are given the script: a command, a shell or its interpreter. */
    shell: Type.Optional(Type.Array(DryValueView)),
  }),
  Type.Object({
    kind: Type.Literal('dag'),
    dag: Type.String(),
    /** Of the items when there are some. */
    params: Type.Array(DryNamedValueView),
    /** Place of its plan in `plans`; absent when a parameter is unresolved, and where the reason is a finding. */
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

/** One step or handler, in the order of execution. */
export const DryStepView = Type.Object({
  name: Type.String(),
  /** Steps of one wave may run at once; counted from 1, absent for a handler. */
  wave: Type.Optional(Type.Integer()),
  /** When the handler runs; absent for a step. */
  handler: Type.Optional(literals(handlerNames)),
  depends: Type.Array(Type.String()),
  action: DryActionView,
  /** Variables that the text of a command or script refers to. */
  variables: Type.Array(DryNamedValueView),
  dir: DryFolderView,
  /** The step's own entries. */
  env: Type.Array(DryNamedValueView),
  conditions: Type.Array(DryConditionView),
  parallel: Type.Optional(
    Type.Object({
      maxConcurrent: Type.Integer(),
      /** The expression that is split into items, when they are not a list. */
      expression: Type.Optional(DryValueView),
      /** Absent when they are known at run time only. */
      items: Type.Optional(Type.Array(DryItemView)),
    }),
  ),
  /** Variable that receives what it prints. */
  output: Type.Optional(Type.String()),
  stdout: Type.Optional(DryValueView),
  stderr: Type.Optional(DryValueView),
  /** Retries, repetitions, limits and what a failure means, a sentence each. */
  rules: Type.Array(Type.String()),
  /** Everything in it that stays as written until the run, without repeats. */
  unresolved: Type.Array(Type.String()),
});
export type DryStepView = Static<typeof DryStepView>;

/** What a run of one workflow would do. */
export const DryPlanView = Type.Object({
  name: Type.String(),
  /** Absolute; absent for text without a file. */
  file: Type.Optional(Type.String()),
  params: Type.Array(DryNamedValueView),
  env: Type.Array(DryNamedValueView),
  workingDir: DryFolderView,
  /** The folder that gets the directory of the run. */
  logDir: DryFolderView,
  dotenv: Type.Optional(Type.Object({ file: Type.String(), variables: Type.Array(DryNamedValueView) })),
  /** `found`: it has a value, which is shown nowhere. */
  secrets: Type.Array(
    Type.Object({
      name: Type.String(),
      provider: Type.String(),
      key: Type.String(),
      found: Type.Boolean(),
    }),
  ),
  conditions: Type.Array(DryConditionView),
  /** Limits of the whole run, a sentence each. */
  rules: Type.Array(Type.String()),
  /** By wave, then in the order of the file. */
  steps: Type.Array(DryStepView),
  handlers: Type.Array(DryStepView),
});
export type DryPlanView = Static<typeof DryPlanView>;

/** Something to know before the run, and where. */
export const DryFindingView = Type.Object({
  /** `error`: the run, or the step, would fail. `warning`: probably not what was meant. `info`: to know. */
  severity: literals(['error', 'warning', 'info']),
  message: Type.String(),
  /** Place of the workflow's plan in `plans`. */
  plan: Type.Integer(),
  /** Names of the workflows and steps that lead there: `etl`, `etl > load > child`. */
  workflow: Type.String(),
  step: Type.Optional(Type.String()),
  /** Such as `workingDir`, `env.NAME`, `parallel`. */
  field: Type.Optional(Type.String()),
});
export type DryFindingView = Static<typeof DryFindingView>;

/** What a run would do and with which values, without anything having been done. */
export const DryRunView = Type.Object({
  name: Type.String(),
  /** No finding is an error. */
  runnable: Type.Boolean(),
  /** Whether commands in backticks have been run. */
  ranSubstitutions: Type.Boolean(),
  /** The workflow's own plan, then those of its sub-workflows; steps with the same one share it. */
  plans: Type.Array(DryPlanView),
  findings: Type.Array(DryFindingView),
});
export type DryRunView = Static<typeof DryRunView>;

const options = {
  /** As after `--` on the command line: `KEY=value` and positional words, quotes allowed. */
  params: Type.Optional(Type.String()),
  /** Run the commands in backticks, whose output is part of values. */
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
  }),
  'runs.dry': defineOperation({
    summary: 'Show what a run of an unsaved workflow would do, without running anything',
    method: 'POST',
    path: '/dag-runs/dry',
    input: Type.Object({
      spec: Type.String(),
      base: Type.Optional(BaseText),
      name: Type.Optional(DagName),
      fileName: InPlaceOf,
      ...options,
    }),
    output: DryRunView,
    errors: ['invalid_spec'],
    role: 'operator',
  }),
};
