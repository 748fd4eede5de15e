import { CircleAlert, TriangleAlert, X } from 'lucide-react';
import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { useEditorSession, useSessionView } from '../../session/use-session.ts';
import styles from '../editor.module.css';
import { goToProblem } from './go-to-problem.ts';

const nothing: readonly Diagnostic[] = [];

/** What is wrong in the file; each entry leads to its place. */
export function ProblemList({ onClose }: { readonly onClose: () => void }) {
  const session = useEditorSession();
  const diagnostics = useSessionView((view) => view.analysis?.diagnostics ?? nothing);
  return (
    <section className={styles.problemList} aria-label="Problems">
      <div className={styles.panelHead}>
        <h2>Problems</h2>
        <IconButton label="Close the problems" icon={X} size="small" onPress={onClose} />
      </div>
      {diagnostics.length === 0 ? (
        <p className={styles.none}>Nothing is wrong in this file.</p>
      ) : (
        <ul>
          {diagnostics.map((diagnostic) => (
            <li key={`${diagnostic.line}:${diagnostic.column}:${diagnostic.message}`}>
              <button type="button" onClick={() => goToProblem(session, diagnostic)}>
                {diagnostic.severity === 'error' ? (
                  <CircleAlert size={14} data-tone="error" aria-label="Error" />
                ) : (
                  <TriangleAlert size={14} data-tone="warning" aria-label="Warning" />
                )}
                <span className={styles.place}>
                  {diagnostic.line}:{diagnostic.column}
                </span>
                <span>{diagnostic.message}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
