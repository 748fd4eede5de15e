import { Play } from 'lucide-react';
import { useState } from 'react';
import { toAppError } from '../../../core/base/errors.ts';
import type { RunRef } from '../../../core/model/run.ts';
import type { Parameter } from '../../../core/model/workflow.ts';
import { useStartDag } from '../../api/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { findUnsendable, formatParams } from './format-params.ts';
import styles from './start.module.css';

interface StartDialogProps {
  readonly fileName: string;
  readonly name: string;
  readonly params: readonly Parameter[];
  /** Values to begin with instead of the defaults, from a run that is to be repeated. */
  readonly initial?: readonly Parameter[];
  readonly onClose: () => void;
  readonly onStarted: (run: RunRef) => void;
}

/** Asks for a workflow's parameters and starts it. What the engine refuses is said in the dialog. */
export function StartDialog({ fileName, name, params, initial = [], onClose, onStarted }: StartDialogProps) {
  const [values, setValues] = useState(() => collectValues([...params, ...initial]));
  const start = useStartDag();
  const unsendable = findUnsendable(params, values);
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    const text = formatParams(params, values);
    start.mutate({ fileName, ...(text !== '' && { params: text }) }, { onSuccess: onStarted });
  };
  return (
    <Dialog title={`Run ${name}`} onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <div className={styles.fields}>
          {params.map((param, index) => (
            <TextField
              key={param.name}
              label={/^\d+$/.test(param.name) ? `Parameter ${param.name}` : param.name}
              value={values[param.name] ?? ''}
              onChange={(value) => setValues({ ...values, [param.name]: value })}
              // Where one came to type; a dialog without a field in focus would cost a key press.
              autoFocus={index === 0}
              {...(values[param.name] !== param.value && {
                description: `Default: ${param.value || 'empty'}`,
              })}
            />
          ))}
        </div>
        {unsendable && (
          <Notice tone="error">{`${unsendable.name} cannot be passed on: it mixes quotes and backslashes in a way that parameters cannot hold.`}</Notice>
        )}
        {start.error && <Notice tone="error">{toAppError(start.error).message}</Notice>}
        <div className={styles.foot}>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            look="primary"
            type="submit"
            icon={Play}
            isPending={start.isPending}
            isDisabled={unsendable !== undefined}
          >
            Run
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const collectValues = (params: readonly Parameter[]): Record<string, string> =>
  Object.fromEntries(params.map(({ name, value }) => [name, value]));
