import type { DryFindingView } from '../../../core/contract/runs/dry.ts';
import { SeverityMark } from '../../ui/diagnostics/severity-mark.tsx';
import styles from './dry.module.css';

/** Findings of the dry run, most severe first. */
export function DryFindings({ findings }: { readonly findings: readonly DryFindingView[] }) {
  if (findings.length === 0) return null;
  return (
    <ul className={styles.findings} aria-label="Findings">
      {findings.map((finding, index) => {
        const step = finding.step === undefined ? [] : [`step ${finding.step}`];
        const location = [finding.workflow, ...step, ...(finding.field === undefined ? [] : [finding.field])];
        return (
          // Findings do not change while they are shown.
          <li key={index}>
            <SeverityMark severity={finding.severity} />
            <span>
              {finding.message} <i className={styles.note}>{location.join(', ')}</i>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
