import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ListEnd, Play } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import type { ParamForm } from '../../../core/model/param-form.ts';
import type { RunRef } from '../../../core/model/run.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { Segmented } from '../../ui/choices.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogActions, Dialog, FormErrorNotice } from '../../ui/dialog.tsx';
import { useDag } from '../../api/workflow-queries.ts';
import { paths } from '../../navigation/address.ts';
import { LazyDiff } from '../../code/lazy-difference.ts';
import { FieldErrorScope } from '../../ui/fields.tsx';
import { Notice, QueryState } from '../../ui/state.tsx';
import { DryRunPanel } from '../start/dry-run-panel.tsx';
import { findUnencodableParam, formatParams, startValues, toParamForm } from '../start/param-values.ts';
import { UnsendableNotice, StartFields, type StartAnswers } from '../start/param-input.tsx';
import styles from './timeline.module.css';

interface RerunOptions {
  readonly run: RunDetailView;
  readonly fileName: string;
  /** Run the text of the run, not the current file. */
  readonly isOriginal: boolean;
  /** As after `--` on the command line; empty for the defaults. */
  readonly params: string;
  /** Empty to generate an id. */
  readonly runId: string;
}

/** Starts or queues a run modeled on an existing one. */
function useRerun({ run, fileName, isOriginal, params, runId }: RerunOptions) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const input = {
    ...(params !== '' && { params }),
    ...(runId.trim() !== '' && { dagRunId: runId.trim() }),
  };
  return useMutation({
    mutationFn: (mode: 'run' | 'queue') => {
      const original = { spec: run.spec, name: run.name, fileName, ...input };
      if (mode === 'queue')
        return isOriginal
          ? bridge.call('runs.enqueue', original)
          : bridge.call('dags.enqueue', { fileName, ...input });
      return isOriginal
        ? bridge.call('runs.start', original)
        : bridge.call('dags.start', { fileName, ...input });
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: queryKeys.dags }),
  });
}

/** The text of the run, or the current file. */
type SpecChoice = 'original' | 'latest';
/** The tab of the dialog. */
type RerunTab = 'params' | 'changes' | 'check';

interface RerunHeaderProps {
  /** The file has changed since the run. */
  readonly differs: boolean;
  readonly text: SpecChoice;
  readonly shown: RerunTab;
  readonly onText: (text: SpecChoice) => void;
  readonly onShow: (shown: RerunTab) => void;
}

/** Chooses which text to run, and what to preview. */
function RerunHeader({ differs, text, shown, onText, onShow }: RerunHeaderProps) {
  return (
    <div className={styles.scope}>
      {differs && (
        <Segmented
          label="Version"
          value={text}
          choices={[
            { value: 'latest', label: 'Current file' },
            { value: 'original', label: 'Version of this run' },
          ]}
          onChange={onText}
        />
      )}
      <Segmented
        label="View"
        value={shown}
        choices={[
          { value: 'params', label: 'Parameters' },
          ...(differs ? [{ value: 'changes' as const, label: 'Changes' }] : []),
          { value: 'check', label: 'Dry run' },
        ]}
        onChange={onShow}
      />
    </div>
  );
}

interface RerunFooterProps {
  /** Number of steps in the new run. */
  readonly steps: number;
  readonly isBlocked: boolean;
  readonly pending: 'run' | 'queue' | undefined;
  readonly onQueue: () => void;
  readonly onClose: () => void;
}

/** The buttons of the dialog; "Run" submits its form. */
function RerunFooter({ steps, isBlocked, pending, ...on }: RerunFooterProps) {
  return (
    <DialogActions>
      <Button onPress={on.onClose}>Cancel</Button>
      <Button
        icon={ListEnd}
        isPending={pending === 'queue'}
        isDisabled={isBlocked || pending === 'run'}
        onPress={on.onQueue}
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
        {steps === 1 ? 'Run 1 step' : `Run ${steps.toLocaleString('en')} steps`}
      </Button>
    </DialogActions>
  );
}

interface RerunDialogProps {
  readonly run: RunDetailView;
  readonly fileName: string;
  readonly onClose: () => void;
}

/**
 * Starts a new run from an existing one: with its text or the current file, with its parameters or others,
 * after a preview.
 */
export function RerunDialog({ run, fileName, onClose }: RerunDialogProps) {
  const dag = useDag(fileName);
  return (
    <Dialog title={`Rerun ${run.name}`} size="wide" onClose={onClose}>
      <QueryState query={dag} what="The workflow">
        {({ spec, workflow, paramForm }) => (
          <RerunForm {...{ run, fileName, onClose }} latest={{ spec, workflow, paramForm }} />
        )}
      </QueryState>
    </Dialog>
  );
}

interface RerunFormProps extends RerunDialogProps {
  /** The current file; without a workflow if it has errors. */
  readonly latest: {
    readonly spec: string;
    readonly workflow?: Workflow | undefined;
    readonly paramForm?: ParamForm | undefined;
  };
}

const Changes = (texts: { readonly before: string; readonly after: string }) => (
  <Suspense fallback={<div />}>
    <LazyDiff {...texts} />
  </Suspense>
);

function RerunForm({ run, fileName, latest, onClose }: RerunFormProps) {
  const differs = latest.spec !== run.spec;
  const [text, setText] = useState<SpecChoice>(latest.workflow === undefined ? 'original' : 'latest');
  const [shown, setShown] = useState<RerunTab>('params');
  const isOriginal = differs && text === 'original';
  const workflow = (text === 'latest' ? latest.workflow : undefined) ?? run.workflow;
  const form = toParamForm(workflow, latest.paramForm);
  const [answers, setAnswers] = useState((): StartAnswers => ({
    values: startValues(form, run.params),
    runId: '',
  }));
  const params = formatParams(form.fields, answers.values);
  const unsendable = findUnencodableParam(form.fields, answers.values);
  const again = useRerun({ run, fileName, isOriginal, params, runId: answers.runId });
  const send = useSend(again, onClose);
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (unsendable === undefined) send('run');
      }}
    >
      <RerunHeader
        {...{ differs, text, shown }}
        onText={(choice) => latest.workflow !== undefined && setText(choice)}
        onShow={setShown}
      />
      {latest.workflow === undefined && (
        <Notice tone="warning">The current file has errors. Only this version can be rerun.</Notice>
      )}
      <FieldErrorScope error={again.error}>
        <div className={styles.again}>
          {shown === 'params' && (
            <StartFields
              form={form}
              runConfig={workflow.runConfig ?? {}}
              answers={answers}
              onChange={setAnswers}
            />
          )}
          {shown === 'changes' && <Changes before={run.spec} after={latest.spec} />}
          {shown === 'check' && (
            <DryRunPanel {...{ fileName, params }} {...(isOriginal && { spec: run.spec })} />
          )}
        </div>
        <UnsendableNotice param={unsendable} />
        <FormErrorNotice error={again.error} />
      </FieldErrorScope>
      <RerunFooter
        steps={workflow.steps.length}
        isBlocked={unsendable !== undefined}
        pending={again.isPending ? again.variables : undefined}
        onQueue={() => send('queue')}
        onClose={onClose}
      />
    </form>
  );
}

/** Starts the run and opens its page. */
function useSend(again: ReturnType<typeof useRerun>, onClose: () => void) {
  const [, navigate] = useLocation();
  const show = ({ name, dagRunId }: RunRef): void => {
    onClose();
    navigate(paths.run(name, dagRunId));
  };
  return (mode: 'run' | 'queue'): void => again.mutate(mode, { onSuccess: show });
}
