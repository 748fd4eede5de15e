import { Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import type { RunDetailView } from '../../../core/contract/runs/run-views.ts';
import type { RunRef } from '../../../core/model/run/run.ts';
import type { Workflow } from '../../../core/model/workflow/workflow.ts';
import { useDag } from '../../api/queries/workflows/workflow-queries.ts';
import { paths } from '../../app/paths.ts';
import { LazyDiff } from '../../editor/save/lazy-difference.ts';
import { FieldErrorScope } from '../../ui/controls/field-error-scope.tsx';
import { Notice } from '../../ui/state/notice.tsx';
import { QueryState } from '../../ui/state/query-state.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { FormErrorNotice } from '../../ui/overlay/refusal-notice.tsx';
import { DryRunPanel } from '../dry/dry-run-panel.tsx';
import { findUnencodableParam, formatParams } from '../start/format-params.ts';
import { UnsendableNotice } from '../start/unsendable-notice.tsx';
import { StartFields, type StartAnswers } from '../start/start-fields.tsx';
import styles from './rerun.module.css';
import { RunAgainFooter } from './run-again-foot.tsx';
import { RunAgainHeader, type RunAgainTab, type SpecChoice } from './run-again-head.tsx';
import { useRunAgain } from './use-run-again.ts';

interface RunAgainDialogProps {
  readonly run: RunDetailView;
  readonly fileName: string;
  readonly onClose: () => void;
}

/**
 * Starts a new run from an existing one: with its text or the current file, with its parameters or others,
 * after a preview.
 */
export function RunAgainDialog({ run, fileName, onClose }: RunAgainDialogProps) {
  const dag = useDag(fileName);
  return (
    <Dialog title={`Rerun ${run.name}`} size="wide" onClose={onClose}>
      <QueryState query={dag} what="The workflow">
        {({ spec, workflow }) => <RunAgainForm {...{ run, fileName, onClose }} latest={{ spec, workflow }} />}
      </QueryState>
    </Dialog>
  );
}

interface RunAgainFormProps extends RunAgainDialogProps {
  /** The current file; without a workflow if it has errors. */
  readonly latest: { readonly spec: string; readonly workflow?: Workflow | undefined };
}

function RunAgainForm({ run, fileName, latest, onClose }: RunAgainFormProps) {
  const differs = latest.spec !== run.spec;
  const [text, setText] = useState<SpecChoice>(latest.workflow === undefined ? 'original' : 'latest');
  const [shown, setShown] = useState<RunAgainTab>('params');
  const isOriginal = differs && text === 'original';
  const workflow = (text === 'latest' ? latest.workflow : undefined) ?? run.workflow;
  const [answers, setAnswers] = useState<StartAnswers>(() => initialAnswers(workflow, run));
  const params = formatParams(workflow.params, answers.values);
  const unsendable = findUnencodableParam(workflow.params, answers.values);
  const again = useRunAgain({ run, fileName, isOriginal, params, runId: answers.runId });
  const send = useSend(again, onClose);
  const isBlocked = unsendable !== undefined;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBlocked) send('run');
      }}
    >
      <RunAgainHeader
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
              params={workflow.params}
              runConfig={workflow.runConfig ?? {}}
              answers={answers}
              onChange={setAnswers}
            />
          )}
          {shown === 'changes' && (
            <Suspense fallback={<div />}>
              <LazyDiff before={run.spec} after={latest.spec} />
            </Suspense>
          )}
          {shown === 'check' && (
            <DryRunPanel {...{ fileName, params }} {...(isOriginal && { spec: run.spec })} />
          )}
        </div>
        <UnsendableNotice param={unsendable} />
        <FormErrorNotice error={again.error} />
      </FieldErrorScope>
      <RunAgainFooter
        steps={workflow.steps.length}
        isBlocked={isBlocked}
        pending={again.isPending ? again.variables : undefined}
        onQueue={() => send('queue')}
        onClose={onClose}
      />
    </form>
  );
}

/** Starts the run and opens its page. */
function useSend(again: ReturnType<typeof useRunAgain>, onClose: () => void) {
  const [, navigate] = useLocation();
  const show = ({ name, dagRunId }: RunRef): void => {
    onClose();
    navigate(paths.run(name, dagRunId));
  };
  return (mode: 'run' | 'queue'): void => again.mutate(mode, { onSuccess: show });
}

const initialAnswers = (workflow: Workflow, run: RunDetailView): StartAnswers => ({
  values: Object.fromEntries([...workflow.params, ...run.params].map(({ name, value }) => [name, value])),
  runId: '',
});
