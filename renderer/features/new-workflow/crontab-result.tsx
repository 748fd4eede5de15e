import { CircleCheck } from 'lucide-react';
import { commentOutLines, hasUserColumn } from '../../../core/edit/import/crontab.ts';
import { pluralize } from '../../../core/base/text.ts';
import { ScrollArea } from '../../ui/page.tsx';
import { CopyButton } from '../../ui/toasts.tsx';
import styles from './sources.module.css';
import type { Candidate, NewWorkflowInputs } from './proposals.ts';

interface CrontabResultProps {
  readonly crontab: NewWorkflowInputs['crontab'];
  readonly candidates: readonly Candidate[];
}

/** After the import of a crontab: the jobs that cron still runs, too, and how to end that. */
export function CrontabResult({ crontab: { text, kind, fileName }, candidates }: CrontabResultProps) {
  const lines = candidates
    .flatMap(({ job, outcome }) => (job !== undefined && outcome?.ok === true ? job.line : []))
    .toSorted((a, b) => a - b);
  const isSystem = kind === 'detect' ? hasUserColumn(text) : kind === 'system';
  const edited = commentOutLines(text, new Set(lines));
  const editedLines = edited.split('\n');
  return (
    <section className={styles.result} aria-label="Import result">
      <div className={styles.head}>
        <h2 role="status" className={styles.finished}>
          <CircleCheck size={16} aria-hidden="true" />
          {pluralize(lines.length, 'workflow')} created
        </h2>
      </div>
      <div className={styles.stillInCron}>
        <h3>Still in cron</h3>
        <p>
          Cron runs {lines.length === 1 ? 'this job' : 'these jobs'} too. Copy the edited crontab and replace
          the text of <code>{isSystem ? fileName || '/etc/crontab' : 'crontab -e'}</code>.
        </p>
        <CopyButton label="Copy edited crontab" text={edited} isLabeled />
      </div>
      <ScrollArea className={styles.cronLines} aria-label="Lines to comment out">
        <ol>
          {lines.map((line) => (
            <li key={line} value={line}>
              <code>{editedLines[line - 1]!.trim()}</code>
            </li>
          ))}
        </ol>
      </ScrollArea>
    </section>
  );
}
