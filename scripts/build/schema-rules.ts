import { authoredSchema } from '../../core/spec/authored.ts';
import { Container } from '../../core/spec/authored/executors.ts';
import { ScheduleObject, SecretObject } from '../../core/spec/authored/settings.ts';
import { Handlers, RetryPolicyObject, StepObject } from '../../core/spec/authored/step.ts';
import { CheckedParams, TypedParamObject } from '../../core/spec/authored/values.ts';
import {
  executorAliases,
  type ExecutorType,
  executorTypes,
  getStepType,
  plainStepTypes,
} from '../../core/model/step-types.ts';
import { secretProviders } from '../../core/spec/rules/env.ts';
import { stopSignals } from '../../core/spec/rules/policies.ts';

/** A JSON Schema object. */
export type Schema = Readonly<Record<string, unknown>>;

/** Kinds of maps with editor information beyond their authored shape. */
const shapes = {
  workflow: authoredSchema,
  step: StepObject,
  handlers: Handlers,
  container: Container,
  retryPolicy: RetryPolicyObject,
  schedule: ScheduleObject,
  secret: SecretObject,
  checkedParams: CheckedParams,
  typedParam: TypedParamObject,
};
export type ShapeName = keyof typeof shapes;

const getKeys = (properties: object): string => Object.keys(properties).join();
const nameByKeys = new Map(
  Object.entries(shapes).map(([name, { properties }]) => [getKeys(properties), name as ShapeName]),
);

/** Whether a map accepts only its own keys, and not keys that are data. */
export const isClosed = (schema: Schema): boolean =>
  'properties' in schema && schema['additionalProperties'] === false;

/** Returns which of the {@link shapes} a schema is, by its keys. */
export const findShape = (schema: Schema): ShapeName | undefined =>
  isClosed(schema) ? nameByKeys.get(getKeys(schema['properties'] as object)) : undefined;

/** Types without an executor, which are optional. */
const otherTypes: Readonly<Record<string, string>> = {
  command: 'Local command or script. The default type.',
  shell: 'Same as command.',
  dag: 'Runs the sub-workflow in "run".',
  subworkflow: 'Same as dag.',
  parallel: 'Runs the sub-workflow once per item of "parallel".',
};

/** Describes a step type in one sentence. */
function explainStepType(type: string): string {
  const other = executorAliases[type];
  return otherTypes[type] ?? (other && `Same as ${other}.`) ?? getStepType(type as ExecutorType).description;
}

/** Adds constraints to the schema of a field. */
type Rule = (field: Schema) => Schema;

const isNull = { type: 'null' };

/**
 * Fields that must not be empty, by kinds of maps in which all others may be
 * (`core/spec/canonical-keys.ts`).
 */
const needed: Partial<Record<ShapeName, readonly string[]>> = {
  workflow: ['steps'],
  step: ['command', 'script', 'run', 'parallel', 'repeatPolicy'],
  handlers: [],
};

/** Five fields, a macro, or a date and time, optionally after a time zone. */
const cron =
  '^\\s*((CRON_)?TZ=\\S*\\s+)?(@\\w+|\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}(:\\d{2})?|\\S+(\\s+\\S+){4,5})\\s*$';

const hasText: Rule = (field) => mapTexts(field, { pattern: '\\S' });
const hasItems: Rule = (field) => mapType(field, 'array', { minItems: 1 });
const isAssignment: Rule = (field) => mapTexts(field, { pattern: '=' });
const isCron: Rule = (field) => mapTexts(field, { pattern: cron });

/** The loader's rules for a field beyond its authored shape, as far as a schema can express them. */
const rules: Partial<Record<ShapeName, Readonly<Record<string, Rule>>>> = {
  workflow: {
    steps: (field) => mapType(hasItems(hasText(field)), 'object', { minProperties: 1 }),
    shell: (field) => hasItems(hasTextAlone(field)),
    env: isAssignment,
    preconditions: hasText,
    schedule: isCron,
  },
  step: {
    name: (field) => ({ ...field, pattern: '^(?=[^\\u0000-\\u001f]*\\S)[^\\u0000-\\u001f]+$' }),
    command: (field) => hasItems(hasTextAlone(field)),
    script: hasText,
    run: hasText,
    parallel: hasTextAlone,
    shell: (field) => hasItems(hasTextAlone(field)),
    shellPackages: (field) => mapTexts(field, { pattern: '^(?!-)[\\s\\S]*\\S' }),
    env: isAssignment,
    stdout: hasText,
    stderr: hasText,
    output: hasText,
    preconditions: hasText,
    continueOn: (field) => replaceText(field, continueOnWords),
    signalOnStop: (field) => ({ ...withoutType(field), anyOf: signalWords }),
    type: (field) => replaceText(nameType(field), stepTypeWords),
  },
  handlers: Object.fromEntries(
    ['init', 'success', 'failure', 'abort', 'exit'].map((handler) => [handler, hasText]),
  ),
  retryPolicy: { backoff: (field) => mapType(field, 'number', { exclusiveMinimum: 1 }) },
  schedule: { start: isCron, stop: isCron, restart: isCron },
  checkedParams: { schema: hasText },
  secret: {
    key: hasText,
    provider: (field) => ({
      ...withoutType(field),
      enum: secretProviders,
      enumDescriptions: [
        'Stored secret of the home.',
        'Environment variable of the engine or the workflow.',
        'Content of a file.',
        'Entry of the desktop app keychain, or the stored secret of this name.',
        'Output of a command.',
        'Field of a secret in HashiCorp Vault.',
      ],
    }),
  },
};

