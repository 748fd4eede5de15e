import { ArrowLeft, ListChecks, ListEnd, Play } from 'lucide-react';
import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { RunRef } from '../../../core/model/run.ts';
import type { ParamForm } from '../../../core/model/param-form.ts';
import type { RunConfig } from '../../../core/model/settings.ts';
import type { Parameter } from '../../../core/model/workflow.ts';
import { Button } from '../../ui/button.tsx';
import { DialogActions, Dialog, FormErrorNotice } from '../../ui/dialog.tsx';
import { useEnqueueDag, useStartDag } from '../../api/workflow-queries.ts';
import { FieldErrorScope } from '../../ui/fields.tsx';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { paths } from '../../navigation/address.ts';
import { showError } from '../../ui/toasts.tsx';
import styles from './start.module.css';
import { DryRunPanel } from './dry-run-panel.tsx';
import { findUnencodableParam, formatParams, needsValues, startValues, toParamForm } from './param-values.ts';
import { StartFields, type StartAnswers, UnsendableNotice } from './param-input.tsx';

interface StartActionsProps {
  /** Whether the dry run is shown instead of the parameters. */
  readonly isChecking: boolean;
  /** Whether the input cannot be sent. */
  readonly isBlocked: boolean;
  /** The pending action. */
  readonly pending: 'run' | 'queue' | undefined;
  readonly onCheck: (isChecking: boolean) => void;
  readonly onQueue: () => void;
  readonly onClose: () => void;
}

/** The footer of the start dialog; "Run" submits its form. */
function StartActions(props: StartActionsProps) {
  const { isChecking, isBlocked, pending, onCheck, onQueue, onClose } = props;
  return (
    <DialogActions>
      <Button
        variant="quiet"
        icon={isChecking ? ArrowLeft : ListChecks}
        onPress={() => onCheck(!isChecking)}
        isDisabled={isBlocked}
      >
        {isChecking ? 'Back' : 'Dry run'}
      </Button>
      <span className={styles.space} />
      <Button onPress={onClose}>Cancel</Button>
      <Button
        icon={ListEnd}
        isPending={pending === 'queue'}
        isDisabled={isBlocked || pending === 'run'}
        onPress={onQueue}
      >
        Queue
      </Button>
      <Button
        variant="primary"
        type="submit"
        icon={Play}
        isPending={pending === 'run'}
        isDisabled={isBlocked || pending === 'queue'}
      >
        Run
      </Button>
    </DialogActions>
  );
}

interface StartDialogProps {
  readonly fileName: string;
  readonly name: string;
  readonly form: ParamForm;
  readonly runConfig?: RunConfig;
  /** Parameters of the last run, to offer. */
  readonly earlier?: readonly Parameter[] | undefined;
  /** Initial values instead of the defaults, from the run to repeat. */
  readonly initial?: readonly Parameter[];
  /** Whether to start with the dry run instead of the parameters. */
  readonly checkFirst?: boolean;
  readonly onClose: () => void;
  readonly onStarted: (run: RunRef) => void;
}

/**
 * Asks for a workflow's parameters, optionally does a dry run, and starts or queues the run. If the engine
 * rejects, the dialog says why.
 */
export function StartDialog(props: StartDialogProps) {
  const { fileName, name, form, runConfig = {}, initial = [], earlier, checkFirst = false } = props;
  const [answers, setAnswers] = useState<StartAnswers>(() => {
    return { values: startValues(form, initial), runId: '' };
  });
  const [isChecking, setChecking] = useState(checkFirst);
  const [start, enqueue] = [useStartDag(), useEnqueueDag()];
  const error = start.error ?? enqueue.error;
  const unsendable = findUnencodableParam(form.fields, answers.values);
  const text = formatParams(form.fields, answers.values);
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
      <form className={styles.form} onSubmit={submit} noValidate>
        <FieldErrorScope error={error}>
          {isChecking ? (
            <DryRunPanel fileName={fileName} params={text} />
          ) : (
            <StartFields
              form={form}
              runConfig={runConfig}
              answers={answers}
              earlier={earlier}
              onChange={setAnswers}
            />
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

interface Question {
  readonly fileName: string;
  readonly name: string;
  readonly form: ParamForm;
  readonly earlier: readonly Parameter[] | undefined;
  readonly runConfig: RunConfig | undefined;
  readonly initial: readonly Parameter[];
  readonly checkFirst: boolean;
}

interface BeginOptions {
  /** Parameters of the run to repeat. */
  readonly initial?: readonly Parameter[];
  /** Starts with the defaults even if there are parameters, unless a required one has no default. */
  readonly withoutAsking?: boolean;
  /** Opens the dialog with the dry run. */
  readonly checkFirst?: boolean;
  /** If no dialog is needed: queues the run instead of starting it. */
  readonly inQueue?: boolean;
}

/**
 * Starts a workflow: immediately without parameters, otherwise after asking for them. The new run is then
 * opened. The caller renders `dialog`.
 */
export function useStartRun() {
  const bridge = useBridge();
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const [question, setQuestion] = useState<Question>();
  const [pending, setPending] = useState<string>();

  const show = (run: RunRef): void => {
    setQuestion(undefined);
    navigate(paths.run(run.name, run.dagRunId));
  };
  const begin = async (fileName: string, options: BeginOptions = {}) => {
    const { initial = [], withoutAsking = false, checkFirst = false, inQueue = false } = options;
    setPending(fileName);
    try {
      const { workflow, paramForm, latestRun } = await cache.fetchQuery({
        queryKey: queryKeys.dag(fileName),
        queryFn: () => bridge.call('dags.get', { fileName }),
      });
      const form = workflow && (paramForm ?? toParamForm(workflow));
      const isAsked = form !== undefined && form.fields.length > 0 && (!withoutAsking || needsValues(form));
      if (workflow && form && (checkFirst || isAsked)) {
        const { name, runConfig } = workflow;
        setQuestion({ fileName, name, form, earlier: latestRun?.params, runConfig, initial, checkFirst });
      } else {
        show(await bridge.call(inQueue ? 'dags.enqueue' : 'dags.start', { fileName }));
      }
    } catch (error) {
      showError(error);
    } finally {
      setPending(undefined);
    }
  };
  const dialog = question && (
    <StartDialog {...question} onClose={() => setQuestion(undefined)} onStarted={show} />
  );
  return {
    begin: (fileName: string, options?: BeginOptions) => void begin(fileName, options),
    dialog,
    pending,
  };
}
