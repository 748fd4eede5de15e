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

/** Texts over several lines: those that people write for people, and data. */
const longTexts: Readonly<Record<string, WidgetKind>> = {
  message: 'prose',
  question: 'prose',
  body: 'lines',
  input: 'lines',
  details: 'lines',
};

/** What a kind of step looks like; undefined for one without options of its own. */
function rulesOf(type: string): ExecutorRules | undefined {
  const executor = executorAliases[type] ?? executorTypes.find((each) => each === type);
  return executor && executorRules[executor];
}

/** The fields of the configuration of a kind of step; undefined for one that has none of its own. */
export function configSpecs(type: string): readonly FieldSpec[] | undefined {
  const rules = rulesOf(type);
  return rules && Object.entries(rules.table).map(([name, field]) => toSpec(name, field));
}

/** Whether a step of that kind may have a command. */
export const takesCommand = (type: string): boolean => rulesOf(type)?.command !== 'refused';

function toSpec(name: string, { kind, description, example, values = [], required }: ConfigField): FieldSpec {
  const isSeconds = kind === 'number' && /timeout/i.test(name);
  const long = kind === 'text' ? longTexts[name] : undefined;
  return {
    name,
    label: labelOf(name),
    description: required === true ? `${description} Needed.` : description,
    ...(example !== undefined && {
      example: typeof example === 'object' ? JSON.stringify(example) : String(example),
    }),
    widget: isSeconds ? 'seconds' : (long ?? kinds[kind]),
    choices: values.map((value) => ({ value })),
    fields: [],
  };
}