/** Lists words with descriptions, and a pattern for other spellings, which editors do not suggest. */
function listWords(args: Readonly<Record<string, string>>, others: Schema): Schema[] {
  return [
    { enum: Object.keys(args), enumDescriptions: Object.values(args) },
    { type: 'string', ...others },
  ];
}

/** Returns a case-insensitive pattern of words. */
const caseInsensitive = (args: readonly string[]): string =>
  args
    .map((word) => word.replaceAll(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`))
    .join('|');

const continueOnWords = listWords(
  { failed: 'Continue after any failure.', skipped: 'Continue if the step was skipped.' },
  { pattern: `^(${caseInsensitive(['failed', 'skipped'])})$` },
);
const bareSignals = stopSignals.map((signal) => signal.replace(/^SIG/, ''));
const signalWords = [
  { enum: stopSignals },
  { type: 'string', pattern: `^\\s*(${caseInsensitive(['sig'])})?(${caseInsensitive(bareSignals)})\\s*$` },
];
const stepTypes = [...plainStepTypes, ...executorTypes, ...Object.keys(executorAliases)].filter(
  (type) => type !== '',
);
const stepTypeWords = listWords(Object.fromEntries(stepTypes.map((type) => [type, explainStepType(type)])), {
  maxLength: 0,
});

/** Adds the loader's rules to the fields of a map. */
export function addRules(schema: Schema, shape: ShapeName | undefined): Schema {
  if (shape === undefined) return schema;
  const properties = Object.entries(schema['properties'] as Readonly<Record<string, Schema>>).map(
    ([key, field]) => {
      const ruled = rules[shape]?.[key]?.(field) ?? field;
      return [key, needed[shape]?.includes(key) === false ? allowEmpty(ruled) : ruled] as const;
    },
  );
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** An empty field counts as absent. */
function allowEmpty(field: Schema): Schema {
  if (Array.isArray(field['anyOf'])) return { ...field, anyOf: [...(field['anyOf'] as Schema[]), isNull] };
  if (typeof field['type'] === 'string') return { ...field, type: [field['type'], 'null'] };
  const { description, examples, ...rest } = field;
  return { ...(description === undefined ? {} : { description, examples }), anyOf: [rest, isNull] };
}

function withoutType(field: Schema): Schema {
  const { type: _, ...rest } = field;
  return rest;
}

const mapTexts = (field: Schema, extra: Schema): Schema => mapType(field, 'string', extra);

/** Adds to every branch of a type: alternatives and list items, but not the contents of maps. */
function mapType(field: Schema, type: string, extra: Schema): Schema {
  const within = (node: unknown): Schema => mapType(node as Schema, type, extra);
  return {
    ...field,
    ...(field['type'] === type && extra),
    ...(Array.isArray(field['anyOf']) && { anyOf: field['anyOf'].map(within) }),
    ...(field['items'] !== undefined && { items: within(field['items']) }),
  };
}

/** Adds to the alternative of a single string, not to strings in a list. */
function hasTextAlone(field: Schema): Schema {
  return replaceText(field, [{ type: 'string', pattern: '\\S' }]);
}

/** Replaces the alternative of a single string. */
function replaceText(field: Schema, alternatives: readonly Schema[]): Schema {
  const branches = field['anyOf'] as readonly Schema[];
  return {
    ...field,
    anyOf: branches.flatMap((branch) => (branch['type'] === 'string' ? alternatives : [branch])),
  };
}

/** The step type inside a map of `type` and `config`. */
function nameType(field: Schema): Schema {
  const branches = field['anyOf'] as readonly Schema[];
  return {
    ...field,
    anyOf: branches.map((branch) => {
      const properties = branch['properties'] as Readonly<Record<string, Schema>> | undefined;
      if (properties === undefined) return branch;
      const kind = { ...withoutType(properties['type']!), anyOf: stepTypeWords };
      return { ...branch, properties: { ...properties, type: kind } };
    }),
  };
}
