import { useContext, useState } from 'react';
import type { JsonValue } from '../../../core/base/json.ts';
import type { ConfigField } from '../../../core/model/executor-config.ts';
import {
  executorTypes,
  findExecutorType,
  getStepType,
  type StepType,
} from '../../../core/model/step-types.ts';
import type { AuthoredPath } from '../../../core/edit/outline.ts';
import { kindNames } from '../../format/labels.ts';
import { NativeSelect } from '../../ui/choices.tsx';
import { getLabel, type FieldSpec, type WidgetKind } from './field-specs.ts';
import {
  FieldSearchContext,
  useForm,
  type WidgetProps,
  useStableCaret,
  useDraft,
  getValueText,
} from './form-context.ts';
import styles from './inspector.module.css';

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

/** Returns the registration of a step type; undefined if it has no options. */
function findStepType(name: string): StepType | undefined {
  const type = findExecutorType(name);
  return type && getStepType(type);
}

/** Returns the fields of a step type's configuration; undefined if it has none. */
export function configSpecs(type: string): readonly FieldSpec[] | undefined {
  const registration = findStepType(type);
  return registration && Object.entries(registration.config).map(([name, field]) => toSpec(name, field));
}

/** Adapts a field of a step to its type; for example, the meaning of `command` depends on the type. */
export function specForStepType(type: unknown, spec: FieldSpec): FieldSpec {
  const words = typeof type === 'string' ? findStepType(type)?.fields : undefined;
  const description = words?.[spec.name as keyof typeof words];
  if (description === undefined) return spec;
  const { example: _, ...others } = spec;
  return { ...others, description };
}

/** Whether steps of a type can have a command. */
export const acceptsCommand = (type: string): boolean => findStepType(type)?.command !== 'refused';

function toSpec(name: string, { kind, description, example, values = [], required }: ConfigField): FieldSpec {
  const isSeconds = kind === 'number' && /timeout/i.test(name);
  const long = kind === 'text' ? longTexts[name] : undefined;
  return {
    name,
    label: getLabel(name),
    description: required === true ? `${description} Required.` : description,
    ...(example !== undefined && { example: getExample(kind, example) }),
    widget: isSeconds ? 'seconds' : (long ?? kinds[kind]),
    choices: values.map((value) => ({ value })),
    fields: [],
  };
}

/**
 * Returns the placeholder of an empty field; for a list of strings the first one, which is typed without
 * brackets.
 */
function getExample(kind: ConfigField['kind'], example: JsonValue): string {
  const shown = kind === 'textList' && Array.isArray(example) ? example[0]! : example;
  return typeof shown === 'object' ? JSON.stringify(shown) : String(shown);
}

/** The value as YAML, for a value that no other widget can show without loss. */
export function YamlWidget({ path, state, label, inputId, describedBy, isInvalid, example }: WidgetProps) {
  const form = useForm();
  const { draft, value: typed } = useDraft({
    text: state?.source ?? '',
    commit: (yaml) => form.set(path, yaml.trim() === '' ? undefined : { yaml }),
    isLive: false,
  });
  const control = useStableCaret<HTMLTextAreaElement>(typed);
  return (
    <textarea
      ref={control}
      id={inputId}
      className={styles.area}
      data-code=""
      rows={Math.min(14, Math.max(2, typed.split('\n').length))}
      value={typed}
      placeholder={example}
      aria-label={`${label} as YAML`}
      aria-describedby={describedBy}
      aria-invalid={isInvalid || undefined}
      spellCheck="false"
      onChange={(event) => draft.change(event.target.value)}
      onBlur={draft.leave}
    />
  );
}

/** The options of the chosen step type; YAML for an unknown type. */
export function ConfigWidget(props: WidgetProps) {
  const form = useForm();
  const type = getValueText(form.getState(['type'])?.value);
  return configSpecs(type) === undefined ? (
    <YamlWidget {...props} />
  ) : (
    <ConfigFields type={type} path={props.path} />
  );
}

const fold = (key: string): string => key.replaceAll(/[_-]/g, '').toLowerCase();

/** The fields of a configuration, each under the key that the author used; unset rare ones on request. */
function ConfigFields({ type, path }: { readonly type: string; readonly path: AuthoredPath }) {
  const form = useForm();
  const isFiltered = useContext(FieldSearchContext) !== '';
  const [withAll, setWithAll] = useState(false);
  const value = form.getState(path)?.value;
  const keys = value !== null && typeof value === 'object' ? Object.keys(value) : [];
  const table = findStepType(type)?.config;
  const rows = (configSpecs(type) ?? []).map((spec) => {
    const key = keys.find((each) => fold(each) === fold(spec.name));
    const row = [...path, key ?? spec.name];
    const isRare =
      key === undefined && table?.[spec.name]?.isAdvanced === true && form.issuesAt(row, []).length === 0;
    return { spec, path: row, isRare };
  });
  const hidden = rows.filter(({ isRare }) => isRare).length;
  return (
    <div className={styles.subForm}>
      {rows.map((row) =>
        row.isRare && !withAll && !isFiltered ? null : (
          <form.Row key={row.spec.name} spec={row.spec} path={row.path} />
        ),
      )}
      {hidden > 0 && !isFiltered && (
        <button type="button" className={styles.more} onClick={() => setWithAll(!withAll)}>
          {withAll ? 'Fewer options' : `More options (${hidden})`}
        </button>
      )}
    </div>
  );
}

/** The step type. */
export function TypeWidget(props: WidgetProps) {
  const { path, state, inputId, describedBy, isInvalid, isMixed } = props;
  const form = useForm();
  const value = state?.value;
  const map = value !== null && typeof value === 'object' && !Array.isArray(value) ? value : undefined;
  const type = getValueText(map ? map['type'] : value);
  const at = map ? [...path, 'type'] : path;
  const isKnown = type === '' || executorTypes.some((each) => each === type);
  return (
    <>
      <NativeSelect
        id={inputId}
        isField
        value={type}
        aria-describedby={describedBy}
        aria-invalid={isInvalid || undefined}
        onChange={(event) =>
          void form.set(at, event.target.value === '' ? undefined : { value: event.target.value })
        }
      >
        <option value="">{isMixed ? 'Multiple values' : 'Command, script or workflow'}</option>
        {!isKnown && <option value={type}>{type}</option>}
        {executorTypes.map((each) => (
          <option key={each} value={each}>
            {`${kindNames[each]} (${each})`}
          </option>
        ))}
      </NativeSelect>
      {map && <ConfigFields type={type} path={[...path, 'config']} />}
    </>
  );
}
