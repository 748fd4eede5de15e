import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { RerunPlanView } from '../../../core/contract/runs.ts';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import { StatusBadge } from '../../ui/status.tsx';
import { errorText } from '../../format/error-text.ts';
import { useRetryPlan, useRetryRun, type RetryRunInput } from '../../api/run-queries.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented, Select } from '../../ui/choices.tsx';
import { Notice } from '../../ui/state.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { FileProblem, LostSteps, VersionChoice, isRunning, type RetrySpec } from './retry-version.tsx';
import styles from './timeline.module.css';

/** The plan of a rerun per step; steps that run again are first, because they are what the user agrees to. */
function PlanTable({ plan }: { readonly plan: RerunPlanView }) {
  const again = plan.steps.filter(isRunning);
  const reusedSteps = plan.steps.filter(({ action }) => action === 'keep');
  const removed = plan.steps.filter(({ action }) => action === 'removed');
  return (
    <div className={styles.plan}>
      <PlanSection title={`Rerun (${again.length.toLocaleString('en')})`} steps={again} />
      {plan.handlers.length > 0 && (
        <p className={styles.handlers}>Handlers also rerun: {plan.handlers.join(', ')}.</p>
      )}
      {reusedSteps.length > 0 && (
        <PlanSection title={`Keep (${reusedSteps.length.toLocaleString('en')})`} steps={reusedSteps} />
      )}
      {removed.length > 0 && (
        <PlanSection title={`Removed (${removed.length.toLocaleString('en')})`} steps={removed} />
      )}
    </div>
  );
}

interface PlanSectionProps {
  readonly title: string;
  readonly steps: RerunPlanView['steps'];
}

function PlanSection({ title, steps }: PlanSectionProps) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {steps.map(({ name, action, status, reason }) => (
          <li key={name}>
            <span className={styles.step} dir="auto" title={name}>
              {name}
            </span>
            {action === 'new' ? <span>New</span> : <StatusBadge status={status} />}
            <span className={styles.rerunReason} title={reason}>
              {reason}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Where a retry starts. */
export interface RetryStart {
  /** Default: everything that did not succeed. */
  readonly step?: string;
  /** With `step`: whether its dependents run too. */
  readonly downstream?: boolean;
}

interface RetryDialogProps {
  readonly run: RunDetailView;
  readonly start: RetryStart;
  readonly onClose: () => void;
}

/**
 * Both plans of a retry: with the text of the run, and with the current file if that has changed. `whole` has all steps
 * of the file.
 */
function useRetryPlans(options: RetryRunInput, choice: RetrySpec | undefined) {
  const own = useRetryPlan(options);
  const isChanged = own.data?.file?.state === 'changed';
  const file = useRetryPlan({ ...options, spec: 'file' }, isChanged);
  const spec = choice ?? (isChanged && file.error === null ? 'file' : 'run');
  const plans = { run: own.data, file: isChanged ? file.data : undefined };
  const { name, dagRunId } = options;
  const whole = useRetryPlan({ name, dagRunId, spec: 'file' }, spec === 'file').data;
  const plan = spec === 'file' ? file : own;
  return { plans, spec, isChanged, fileError: file.error, plan, whole: spec === 'file' ? whole : undefined };
}

/** Lists the steps that would run again, then retries. If the engine rejects the request, the dialog says why. */
export function RetryDialog({ run, start, onClose }: RetryDialogProps) {
  const [{ step, downstream = false }, setStart] = useState(start);
  const [choice, setChoice] = useState<RetrySpec>();
  const [isAccepted, setAccepted] = useState(false);
  const options: RetryRunInput = {
    name: run.name,
    dagRunId: run.dagRunId,
    ...(step !== undefined && { stepName: step, downstream }),
  };
  const { plans, spec, isChanged, fileError, plan, whole } = useRetryPlans(options, choice);
  const retry = useRetryRun();
  const error = retry.error ?? plan.error;
  const lost = plan.data?.lost ?? [];
  const submit = (): void => {
    const text = spec === 'file' && { spec, ...(lost.length > 0 && { acceptRemoved: true }) };
    retry.mutate({ ...options, ...text }, { onSuccess: onClose });
  };
  return (
    <Dialog title={`Retry ${run.name}`} size={isChanged ? 'wide' : 'normal'} onClose={onClose}>
      <div className={styles.form}>
        {isChanged && (
          <VersionChoice
            {...{ run, plans, spec, fileError }}
            onChange={(next) => (retry.reset(), setChoice(next))}
          />
        )}
        <FileProblem file={plans.run?.file} />
        <Scope
          names={listSteps(run, whole)}
          start={{ step, downstream }}
          onChange={(next) => {
            retry.reset();
            setStart(next);
          }}
        />
        {error && <Notice tone="error">{errorText(error)}</Notice>}
        {plan.data && <PlanTable plan={plan.data} />}
        {lost.length > 0 && <LostSteps lost={lost} isAccepted={isAccepted} onChange={setAccepted} />}
        {plan.isPending && (
          <p className={styles.waiting} role="status">
            Loading the retry plan…
          </p>
        )}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            variant="primary"
            icon={RotateCcw}
            isPending={retry.isPending}
            isDisabled={plan.data === undefined || (lost.length > 0 && !isAccepted)}
            onPress={submit}
            autoFocus
          >
            {labelFor(plan.data?.steps.filter(isRunning).length)}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}

/** Not a valid step name, because names are trimmed. */
const unfinished = ' ';

interface ScopeProps {
  readonly names: readonly string[];
  readonly start: { readonly step: string | undefined; readonly downstream: boolean };
  readonly onChange: (start: RetryStart) => void;
}

/** Start and extent of the retry. */
function Scope({ names, start: { step, downstream }, onChange }: ScopeProps) {
  return (
    <div className={styles.scope}>
      <Select
        label="Steps to rerun"
        value={step ?? unfinished}
        choices={[{ value: unfinished, label: 'Failed steps' }, ...names.map(toChoice)]}
        onChange={(value) => onChange(value === unfinished ? {} : { step: value, downstream })}
      />
      {step !== undefined && (
        <Segmented
          label="Scope"
          value={downstream ? 'downstream' : 'alone'}
          choices={[
            { value: 'alone', label: 'Only this step' },
            { value: 'downstream', label: 'This step and its dependents' },
          ]}
          onChange={(value) => onChange({ step, downstream: value === 'downstream' })}
        />
      )}
    </div>
  );
}

const toChoice = (name: string) => ({ value: name, label: name });

/** Returns the names of the steps that can run: those of the run, or of the current file in its plan. */
const listSteps = (run: RunDetailView, plan: RerunPlanView | undefined): string[] =>
  (plan?.steps.filter(({ action }) => action !== 'removed') ?? run.steps).map(({ name }) => name);

function labelFor(count: number | undefined): string {
  if (count === undefined) return 'Retry';
  return count === 1 ? 'Run 1 step' : `Run ${count.toLocaleString('en')} steps`;
}
