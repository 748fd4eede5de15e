import { FolderOpen, History } from 'lucide-react';
import { useId } from 'react';
import type { ParamField, ParamForm } from '../../../core/model/param-form.ts';
import type { Parameter } from '../../../core/model/workflow.ts';
import type { RunConfig } from '../../../core/model/settings.ts';
import { useBridge } from '../../api/bridge.ts';
import { NativeSelect, Switch } from '../../ui/choices.tsx';
import { PasswordField, TextField, useFieldError } from '../../ui/fields.tsx';
import fields from '../../ui/fields.module.css';
import { showError } from '../../ui/toasts.tsx';
import { MultilineField } from '../../ui/text-box.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/state.tsx';
import { isComputed, findOtherValues, type ParamValues } from './param-values.ts';
import styles from './start.module.css';

interface ParamInputProps {
  readonly field: ParamField;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Why the value cannot be changed. */
  readonly locked: string | undefined;
  readonly autoFocus: boolean;
}

/** The control for one parameter, chosen by its type. */
export function ParamInput({ field, value, onChange, locked, autoFocus }: ParamInputProps) {
  const label = field.title ?? (/^\d+$/.test(field.name) ? `Parameter ${field.name}` : field.name);
  const note = locked ?? describe(field, value);
  const shared = {
    label,
    name: `params.${field.name}`,
    value,
    onChange,
    isRequired: field.required,
    ...(note !== '' && { description: note }),
  };
  if (locked !== undefined) return <TextField {...shared} value={hide(field, value)} isReadOnly />;
  if (field.choices !== undefined) return <ChoiceInput {...shared} field={field} autoFocus={autoFocus} />;
  if (field.type === 'boolean' && !isComputed(field)) return <SwitchInput {...shared} />;
  if (field.format === 'password') return <PasswordField {...shared} kind="new" autoFocus={autoFocus} />;
  if (field.format === 'multiline' || field.type === 'array' || field.type === 'object') {
    return (
      <MultilineField
        label={label}
        name={shared.name}
        text={value}
        onChange={onChange}
        rows={4}
        isRequired={field.required}
        {...(note !== '' && { help: note })}
      />
    );
  }
  if (field.format === 'file' || field.format === 'folder')
    return <PathInput {...shared} kind={field.format} autoFocus={autoFocus} />;
  return <TextField {...shared} {...getInputType(field)} autoFocus={autoFocus} />;
}

/** Types of native inputs by format, for values that these can show. */
const inputTypes: Readonly<Record<string, 'date' | 'time' | 'datetime-local'>> = {
  date: 'date',
  time: 'time',
  'date-time': 'datetime-local',
};

/** A native input cannot show a computed default. */
function getInputType(field: ParamField): Partial<React.ComponentProps<typeof TextField>> {
  if (isComputed(field)) return {};
  const { type, format = '', minimum: min, maximum: max } = field;
  if (type === 'integer' || type === 'number') {
    const limits = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
    return { type: 'number', limits: { step: type === 'integer' ? 1 : 'any', ...limits } };
  }
  const inputType = Object.hasOwn(inputTypes, format) ? inputTypes[format] : undefined;
  return inputType === undefined ? {} : { type: inputType };
}

interface ControlProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isRequired: boolean;
  readonly description?: string;
}

/** A path of the engine's machine. The desktop app offers the dialog of the system. */
function PathInput({ kind, ...props }: ControlProps & { kind: 'file' | 'folder'; autoFocus: boolean }) {
  const { desktop } = useBridge();
  const { label, value, onChange } = props;
  const notes = [props.description, kind === 'folder' ? describeFolder(value) : undefined];
  const description = notes.filter((text) => text !== undefined).join(' · ');
  const choose = async (call: NonNullable<typeof desktop>['call']): Promise<void> => {
    try {
      const { path } = await call('files.choose', { kind, title: label, current: value });
      if (path !== undefined) onChange(path);
    } catch (error) {
      showError(error);
    }
  };
  if (desktop === undefined) return <TextField {...props} description={description} />;
  const action = {
    label: `Choose ${kind} for ${label}`,
    icon: FolderOpen,
    onPress: () => void choose(desktop.call),
  };
  return <TextField {...props} description={description} action={action} />;
}

/** Where a path starts. Absolute paths and those that start with a variable need no hint. */
function describeFolder(value: string): string | undefined {
  if (value.startsWith('~')) return '~ is not expanded here. Enter an absolute path.';
  if (value === '' || /^(?:[/\\$%]|[A-Za-z]:[/\\])/.test(value)) return undefined;
  return 'Relative to the workflow’s working folder, by default the folder of its file';
}

/** A choice of one of the allowed values. */
function ChoiceInput({
  field,
  autoFocus,
  ...props
}: ControlProps & Pick<ParamInputProps, 'field' | 'autoFocus'>) {
  const { label, name, value, onChange, isRequired, description } = props;
  const id = useId();
  const message = useFieldError(name, value);
  const note = message ?? description;
  const { choices = [] } = field;
  const extra = findExtraChoice(field, value);
  return (
    <div className={fields.field} data-invalid={message !== undefined || undefined}>
      <div className={fields.labelLine}>
        <label className={fields.label} htmlFor={id}>
          {label}
        </label>
        {isRequired && <RequiredMark />}
      </div>
      <NativeSelect
        isField
        id={id}
        name={name}
        value={value}
        aria-required={isRequired}
        autoFocus={autoFocus}
        aria-invalid={message !== undefined}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.value)}
      >
        {extra && <option value={extra.value}>{extra.label}</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.title ?? (choice.value === '' ? 'Empty' : choice.value)}
          </option>
        ))}
      </NativeSelect>
      {note !== undefined && (
        <span id={`${id}-note`} className={fields.help}>
          {note}
        </span>
      )}
    </div>
  );
}

