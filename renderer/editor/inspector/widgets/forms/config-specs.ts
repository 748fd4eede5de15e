import type { JsonValue } from '../../../../../core/base/json.ts';
import { executorAliases, executorTypes } from '../../../../../core/model/executors/executor-type.ts';
import type { ConfigField } from '../../../../../core/model/executors/config-table.ts';
import { executorRules, type ExecutorRules } from '../../../../../core/spec/executors/rules.ts';
import { labelOf, type FieldSpec, type WidgetKind } from '../../form/field-specs.ts';

const kinds: Readonly<Record<ConfigField['kind'], WidgetKind>> = {
  text: 'text',
  number: 'number',
  flag: 'flag',
  textMap: 'pairs',
  textList: 'texts',
  choice: 'choice',
  json: 'yaml',
};

/** Multi-line strings: prose and data. */
const longTexts: Readonly<Record<string, WidgetKind>> = {
  message: 'prose',
  question: 'prose',
  body: 'lines',
  input: 'lines',
  details: 'lines',
};

/** Returns the rules of a step type; undefined if it has no options. */
function rulesOf(type: string): ExecutorRules | undefined {
  const executor = executorAliases[type] ?? executorTypes.find((each) => each === type);
  return executor && executorRules[executor];
}

/** Returns the fields of a step type's configuration; undefined if it has none. */
export function configSpecs(type: string): readonly FieldSpec[] | undefined {
  const rules = rulesOf(type);
  return rules && Object.entries(rules.table).map(([name, field]) => toSpec(name, field));
}

/** Adapts a field of a step to its type; for example, the meaning of `command` depends on the type. */
export function specForStepType(type: unknown, spec: FieldSpec): FieldSpec {
  const words = typeof type === 'string' ? rulesOf(type)?.words : undefined;
  const description = words?.[spec.name as keyof typeof words];
  if (description === undefined) return spec;
  const { example: _, ...others } = spec;
  return { ...others, description };
}

/** Whether steps of a type can have a command. */
export const acceptsCommand = (type: string): boolean => rulesOf(type)?.command !== 'refused';

function toSpec(name: string, { kind, description, example, values = [], required }: ConfigField): FieldSpec {
  const isSeconds = kind === 'number' && /timeout/i.test(name);
  const long = kind === 'text' ? longTexts[name] : undefined;
  return {
    name,
    label: labelOf(name),
    description: required === true ? `${description} Required.` : description,
    ...(example !== undefined && { example: exampleOf(kind, example) }),
    widget: isSeconds ? 'seconds' : (long ?? kinds[kind]),
    choices: values.map((value) => ({ value })),
    fields: [],
  };
}

/**
 * Returns the placeholder of an empty field; for a list of strings the first one, which is typed without
 * brackets.
 */
function exampleOf(kind: ConfigField['kind'], example: JsonValue): string {
  const shown = kind === 'textList' && Array.isArray(example) ? example[0]! : example;
  return typeof shown === 'object' ? JSON.stringify(shown) : String(shown);
}
