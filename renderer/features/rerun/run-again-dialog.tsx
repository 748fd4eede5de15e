import { Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import { toAppError } from '../../../core/base/errors.ts';
import type { RunDetailView } from '../../../core/contract/runs/run-views.ts';
import type { RunRef } from '../../../core/model/run/run.ts';
import type { Workflow } from '../../../core/model/workflow/workflow.ts';
import { useDag } from '../../api/queries/queries.ts';
import { paths } from '../../app/paths.ts';
import { LazyDifference } from '../../editor/save/lazy-difference.ts';
import { Notice } from '../../ui/layout/notice.tsx';
import { QueryState } from '../../ui/layout/query-state.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { DryRunPanel } from '../dry/dry-run-panel.tsx';
import { findUnsendable, formatParams } from '../start/format-params.ts';
import { StartFields, type StartAnswers } from '../start/start-fields.tsx';
import styles from './rerun.module.css';
import { RunAgainFoot } from './run-again-foot.tsx';
import { RunAgainHead, type Shown, type SpecChoice } from './run-again-head.tsx';
import { useRunAgain } from './use-run-again.ts';

interface RunAgainDialogProps {
  readonly run: RunDetailView;
  readonly fileName: string;
  readonly onClose: () => void;
}

/** Runs a workflow anew after a run: with its text or the file's, with its parameters or others, after a look at both. */
export function RunAgainDialog({ run, fileName, onClose }: RunAgainDialogProps) {
  const dag = useDag(fileName);
  return (
    <Dialog title={`Run ${run.name} again`} size="wide" onClose={onClose}>
      <QueryState query={dag} what="The workflow">
        {({ spec, workflow }) => <RunAgainForm {...{ run, fileName, onClose }} latest={{ spec, workflow }} />}
      </QueryState>
    </Dialog>
  );
}

interface RunAgainFormProps extends RunAgainDialogProps {
  /** The file as it is now; without a workflow when it has errors. */
  readonly latest: { readonly spec: string; readonly workflow?: Workflow | undefined };
}

function RunAgainForm({ run, fileName, latest, onClose }: RunAgainFormProps) {
  const differs = latest.spec !== run.spec;
  const [text, setText] = useState<SpecChoice>(latest.workflow === undefined ? 'original' : 'latest');
  const [shown, setShown] = useState<Shown>('params');
  const isOriginal = differs && text === 'original';
  const workflow = (text === 'latest' ? latest.workflow : undefined) ?? run.workflow;
  const [answers, setAnswers] = useState<StartAnswers>(() => firstAnswers(workflow, run));
  const params = formatParams(workflow.params, answers.values);
  const unsendable = findUnsendable(workflow.params, answers.values);
  const again = useRunAgain({ run, fileName, isOriginal, params, runId: answers.runId });
  const show = useShowRun(onClose);
  const send = (way: 'run' | 'queue'): void => again.mutate(way, { onSuccess: show });
  const isBlocked = unsendable !== undefined;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBlocked) send('run');
      }}
    >
      <RunAgainHead
        {...{ differs, text, shown }}
        onText={(choice) => latest.workflow !== undefined && setText(choice)}
        onShow={setShown}
      />
      {latest.workflow === undefined && (
        <Notice tone="warning">The file has errors now, so only the text of this run can be run.</Notice>
      )}
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
            <LazyDifference before={run.spec} after={latest.spec} />
          </Suspense>
        )}
        {shown === 'check' && (
          <DryRunPanel {...{ fileName, params }} {...(isOriginal && { spec: run.spec })} />
        )}
      </div>
      <Refusal unsendable={unsendable?.name} error={again.error} />
      <RunAgainFoot
        steps={workflow.steps.length}
        isBlocked={isBlocked}
        pending={again.isPending ? again.variables : undefined}
        onQueue={() => send('queue')}
        onClose={onClose}
      />
    </form>
  );
}

/** Goes to the page of a run. */
function useShowRun(onClose: () => void) {
  const [, navigate] = useLocation();
  return ({ name, dagRunId }: RunRef): void => {
    onClose();
    navigate(paths.run(name, dagRunId));
  };
}

const firstAnswers = (workflow: Workflow, run: RunDetailView): StartAnswers => ({
  values: Object.fromEntries([...workflow.params, ...run.params].map(({ name, value }) => [name, value])),
  runId: '',
});

/** Why it cannot be sent, or what the engine had against it. */
function Refusal({
  unsendable,
  error,
}: {
  readonly unsendable: string | undefined;
  readonly error: unknown;
}) {
  return (
    <>
      {unsendable !== undefined && (
        <Notice tone="error">{`${unsendable} cannot be passed on: its name has characters other than letters, digits, "_", "." and "-".`}</Notice>
      )}
      {error !== null && <Notice tone="error">{toAppError(error).message}</Notice>}
    </>
  );
}
