import type { Parameter } from '../../../core/model/workflow.ts';
import { formatParamText, isParamName } from '../../../core/spec/params.ts';
import type { RunConfig } from '../../../core/model/settings.ts';
import { Notice } from '../../ui/state.tsx';
import { TextField } from '../../ui/fields.tsx';
import styles from './start.module.css';

type Values = Readonly<Record<string, string>>;

/**
 * Formats the parameters of a run, as after `--params` on the command line. Unchanged values are omitted, so
 * that computed defaults are still computed at run time.
 */
export const formatParams = (params: readonly Parameter[], values: Values): string =>
  formatParamText(listChanged(params, values));

/** Returns a changed parameter whose name cannot be written in this format, if any. */
export const findUnencodableParam = (params: readonly Parameter[], values: Values): Parameter | undefined =>
  listChanged(params, values).find(({ name }) => !isParamName(name));

const listChanged = (params: readonly Parameter[], values: Values): Parameter[] =>
  params
    .map(({ name, value }) => ({ name, value: values[name] ?? value, before: value }))
    .filter(({ value, before }) => value !== before);

/** Explains why a changed parameter cannot be sent, if there is one. */
export const UnsendableNotice = ({ param }: { readonly param: Parameter | undefined }) =>
  param && (
    <Notice tone="error">{`Parameter ${param.name} cannot be passed. Use only letters, digits, "_", "." and "-" in its name.`}</Notice>
  );

/** The input of the start dialog. */
export interface StartAnswers {
  /** By parameter name. */
  readonly values: Readonly<Record<string, string>>;
  /** Empty to generate an id. */
  readonly runId: string;
}

interface StartFieldsProps {
  readonly params: readonly Parameter[];
  readonly runConfig: RunConfig;
  readonly answers: StartAnswers;
  readonly onChange: (answers: StartAnswers) => void;
}

/** Fields for the parameters and the id of a run, as far as the workflow allows changing them (`runConfig`). */
export function StartFields({ params, runConfig, answers, onChange }: StartFieldsProps) {
  const { values, runId } = answers;
  const isLocked = runConfig.disableParamEdit === true;
  const isIdLocked = runConfig.disableRunIdEdit === true;
  return (
    <div className={styles.fields}>
      {params.map((param, index) => (
        <TextField
          key={param.name}
          label={/^\d+$/.test(param.name) ? `Parameter ${param.name}` : param.name}
          value={values[param.name] ?? ''}
          onChange={(value) => onChange({ runId, values: { ...values, [param.name]: value } })}
          // The dialog is opened to type; focusing the first field saves a key press.
          autoFocus={index === 0 && !isLocked}
          isReadOnly={isLocked}
          {...toDescription(param, values[param.name], isLocked)}
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

function toDescription(
  { value }: Parameter,
  now: string | undefined,
  isLocked: boolean,
): { description?: string } {
  if (isLocked) return { description: 'Read-only: the workflow sets runConfig.disableParamEdit.' };
  return now === value ? {} : { description: `Default: ${value || 'empty'}` };
}
