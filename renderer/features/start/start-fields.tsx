import type { RunConfig } from '../../../core/model/settings.ts';
import type { Parameter } from '../../../core/model/workflow/workflow.ts';
import { TextField } from '../../ui/controls/text-field.tsx';
import styles from './start.module.css';

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
          {...describe(param, values[param.name], isLocked)}
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

function describe(
  { value }: Parameter,
  now: string | undefined,
  isLocked: boolean,
): { description?: string } {
  if (isLocked) return { description: 'Read-only: the workflow sets runConfig.disableParamEdit.' };
  return now === value ? {} : { description: `Default: ${value || 'empty'}` };
}
