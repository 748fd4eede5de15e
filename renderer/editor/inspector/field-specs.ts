import { authoredSchema } from '../../../core/spec/authored.ts';
import { StepObject } from '../../../core/spec/authored/step.ts';
import {
  getBranches,
  getEnumValues,
  workflowOnlyFields,
  type NamedValue,
  type Schema,
} from '../code/schema-context.ts';

/** The kind of control for viewing and editing a value. */
export type WidgetKind =
  | 'text'
  | 'lines'
  | 'prose'
  | 'code'
  | 'number'
  | 'seconds'
  | 'flag'
  | 'choice'
  | 'texts'
  | 'codes'
  | 'pairs'
  | 'params'
  | 'secrets'
  | 'depends'
  | 'conditions'
  | 'form'
  | 'forms'
  | 'run'
  | 'parallel'
  | 'schedule'
  | 'type'
  | 'config'
  | 'steps'
  | 'handlers'
  | 'logins'
  | 'payloadParams'
  | 'yaml';

/** A value of a choice. */
interface Choice extends NamedValue {
  /** Default: the value itself. */
  readonly label?: string;
}

/** A field of a form, from the schema. */
export interface FieldSpec {
  /** In canonical spelling. */
  readonly name: string;
  readonly label: string;
  /** Empty if the schema has none. */
  readonly description: string;
  /** The first example, as a string. */
  readonly example?: string;
  readonly widget: WidgetKind;
  /** For a choice. */
  readonly choices: readonly Choice[];
  /** For a map, for the maps of a list, or for the values of a map whose keys are data. */
  readonly fields: readonly FieldSpec[];
}

/** Fields with a special widget, or that only their name distinguishes. */
const byName: Readonly<Record<string, WidgetKind>> = {
  'step.command': 'code',
  'step.script': 'code',
  'step.run': 'run',
  'step.params': 'params',
  'step.depends': 'depends',
  'step.preconditions': 'conditions',
  'step.parallel': 'parallel',
  'step.type': 'type',
  'step.config': 'config',
  'step.description': 'prose',
  'step.env': 'pairs',
  'workflow.description': 'prose',
  'workflow.steps': 'steps',
  'workflow.params': 'params',
  'workflow.preconditions': 'conditions',
  'workflow.handlerOn': 'handlers',
  'workflow.schedule': 'schedule',
  'workflow.secrets': 'secrets',
  'workflow.env': 'pairs',
  'workflow.registryAuths': 'logins',
  'workflow.smtp': 'forms',
  'params.schema': 'text',
  'type.config': 'config',
  'workflow.catchupWindow': 'number',
  'expect.within': 'text',
  'expect.longest': 'text',
  'expect.every': 'text',
  'on.webhook': 'forms',
  'webhook.params': 'payloadParams',
  'webhook.debounce': 'number',
  'container.env': 'pairs',
  'otel.timeout': 'number',
  'parallel.items': 'parallel',
};

/** Values that the description of a string field lists. */
const choicesByName: Readonly<Record<string, readonly NamedValue[]>> = {
  'container.pullPolicy': [
    { value: 'missing', description: 'Pull if the image is missing.' },
    { value: 'always', description: 'Pull before each run.' },
    { value: 'never', description: 'Never pull.' },
  ],
  'container.restartPolicy': [
    { value: 'no', description: 'Never restart.' },
    { value: 'always', description: 'Always restart, including when Docker starts.' },
    { value: 'unless-stopped', description: 'Restart unless stopped manually.' },
  ],
};

/** Labels of values whose words do not explain them. */
const choiceLabels: Readonly<Record<string, string>> = {
  'workflow.type chain': 'Sequential',
  'workflow.type graph': 'By dependencies',
  'workflow.catchup skip': 'Skip missed runs',
  'workflow.catchup last': 'Run once for all missed runs',
  'workflow.catchup all': 'Run every missed run',
  'workflow.overlap skip': 'Skip the new run',
  'workflow.overlap queue': 'Queue the new run',
  'workflow.overlap allow': 'Run both',
  'step.onPartition continue': 'Keep running',
  'step.onPartition stop': 'Stop the step',
  'repeatPolicy.repeat true': 'Always',
  'repeatPolicy.repeat false': 'Never',
  'repeatPolicy.repeat while': 'While the condition is met',
  'repeatPolicy.repeat until': 'Until the condition is met',
  'container.pullPolicy missing': 'If missing',
  'container.restartPolicy no': 'Never',
  'container.startup keepalive': 'Idle process',
  'container.startup entrypoint': 'Entry point of the image',
};

/** Converts `unless-stopped` to `Unless stopped`. */
const capitalize = (value: string): string =>
  value.slice(0, 1).toUpperCase() + value.slice(1).replaceAll('-', ' ');

const secondsName = /Sec$|^timeout$|^keepalive$/;

/** Returns the widget of a field; undefined if no widget matches its schema. */
export function findWidget(owner: string, name: string, schema: Schema): WidgetKind | undefined {
  const known = byName[`${owner}.${name}`];
  if (known !== undefined) return known;
  if (choicesByName[`${owner}.${name}`]) return 'choice';
  const branches = getBranches(schema);
  const types = new Set(branches.flatMap(({ type }) => type ?? []));
  if (branches.some((branch) => branch.enum)) return 'choice';
  if (branches.some(({ properties }) => properties)) return 'form';
  if (branches.some(({ patternProperties }) => patternProperties)) return 'pairs';
  if (types.has('array')) return types.has('integer') ? 'codes' : 'texts';
  if (types.has('number') || types.has('integer')) return secondsName.test(name) ? 'seconds' : 'number';
  if (types.has('string')) return 'text';
  return types.has('boolean') ? 'flag' : undefined;
}

