import type { ActionKind } from '../../../format/step-action.ts';
import { stepIcons } from '../../../graph/step-icon.ts';
import type { StepLook } from '../../../graph/step-look.ts';
import { StatusShape } from '../../../ui/status/status-shape.tsx';
import styles from './simple-card.module.css';

interface SimpleCardProps {
  readonly kind: ActionKind;
  readonly name: string;
  readonly look: StepLook | undefined;
  /** Takes the place of the icon. */
  readonly mark?: React.ReactNode;
}

/** What a card shows from some way off: its name, large enough to be read, and how it stands. */
export function SimpleCard({ kind, name, look, mark }: SimpleCardProps) {
  const Icon = stepIcons[kind];
  return (
    <span className={styles.simple} aria-hidden="true">
      {mark ?? <Icon size={22} className={styles.icon} />}
      <span className={styles.name}>{name}</span>
      {look && <StatusShape status={look.status} size={26} />}
    </span>
  );
}
