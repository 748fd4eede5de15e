import { Hand } from 'lucide-react';
import { Link } from 'wouter';
import { useOpenApprovals } from '../../api/queries/runs/approval-queries.ts';
import { paths, withQuery } from '../../app/paths.ts';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import { firstLineOf } from '../approvals/approval-state.ts';
import { Section } from './section.tsx';
import styles from './dashboard.module.css';

const maxShown = 6;

/** Open approvals; renders nothing if there are none. */
export function QuestionList() {
  const open = useOpenApprovals().data ?? [];
  if (open.length === 0) return null;
  return (
    <Section
      title="Waiting for approval"
      count={open.length}
      more={{ href: paths.approvals, label: 'Approvals' }}
    >
      <ul className={styles.rows}>
        {open.slice(0, maxShown).map(({ id, name, step, question, askedAt }) => (
          <li key={id} className={styles.row}>
            <Hand className={styles.hand} size={14} aria-hidden="true" />
            <div className={styles.rowText}>
              <Link
                href={withQuery(paths.approvals, { approval: id })}
                className={styles.question}
                dir="auto"
              >
                {firstLineOf(question)}
              </Link>
              <span className={styles.reason}>
                {name} › {step}
              </span>
            </div>
            <span className={styles.when}>
              <RelativeTime iso={askedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
