import { useState } from 'react';
import type { RunRef } from '../../../core/model/run/run.ts';
import type { RunConfig } from '../../../core/model/settings.ts';
import type { Parameter } from '../../../core/model/workflow/workflow.ts';
import { useEnqueueDag, useStartDag } from '../../api/queries/workflows/workflow-queries.ts';
import { FieldErrorScope } from '../../ui/controls/field-error-scope.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { FormErrorNotice } from '../../ui/overlay/refusal-notice.tsx';
import { DryRunPanel } from '../dry/dry-run-panel.tsx';
import { findUnencodableParam, formatParams } from './format-params.ts';
import { StartActions } from './start-actions.tsx';
import { StartFields, type StartAnswers } from './start-fields.tsx';
import { UnsendableNotice } from './unsendable-notice.tsx';
import styles from './start.module.css';

interface StartDialogProps {
  readonly fileName: string;
  readonly name: string;
  readonly params: readonly Parameter[];
  readonly runConfig?: RunConfig;
  /** Initial values instead of the defaults, from the run to repeat. */
  readonly initial?: readonly Parameter[];
  /** Whether to start with the dry run instead of the parameters. */
  readonly checkFirst?: boolean;
  readonly onClose: () => void;
  readonly onStarted: (run: RunRef) => void;
}

/**
 * Asks for a workflow's parameters, optionally does a dry run, and starts or queues the run. If the engine
 * rejects, the dialog shows the reason.
 */
export function StartDialog(props: StartDialogProps) {
  const { fileName, name, params, runConfig = {}, initial = [], checkFirst = false } = props;
  const [answers, setAnswers] = useState<StartAnswers>(() => {
    return { values: collectValues([...params, ...initial]), runId: '' };
  });
  const [isChecking, setChecking] = useState(checkFirst);
  const [start, enqueue] = [useStartDag(), useEnqueueDag()];
  const error = start.error ?? enqueue.error;
  const unsendable = findUnencodableParam(params, answers.values);
  const text = formatParams(params, answers.values);
  const dagRunId = answers.runId.trim();
  const send = (startMode: typeof start, other: typeof start): void => {
    const input = { fileName, ...(text !== '' && { params: text }), ...(dagRunId !== '' && { dagRunId }) };
    other.reset();
    startMode.mutate(input, { onSuccess: props.onStarted });
  };
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    send(start, enqueue);
  };
  return (
    <Dialog title={`Run ${name}`} size={isChecking ? 'wide' : 'normal'} onClose={props.onClose}>
      <form className={styles.form} onSubmit={submit}>
        <FieldErrorScope error={error}>
          {isChecking ? (
            <DryRunPanel fileName={fileName} params={text} />
          ) : (
            <StartFields params={params} runConfig={runConfig} answers={answers} onChange={setAnswers} />
          )}
          <UnsendableNotice param={unsendable} />
          <FormErrorNotice error={error} />
        </FieldErrorScope>
        <StartActions
          isChecking={isChecking}
          isBlocked={unsendable !== undefined}
          pending={start.isPending ? 'run' : enqueue.isPending ? 'queue' : undefined}
          onCheck={setChecking}
          onQueue={() => send(enqueue, start)}
          onClose={props.onClose}
        />
      </form>
    </Dialog>
  );
}

const collectValues = (params: readonly Parameter[]): Record<string, string> =>
  Object.fromEntries(params.map(({ name, value }) => [name, value]));
