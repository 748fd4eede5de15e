import { History } from 'lucide-react';
import type { ParamForm } from '../../../core/model/param-form.ts';
import type { Parameter } from '../../../core/model/workflow.ts';
import type { RunConfig } from '../../../core/model/settings.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/state.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ParamInput } from './param-input.tsx';
import { findOtherValues, type ParamValues } from './param-values.ts';
import styles from './start.module.css';

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
