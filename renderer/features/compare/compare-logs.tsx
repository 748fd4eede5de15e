import { ScrollText } from 'lucide-react';
import type { RunDetailView, StepRunView } from '../../../core/contract/runs/run-views.ts';
import { Select } from '../../ui/controls/select.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { Split } from '../../ui/layout/splitter.tsx';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import { StreamedLog } from '../log/streamed-log.tsx';
import type { ComparedStep } from './compare-runs.ts';
import styles from './compare.module.css';

interface CompareLogsProps {
  readonly left: RunDetailView;
  readonly right: RunDetailView;
  readonly steps: readonly ComparedStep[];
  /** Name of the step; null for the default: the first step that differs. */
  readonly name: string | null;
  readonly section: 'step' | 'handler';
  readonly onChoose: (name: string, section: 'step' | 'handler') => void;
}

/** The logs of one step in both runs, side by side. */
export function CompareLogs({ left, right, steps, name, section, onChoose }: CompareLogsProps) {
  const chosen =
    steps.find((step) => step.name === name && step.section === section) ??
    steps.find(({ differs }) => differs) ??
    steps[0];
  if (chosen === undefined) return <EmptyState icon={ScrollText} title="No steps" />;
  const key = `${chosen.section}:${chosen.name}`;
  return (
    <>
      <div className={styles.bar}>
        <Select
          label="Step"
          value={key}
          choices={steps.map((step) => ({
            value: `${step.section}:${step.name}`,
            label: step.differs ? `${step.name} (different)` : step.name,
          }))}
          onChange={(value) => {
            const step = steps.find((one) => `${one.section}:${one.name}` === value);
            if (step) onChoose(step.name, step.section);
          }}
        />
      </div>
      <Split
        id="compare.logs"
        label="Log panel size"
        direction="columns"
        initial={0.5}
        first={<SideLog key={`a${key}`} label="A" run={left} step={chosen.left} />}
        second={<SideLog key={`b${key}`} label="B" run={right} step={chosen.right} />}
      />
    </>
  );
}

interface SideLogProps {
  readonly label: string;
  readonly run: RunDetailView;
  readonly step: StepRunView | undefined;
}

function SideLog({ label, run, step }: SideLogProps) {
  if (step === undefined) return <EmptyState icon={ScrollText} title={`Step not in run ${label}`} />;
  const attempt = step.attempts.at(-1);
  const { name, dagRunId } = run;
  const failed = step.status === 'failed' || step.status === 'aborted';
  return (
    <section className={styles.log} aria-label={`Log of run ${label}`}>
      <StreamedLog
        run={run}
        step={step}
        address={
          attempt && { name, dagRunId, step: step.name, section: step.section, attempt: attempt.attempt }
        }
        end={attempt?.finishedAt === undefined ? undefined : { failed }}
        controls={
          <>
            <b>{label}</b>
            <StatusBadge status={step.status} />
          </>
        }
      />
    </section>
  );
}
