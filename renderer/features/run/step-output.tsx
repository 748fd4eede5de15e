import { Link } from 'wouter';
import type { RunDetailView, StepRunView, AttemptView } from '../../../core/contract/run-views.ts';
import type { Step } from '../../../core/model/step.ts';
import { useSubRuns } from '../../api/run-queries.ts';
import { paths } from '../../navigation/address.ts';
import { shortenRunId } from '../../format/values.ts';
import { StatusBadge, StatusShape } from '../../ui/status.tsx';
import { Duration } from '../../ui/time.tsx';
import { formatDuration } from '../../format/time.ts';
import { Segmented, Select } from '../../ui/choices.tsx';
import type { LogRef } from '../log/log-line-cache.ts';
import { StreamedLog } from '../log/open-log.tsx';
import styles from './run.module.css';
import { ItemsPanel } from './items-panel.tsx';
import { getAttemptStatus } from './timeline-rows.ts';

interface SubRunListProps {
  readonly run: RunDetailView;
  readonly step: StepRunView;
}

/** Links to the runs that a step has started. */
function SubRunList({ run, step }: SubRunListProps) {
  const summaries = useSubRuns(run.name, run.dagRunId, true).data ?? [];
  return (
    <ul className={styles.subRuns} aria-label={`Runs started by ${step.name}`}>
      {step.subRuns.map(({ name, dagRunId }) => {
        const summary = summaries.find((one) => one.name === name && one.dagRunId === dagRunId);
        return (
          <li key={dagRunId}>
            <Link href={paths.run(name, dagRunId)}>
              {name} <code>{shortenRunId(dagRunId)}</code>
            </Link>
            {summary && <StatusBadge status={summary.status} />}
            {summary && <Duration startedAt={summary.startedAt} finishedAt={summary.finishedAt} />}
          </li>
        );
      })}
    </ul>
  );
}

interface StepOutputProps {
  readonly run: RunDetailView;
  readonly step: StepRunView;
  readonly definition: Step | undefined;
  /** The selected attempt; the newest when undefined. */
  readonly attempt: number | undefined;
  readonly onAttempt: (attempt: number | undefined) => void;
}

/** The output of a step in one attempt, or in each of its items. */
export function StepOutput({ run, step, definition, attempt: chosen, onAttempt }: StepOutputProps) {
  const newest = step.attempts.at(-1)?.attempt;
  const attempt =
    step.attempts.find((one) => one.attempt === chosen) ??
    step.attempts.find((one) => one.attempt === newest);
  const end = attempt?.finishedAt === undefined ? undefined : { failed: hasFailed(attempt) };
  const attempts = step.attempts.length > 1 && (
    <AttemptSwitch
      step={step}
      value={attempt?.attempt ?? 1}
      onChange={(value) => onAttempt(value === newest ? undefined : value)}
    />
  );
  if (definition?.parallel !== undefined && attempt) {
    return <ItemsPanel key={attempt.attempt} {...{ run, step, attempt, end }} controls={attempts} />;
  }
  return (
    <>
      {step.subRuns.length > 0 && <SubRunList run={run} step={step} />}
      <StreamedLog
        run={run}
        step={step}
        address={attempt && getAddress(run, step, attempt)}
        end={end}
        controls={
          <>
            {attempts}
            <AttemptNote step={step} attempt={attempt} />
          </>
        }
      />
    </>
  );
}

/**
 * Whether an attempt failed. Attempts of sub-workflows have no exit code; running ones have none of these
 * fields.
 */
const hasFailed = ({ error, exitCode = 0, signal }: AttemptView): boolean =>
  error !== undefined || exitCode !== 0 || signal !== undefined;

const getAddress = (run: RunDetailView, step: StepRunView, { attempt }: AttemptView): LogRef => ({
  name: run.name,
  dagRunId: run.dagRunId,
  step: step.name,
  section: step.section,
  attempt,
});

interface AttemptSwitchProps {
  readonly step: StepRunView;
  readonly value: number;
  readonly onChange: (attempt: number) => void;
}

/** More attempts do not fit side by side. */
const maxVisible = 5;

function AttemptSwitch({ step, value, onChange }: AttemptSwitchProps) {
  const choices = step.attempts.map((attempt, index) => {
    const isLast = index === step.attempts.length - 1;
    const status = isLast && step.status !== 'not_started' ? step.status : getAttemptStatus(attempt);
    const label = `Attempt ${attempt.attempt}`;
    return { value: String(attempt.attempt), label, mark: <StatusShape status={status} />, attempt };
  });
  if (choices.length > maxVisible)
    return (
      <Select
        label="Attempt"
        value={String(value)}
        choices={choices.toReversed().map(({ attempt, ...choice }) => ({
          ...choice,
          label: `${choice.label}${formatSpan(attempt)}`,
        }))}
        onChange={(choice) => onChange(Number(choice))}
      />
    );
  return (
    <Segmented
      label="Attempt"
      value={String(value)}
      choices={choices.map(({ value: number, label, mark }) => ({
        value: number,
        label,
        content: (
          <span className={styles.attempt}>
            {mark} {label}
          </span>
        ),
      }))}
      onChange={(choice) => onChange(Number(choice))}
    />
  );
}

const formatSpan = ({ startedAt, finishedAt }: AttemptView): string =>
  finishedAt === undefined ? '' : `, ${formatDuration(Date.parse(finishedAt) - Date.parse(startedAt))}`;

function AttemptNote({
  step,
  attempt,
}: {
  readonly step: StepRunView;
  readonly attempt: AttemptView | undefined;
}) {
  const details = [
    attempt?.exitCode !== undefined && `exit ${attempt.exitCode}`,
    attempt?.signal,
    attempt?.worker && `on ${attempt.worker.id}`,
    step.status === 'running' && attempt?.pid !== undefined && `pid ${attempt.pid}`,
  ].filter(Boolean);
  if (details.length === 0) return null;
  return <span className={styles.panelNote}>{details.join(' · ')}</span>;
}
