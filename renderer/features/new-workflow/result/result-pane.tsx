import { FilePlus2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import type { Workflow } from '../../../../core/model/workflow/workflow.ts';
import { EmptyState } from '../../../ui/state/empty-state.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import type { Candidate } from '../candidates.ts';
import { CodePreview } from './code-preview.tsx';
import { Problems } from './problems.tsx';
import styles from './result.module.css';
import type { ValidationResult } from './use-check.ts';
import { lazyComponent } from '../../../loading/lazy-part.ts';

const WorkflowGraph = lazyComponent(
  async () => (await import('../../../graph/workflow-graph.tsx')).WorkflowGraph,
);

interface ResultPaneProps {
  readonly candidate: Candidate | undefined;
  readonly check: ValidationResult;
  readonly notes: readonly string[];
  /** Why there is nothing to create. */
  readonly reason: string | undefined;
}

const views = [
  { value: 'yaml', label: 'YAML' },
  { value: 'graph', label: 'Graph' },
] as const;
const none: readonly Diagnostic[] = [];

/** The workflow to be created: its text or graph, its diagnostics, and notes of the import. */
export function ResultPane({ candidate, check, notes, reason }: ResultPaneProps) {
  const [view, setView] = useState<'yaml' | 'graph'>('yaml');
  const [pointed, setPointed] = useState<Diagnostic>();
  if (candidate === undefined) {
    return (
      <section className={styles.result} aria-label="Preview">
        <EmptyState
          icon={FilePlus2}
          title={reason === undefined ? 'No preview yet' : 'No workflow to preview'}
        >
          <p>{reason ?? 'Paste or choose a file to preview the workflow.'}</p>
        </EmptyState>
      </section>
    );
  }
  const all = [...notes, ...candidate.notes];
  const point = (diagnostic: Diagnostic): void => {
    setView('yaml');
    setPointed(diagnostic);
  };
  return (
    <section className={styles.result} aria-label="Preview">
      <div className={styles.head}>
        <h2>{candidate.name === '' ? 'Preview' : `${candidate.name}.yaml`}</h2>
        <Segmented label="Preview format" value={view} choices={views} onChange={setView} />
      </div>
      <Problems check={check} onPoint={point} />
      {all.length > 0 && <Notes notes={all} />}
      {view === 'yaml' ? (
        <CodePreview
          text={candidate.text}
          diagnostics={check.answer?.diagnostics ?? none}
          pointed={pointed}
        />
      ) : (
        <GraphPreview workflow={check.answer?.dag} />
      )}
    </section>
  );
}

function Notes({ notes }: { readonly notes: readonly string[] }) {
  return (
    <ul className={styles.notes} aria-label="Import notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

function GraphPreview({ workflow }: { readonly workflow: Workflow | undefined }) {
  if (workflow === undefined) return <p className={styles.noGraph}>Fix the errors to see the graph.</p>;
  return (
    <div className={styles.graph}>
      <Suspense fallback={<div role="status" aria-label="Loading the graph" />}>
        <WorkflowGraph workflow={workflow} />
      </Suspense>
    </div>
  );
}
