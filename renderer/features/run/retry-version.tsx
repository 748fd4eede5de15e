import { Suspense, useState } from 'react';
import type { PlannedStepView, RerunPlanView } from '../../../core/contract/runs.ts';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import { useDag, useDags } from '../../api/workflow-queries.ts';
import { LazyDiff } from '../../code/lazy-difference.ts';
import { errorText } from '../../format/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Segmented } from '../../ui/choices.tsx';
import { Notice, QueryState } from '../../ui/state.tsx';
import styles from './timeline.module.css';

/** The text that a retry uses: of the run, or of its current file. */
export type RetrySpec = NonNullable<RerunPlanView['spec']>;

export const isRunning = ({ action }: PlannedStepView): boolean => action === 'run' || action === 'new';

interface VersionChoiceProps {
  readonly run: RunDetailView;
  readonly plans: Readonly<Record<RetrySpec, RerunPlanView | undefined>>;
  readonly spec: RetrySpec;
  /** Why the current file cannot be used for this retry. */
  readonly fileError: Error | null;
  readonly onChange: (spec: RetrySpec) => void;
}

/** Says that the file has changed since the run, and chooses between both texts. */
export function VersionChoice({ run, plans, spec, fileError, onChange }: VersionChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  const fileName = useDags().data?.find(({ name }) => name === run.name)?.fileName;
  const toggle = fileName !== undefined && (
    <Button size="small" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
      {isOpen ? 'Hide changes' : 'Show changes'}
    </Button>
  );
  return (
    <>
      <Notice tone="info" action={toggle}>
        The file has changed since this run.
      </Notice>
      {isOpen && fileName !== undefined && <FileChanges run={run} fileName={fileName} />}
      {fileError !== null && (
        <Notice tone="warning">Cannot resume with the current file: {errorText(fileError)}</Notice>
      )}
      <div className={styles.versions}>
        <Segmented
          label="Version"
          value={spec}
          choices={[
            {
              value: 'file',
              label: `Resume with the current file${countSteps(plans.file)}`,
            },
            {
              value: 'run',
              label: `Retry with the version of this run${countSteps(plans.run)}`,
            },
          ]}
          onChange={onChange}
        />
      </div>
    </>
  );
}

/** Returns ` (runs 2 of 5 steps)`. */
function countSteps(plan: RerunPlanView | undefined): string {
  if (plan === undefined) return '';
  const total = plan.steps.filter(({ action }) => action !== 'removed').length;
  const count = plan.steps.filter(isRunning).length;
  return ` (runs ${count.toLocaleString('en')} of ${total.toLocaleString('en')} ${total === 1 ? 'step' : 'steps'})`;
}

/** The differences between the text of the run and the file. */
function FileChanges({ run, fileName }: { readonly run: RunDetailView; readonly fileName: string }) {
  const dag = useDag(fileName);
  return (
    <div className={styles.changes}>
      <QueryState query={dag} what="The workflow">
        {({ spec }) => (
          <Suspense fallback={<div />}>
            <LazyDiff before={run.spec} after={spec} />
          </Suspense>
        )}
      </QueryState>
    </div>
  );
}

/** Says why only the text of the run can be used. */
export function FileProblem({ file }: { readonly file: RerunPlanView['file'] }) {
  if (file?.problem === undefined) return null;
  return (
    <Notice tone="warning">
      {file.state === 'invalid' ? 'The current file has errors' : 'The file is missing'}, so the version of
      this run is used. {file.problem}
    </Notice>
  );
}

interface LostStepsProps {
  readonly lost: NonNullable<RerunPlanView['lost']>;
  readonly isAccepted: boolean;
  readonly onChange: (isAccepted: boolean) => void;
}

/** Asks to confirm that results of removed and renamed steps are not used. */
export function LostSteps({ lost, isAccepted, onChange }: LostStepsProps) {
  const names = lost.map(({ name, renamedTo }) =>
    renamedTo === undefined ? name : `${name} (now ${renamedTo})`,
  );
  return (
    <div className={styles.scope}>
      <Checkbox
        label={`Continue without the results of ${names.join(', ')}`}
        isSelected={isAccepted}
        onChange={onChange}
      />
    </div>
  );
}
