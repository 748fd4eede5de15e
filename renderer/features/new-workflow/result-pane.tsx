import { yaml } from '@codemirror/lang-yaml';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef, Suspense, useState } from 'react';
import { CircleCheck, FilePlus2 } from 'lucide-react';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { pluralize } from '../../../core/base/text.ts';
import { toAppError } from '../../../core/base/errors.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import { getOffset, toCodeMark } from '../../code/code-marks.ts';
import { codeTheme, hiddenCarriageReturns } from '../../code/code-theme.ts';
import { DiagnosticList } from '../../ui/status.tsx';
import { EmptyState } from '../../ui/state.tsx';
import { Segmented } from '../../ui/choices.tsx';
import { lazyComponent } from '../../base/lazy-component.ts';
import styles from './new-workflow.module.css';
import type { ValidationResult } from './use-new-workflow.ts';
import type { Candidate } from './proposals.ts';

interface CodePreviewProps {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  /** The diagnostic whose position is scrolled into view. */
  readonly pointed: Diagnostic | undefined;
}

const highlightStyles: Extension = [
  EditorState.lineSeparator.of('\n'),
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  // Makes read-only content focusable, so that keys can scroll it.
  EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': 'Preview of the new file' }),
  lineNumbers(),
  lintGutter(),
  yaml(),
  codeTheme,
  hiddenCarriageReturns,
];

/** The text as it will be written, with its diagnostics. */
function CodePreview({ text, diagnostics, pointed }: CodePreviewProps) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  useEffect(() => {
    const made = new EditorView({ parent: box.current!, doc: text, extensions: highlightStyles });
    view.current = made;
    return () => made.destroy();
  }, [text]);
  useEffect(() => {
    const { state } = view.current!;
    const marks = diagnostics.map((diagnostic) => toCodeMark(state.doc, diagnostic));
    view.current!.dispatch(setDiagnostics(state, marks));
  }, [diagnostics]);
  useEffect(() => {
    if (pointed === undefined) return;
    const { doc } = view.current!.state;
    const { from, to } = doc.lineAt(getOffset(doc, pointed));
    view.current!.dispatch({
      selection: { anchor: from, head: to },
      effects: EditorView.scrollIntoView(from, { y: 'center' }),
    });
    view.current!.focus();
  }, [pointed]);
  return <div ref={box} className={styles.code} />;
}

interface ProblemsProps {
  readonly check: ValidationResult;
  readonly onPoint: (diagnostic: Diagnostic) => void;
}

/** Errors in the text, found by the engine before anything is written; each entry links to its line. */
function Problems({ check: { answer, error, isBlockedByBaseConfig }, onPoint }: ProblemsProps) {
  return (
    <div className={styles.problems} role="status">
      {answer === undefined && (
        <p className={styles.verdict}>
          {error === null ? 'Validating…' : `Validation failed: ${toAppError(error).message}`}
        </p>
      )}
      {answer?.diagnostics.length === 0 && (
        <p className={styles.verdict} data-valid={!isBlockedByBaseConfig || undefined}>
          {!isBlockedByBaseConfig && <CircleCheck size={14} aria-hidden="true" />}
          <span>
            {isBlockedByBaseConfig ? 'No errors' : 'Valid'},{' '}
            {pluralize(answer.dag?.steps.length ?? 0, 'step')}
            {isBlockedByBaseConfig && '. Fix the base configuration to run it.'}
          </span>
        </p>
      )}
      {answer !== undefined && answer.diagnostics.length > 0 && (
        <DiagnosticList
          label="Problems"
          diagnostics={answer.diagnostics}
          onGo={(diagnostic) => onPoint({ ...diagnostic })}
        />
      )}
    </div>
  );
}

const WorkflowGraph = lazyComponent(
  async () => (await import('../../graph/workflow-graph.tsx')).WorkflowGraph,
);

interface ResultPaneProps {
  readonly candidate: Candidate | undefined;
  readonly check: ValidationResult;
  readonly notes: readonly string[];
  /** Why there is nothing to create. */
  readonly reason: string | undefined;
  /** Fields above the preview. */
  readonly fields?: React.ReactNode;
}

const views = [
  { value: 'yaml', label: 'YAML' },
  { value: 'graph', label: 'Graph' },
] as const;
const none: readonly Diagnostic[] = [];

/** The workflow to be created: its text or graph, its diagnostics, and notes of the import. */
export function ResultPane({ candidate, check, notes, reason, fields }: ResultPaneProps) {
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
  if (candidate.isBlank) {
    return (
      <section className={styles.result} aria-label="Preview">
        <EmptyState illustration="workflows" title="Start from an empty canvas">
          <p>Create opens the editor, where you add steps.</p>
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
      {fields}
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