/** Returns an option next to the choices: no value, a computed default, or a value that is not allowed any more. */
function findExtraChoice(field: ParamField, value: string): { value: string; label: string } | undefined {
  const { choices = [], default: written, required } = field;
  if (isComputed(field) && written !== undefined) return { value: written, label: written };
  if (choices.some((choice) => choice.value === value)) {
    const canBeUnset = written === undefined && !choices.some((choice) => choice.value === '');
    return canBeUnset ? { value: '', label: required ? 'Select…' : 'Not set' } : undefined;
  }
  return { value, label: value !== '' ? value : required ? 'Select…' : 'Not set' };
}

/** A value that is on or off. */
function SwitchInput({ label, name, value, onChange, description }: ControlProps) {
  const message = useFieldError(name, value);
  const note = message ?? description;
  return (
    <div className={fields.field} data-invalid={message !== undefined || undefined}>
      <Switch
        label={label}
        isSelected={value === 'true'}
        onChange={(isSelected) => onChange(String(isSelected))}
      />
      {note !== undefined && <span className={fields.help}>{note}</span>}
    </div>
  );
}

const RequiredMark = () => (
  <span className={fields.needed} aria-hidden="true">
    required
  </span>
);

const hide = ({ format }: ParamField, value: string): string =>
  format === 'password' && value !== '' ? '*******' : value;

const pathNotes: Readonly<Record<string, string>> = { file: 'Path of a file', folder: 'Path of a folder' };
const typeNotes: Partial<Record<ParamField['type'], string>> = { array: 'JSON list', object: 'JSON object' };

/** The help text: what the parameter is, its limits, and the default if another value is shown. */
function describe(field: ParamField, value: string): string {
  const { description, type, minimum, maximum, format, default: written } = field;
  const limits =
    minimum !== undefined && maximum !== undefined
      ? `${minimum} to ${maximum}`
      : minimum !== undefined
        ? `At least ${minimum}`
        : maximum !== undefined
          ? `At most ${maximum}`
          : (typeNotes[type] ?? pathNotes[format ?? '']);
  const isShown = written === undefined || value === written || format === 'password';
  const sentences = [description, limits, isShown ? undefined : `Default: ${written || 'empty'}`];
  return sentences.filter((sentence) => sentence !== undefined).join(' · ');
}

/** Explains why a changed parameter cannot be sent, if there is one. */
export const UnsendableNotice = ({ param }: { readonly param: Parameter | undefined }) =>
  param && (
    <Notice tone="error">{`Parameter ${param.name} cannot be passed. Use only letters, digits, "_", "." and "-" in its name.`}</Notice>
  );

/** The input of the start dialog. */
export interface StartAnswers {
  /** By parameter name. */
  readonly values: ParamValues;
  /** Empty to generate an id. */
  readonly runId: string;
}

interface StartFieldsProps {
  readonly form: ParamForm;
  readonly runConfig: RunConfig;
  readonly answers: StartAnswers;
  /** Parameters of the last run, to offer. */
  readonly earlier?: readonly Parameter[] | undefined;
  readonly onChange: (answers: StartAnswers) => void;
}

/** Fields for the parameters and the id of a run, as far as the workflow allows changing them (`runConfig`). */
export function StartFields({ form, runConfig, answers, earlier = [], onChange }: StartFieldsProps) {
  const { values, runId } = answers;
  const isIdLocked = runConfig.disableRunIdEdit === true;
  const locked =
    runConfig.disableParamEdit === true
      ? 'Read-only: the workflow sets runConfig.disableParamEdit.'
      : undefined;
  const offered = locked === undefined ? findOtherValues(form, earlier, values) : {};
  return (
    <div className={styles.fields}>
      {form.problem !== undefined && <Notice tone="warning">{form.problem}</Notice>}
      {Object.keys(offered).length > 0 && (
        <div>
          <Button
            size="small"
            icon={History}
            onPress={() => onChange({ runId, values: { ...values, ...offered } })}
          >
            Use values of the last run
          </Button>
        </div>
      )}
      {form.fields.map((field, index) => (
        <ParamInput
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          onChange={(value) => onChange({ runId, values: { ...values, [field.name]: value } })}
          // The dialog is opened to type; focusing the first field saves a key press.
          autoFocus={index === 0}
          locked={locked}
        />
      ))}
      <TextField
        label="Run ID"
        name="dagRunId"
        value={runId}
        onChange={(value) => onChange({ values, runId: value })}
        isReadOnly={isIdLocked}
        description={
          isIdLocked
            ? 'Always generated: the workflow sets runConfig.disableRunIdEdit.'
            : 'Generated if left blank.'
        }
      />
    </div>
  );
}