/** Converts `retryPolicy` to `Retry policy`. */
export function getLabel(name: string): string {
  const words = name
    .replace(/Sec$/, '')
    .replaceAll(/([a-z])([A-Z]+)/g, (_, before: string, next: string) =>
      next.length > 1 ? `${before} ${next}` : `${before} ${next.toLowerCase()}`,
    );
  return labels[name] ?? words[0]!.toUpperCase() + words.slice(1);
}

const labels: Readonly<Record<string, string>> = {
  id: 'ID',
  depends: 'Depends on',
  run: 'Sub-workflow',
  dir: 'Working directory',
  ssh: 'SSH',
  smtp: 'Mail server',
  tty: 'Terminal',
  params: 'Parameters',
  registryAuths: 'Registry credentials',
  otel: 'OpenTelemetry tracing',
  env: 'Environment variables',
  dotenv: '.env files',
  secretFiles: 'Secret .env files',
  handlerOn: 'Handlers',
  on: 'Triggers',
  webhook: 'Webhook',
  if: 'Condition',
  concurrencyKey: 'Concurrency key',
  workflowType: 'Execution order',
  requireTLS: 'Require TLS',
  skipTLSVerify: 'Skip TLS verification',
  histRetentionDays: 'History retention (days)',
  histRetentionRuns: 'History retention (runs)',
};

/** Builds the field of a schema. @param owner `step`, `workflow`, or the name of the containing field */
export function makeSpec(owner: string, name: string, schema: Schema): FieldSpec {
  const [example] = schema.examples ?? [];
  const widget = findWidget(owner, name, schema) ?? 'yaml';
  const text = example === undefined ? undefined : exampleText(example);
  return {
    name,
    label: owner === 'workflow' && name === 'type' ? labels['workflowType']! : getLabel(name),
    description: schema.description ?? '',
    ...(text !== undefined && { example: text }),
    widget,
    choices: (choicesByName[`${owner}.${name}`] ?? getEnumValues(schema)).map((choice) => ({
      ...choice,
      label: choiceLabels[`${owner}.${name} ${choice.value}`] ?? capitalize(choice.value),
    })),
    fields: apart.has(widget) ? [] : listFields(name, schema),
  };
}

/** Widgets of parts that have their own forms. */
const apart: ReadonlySet<WidgetKind> = new Set(['steps', 'handlers']);

function listFields(owner: string, schema: Schema): readonly FieldSpec[] {
  const held = getBranches(schema).flatMap((branch) => [
    branch,
    ...(branch.items ? getBranches(branch.items) : []),
    ...Object.values(branch.patternProperties ?? {}).flatMap(getBranches),
  ]);
  const maps = held.filter(({ properties = {} }) => Object.keys(properties).length > 0);
  // Parameters with a schema have a form; typed ones in a list are YAML.
  const map = maps.find(({ properties = {} }) => 'schema' in properties) ?? maps[0];
  return map ? getFields(owner, map) : [];
}

function exampleText(example: unknown): string {
  if (Array.isArray(example)) return example.map(exampleText).join(', ');
  return typeof example === 'string' ? example : JSON.stringify(example);
}

/** Returns the fields of a map in the schema. */
export const getFields = (owner: string, { properties = {} }: Schema): readonly FieldSpec[] =>
  Object.entries(properties).map(([name, schema]) => makeSpec(owner, name, schema));

export const workflowSchema = authoredSchema as unknown as Schema;
export const stepSchema = StepObject as unknown as Schema;
export const workflowFields = getFields('workflow', workflowSchema);
export const stepFields = getFields('step', stepSchema);

/** Fields under one heading. */
export interface Section {
  readonly title: string;
  readonly fields: readonly FieldSpec[];
}

/** Whose fields a form has: a step's, a workflow's, or those that workflows get from the base configuration. */
export type FormKind = 'step' | 'workflow' | 'base';

/** Fields that are shown even when not set. */
export const primaryFields: Readonly<Record<FormKind, ReadonlySet<string>>> = {
  step: new Set(['name', 'type', 'command', 'depends']),
  workflow: new Set(['name', 'description', 'type', 'steps', 'schedule', 'params', 'env']),
  base: new Set(['env', 'histRetentionDays', 'handlerOn', 'smtp', 'errorMail']),
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
  ['Schedule', 'schedule timezone catchup catchupWindow overlap skipIfSuccessful restartWaitSec expect'],
  ['Webhooks', 'on'],
  ['Parameters and environment', 'params env dotenv secretFiles secrets preconditions'],
  [
    'Limits and queue',
    'queue maxActiveRuns maxActiveSteps timeout delaySec maxCleanUpTimeSec maxOutputSize histRetentionDays histRetentionRuns',
  ],
  ['Handlers', 'handlerOn skipBaseHandlers'],
  ['Notifications', 'notify mailOn errorMail infoMail smtp'],
  ['Runtime', 'workingDir shell container ssh registryAuths workerSelector'],
  ['Advanced', 'logDir otel runConfig'],
];

function build(table: Table, fields: readonly FieldSpec[]): readonly Section[] {
  return table.map(([title, names]) => ({
    title,
    fields: names.split(' ').flatMap((name) => fields.find((field) => field.name === name) ?? []),
  }));
}

export const sections: Readonly<Record<FormKind, readonly Section[]>> = {
  step: build(stepTable, stepFields),
  workflow: build(workflowTable, workflowFields),
  base: build(
    workflowTable,
    workflowFields.filter(({ name }) => !workflowOnlyFields.includes(name)),
  ),
};
