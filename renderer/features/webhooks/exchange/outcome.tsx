import { CircleCheck, CircleDashed, CircleX, type LucideIcon } from 'lucide-react';
import styles from '../webhooks.module.css';

export type OutcomeTone = 'good' | 'bad' | 'quiet';

const icons: Readonly<Record<OutcomeTone, LucideIcon>> = {
  good: CircleCheck,
  bad: CircleX,
  quiet: CircleDashed,
};

interface OutcomeProps {
  readonly tone: OutcomeTone;
  readonly children: string;
}

/** The result of a request, as icon, text and color. */
export function Outcome({ tone, children }: OutcomeProps) {
  const Icon = icons[tone];
  return (
    <span className={styles.outcome} data-tone={tone}>
      <Icon size={14} aria-hidden="true" />
      <span className={styles.cut} title={children}>
        {children}
      </span>
    </span>
  );
}
