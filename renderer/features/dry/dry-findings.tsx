import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { DryFindingView } from '../../../core/contract/dry.ts';
import styles from './dry.module.css';

const looks = {
  error: { icon: CircleAlert, word: 'Error' },
  warning: { icon: TriangleAlert, word: 'Warning' },
  info: { icon: Info, word: 'Note' },
} as const;

/** What is to be known before the run, the gravest first. */
export function DryFindings({ findings }: { readonly findings: readonly DryFindingView[] }) {
  if (findings.length === 0) return null;
  return (
    <ul className={styles.findings} aria-label="Findings">
      {findings.map((finding, index) => {
        const { icon: Icon, word } = looks[finding.severity];
        const step = finding.step === undefined ? [] : [`step ${finding.step}`];
        const place = [finding.workflow, ...step, ...(finding.field === undefined ? [] : [finding.field])];
        return (
          // Findings do not change while they are shown.
          <li key={index} data-severity={finding.severity}>
            <Icon size={14} role="img" aria-label={word} />
            <span>
              {finding.message} <i className={styles.note}>{place.join(', ')}</i>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
