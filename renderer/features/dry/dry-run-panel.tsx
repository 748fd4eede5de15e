import { CircleCheck, CircleX, Terminal } from 'lucide-react';
import { useState } from 'react';
import { pluralize } from '../../../core/base/text/pluralize.ts';
import type { DryRunView } from '../../../core/contract/runs/dry.ts';
import { useDryRun } from '../../api/queries/workflows/dry-queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { QueryState } from '../../ui/state/query-state.tsx';
import { ScrollArea } from '../../ui/layout/scroll-area.tsx';
import { DryFindings } from './dry-findings.tsx';
import { DryPlan } from './dry-plan.tsx';
import styles from './dry.module.css';

interface DryRunPanelProps {
  readonly fileName: string;
  /** As after `--` on the command line; empty for the defaults. */
  readonly params: string;
  /** Text that replaces the file. */
  readonly spec?: string;
}

/** Previews a run of a workflow with its values; nothing is executed. */
export function DryRunPanel({ fileName, params, spec }: DryRunPanelProps) {
  const [runSubstitutions, setRunSubstitutions] = useState(false);
  const dryRun = useDryRun({
    fileName,
    ...(spec !== undefined && { spec }),
    ...(params !== '' && { params }),
    ...(runSubstitutions && { runSubstitutions }),
  });
  return (
    <ScrollArea className={styles.panel} aria-label="Dry run result">
      <QueryState query={dryRun} what="The dry run">
        {(view) => (
          <>
            <VerificationResult view={view} onRunSubstitutions={() => setRunSubstitutions(true)} />
            <DryFindings findings={view.findings} />
            <DryPlan plans={view.plans} place={0} />
          </>
        )}
      </QueryState>
    </ScrollArea>
  );
}

interface VerdictProps {
  readonly view: DryRunView;
  readonly onRunSubstitutions: () => void;
}

function VerificationResult({ view, onRunSubstitutions }: VerdictProps) {
  const { runnable, ranSubstitutions, findings } = view;
  const Icon = runnable ? CircleCheck : CircleX;
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const sentence = runnable ? 'No problems found' : `${pluralize(errors, 'error')} found`;
  return (
    <div className={styles.verdict} data-runnable={runnable} role="status">
      <Icon size={16} aria-hidden="true" />
      <span>
        {sentence} {ranSubstitutions ? 'Only command substitutions were run.' : 'No commands were run.'}
      </span>
      {!ranSubstitutions && hasCommands(view) && (
        <Button size="small" icon={Terminal} onPress={onRunSubstitutions}>
          Run command substitutions
        </Button>
      )}
    </div>
  );
}

const hasCommands = ({ plans }: DryRunView): boolean =>
  plans.some(({ params, env, steps, handlers }) =>
    [...params, ...env, ...steps, ...handlers].some(
      ({ unresolved }) => unresolved?.some((part) => part.startsWith('`')) === true,
    ),
  );
