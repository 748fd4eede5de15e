import { X } from 'lucide-react';
import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { DiagnosticList } from '../../../ui/diagnostics/diagnostic-list.tsx';
import { useEditorSession, useSessionView } from '../../session/use-session.ts';
import styles from '../editor.module.css';
import { revealProblem } from './go-to-problem.ts';

const nothing: readonly Diagnostic[] = [];

/** The problems of the file; each entry links to its position. */
export function ProblemList({ onClose }: { readonly onClose: () => void }) {
  const session = useEditorSession();
  const diagnostics = useSessionView((view) => view.analysis?.diagnostics ?? nothing);
  return (
    <section className={styles.problemList} aria-label="Problems">
      <div className={styles.panelHead}>
        <h2>Problems</h2>
        <IconButton label="Close problems" icon={X} size="small" onPress={onClose} />
      </div>
      {diagnostics.length === 0 ? (
        <p className={styles.none}>No problems</p>
      ) : (
        <DiagnosticList diagnostics={diagnostics} onGo={(diagnostic) => revealProblem(session, diagnostic)} />
      )}
    </section>
  );
}
