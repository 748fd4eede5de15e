import { stepFields, workflowFields, type FieldSpec } from './field-specs.ts';

/** Fields under one heading. */
export interface Section {
  readonly title: string;
  readonly fields: readonly FieldSpec[];
}

/** Fields that are shown even when not set. */
export const primaryFields: Readonly<Record<'step' | 'workflow', ReadonlySet<string>>> = {
  step: new Set(['name', 'type', 'command', 'depends']),
  workflow: new Set(['name', 'description', 'type', 'steps', 'schedule', 'params', 'env']),
};

type Table = readonly (readonly [title: string, names: string])[];

const stepTable: Table = [
  ['Action', 'name id description type command config script run params parallel'],
  ['Dependencies and conditions', 'depends preconditions continueOn'],
  ['Retries and error handling', 'retryPolicy repeatPolicy'],
  ['Timeouts', 'timeoutSec signalOnStop'],
  ['Data', 'env output stdout stderr inputFiles outputFiles'],
  ['Runtime', 'dir shell shellPackages tty container workerSelector onPartition'],
  ['Mail', 'mailOnError'],
];

const workflowTable: Table = [
  ['General', 'name group description type tags steps'],
  ['Schedule', 'schedule timezone catchup catchupWindow overlap skipIfSuccessful restartWaitSec'],
  ['Webhooks', 'on'],
  ['Parameters and environment', 'params env dotenv secretFiles secrets preconditions'],
  [
    'Limits and queue',
    'queue maxActiveRuns maxActiveSteps timeout delaySec maxCleanUpTimeSec maxOutputSize histRetentionDays histRetentionRuns',
  ],
  ['Handlers', 'handlerOn skipBaseHandlers'],
  ['Mail', 'mailOn errorMail infoMail smtp'],
  ['Runtime', 'workingDir shell container ssh registryAuths workerSelector'],
  ['Advanced', 'logDir otel runConfig'],
];

function build(table: Table, fields: readonly FieldSpec[]): readonly Section[] {
  return table.map(([title, names]) => ({
    title,
    fields: names.split(' ').flatMap((name) => fields.find((field) => field.name === name) ?? []),
  }));
}

export const sections: Readonly<Record<'step' | 'workflow', readonly Section[]>> = {
  step: build(stepTable, stepFields),
  workflow: build(workflowTable, workflowFields),
};
