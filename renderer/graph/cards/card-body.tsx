import type { ReactNode } from 'react';
import type { ActionKind } from '../../format/step-action.ts';
import { StatusShape } from '../../ui/status/status-shape.tsx';
import styles from '../graph.module.css';
import { stepIcons } from '../step-icon.ts';
import type { StepLook } from '../step-look.ts';

interface CardBodyProps {
  readonly node: { readonly kind: ActionKind; readonly name: string; readonly detail: string };
  readonly look: StepLook | undefined;
  /** Behind the name, before the status. */
  readonly mark?: ReactNode;
  /** At the end of the line that says what the step does. */
  readonly end?: ReactNode;
  /** Further class of that line. */
  readonly detailLine?: string | undefined;
}

/** What a card of a step says where it can be read: icon, name and status, and what the step does. */
export function CardBody({ node, look, mark, end, detailLine }: CardBodyProps) {
  const Icon = stepIcons[node.kind];
  return (
    <>
      <span className={styles.icon}>
        <Icon size={16} aria-hidden="true" />
      </span>
      <span className={styles.cardText} aria-hidden="true">
        <span className={styles.cardLine}>
          <span className={styles.name} dir="auto">
            {node.name}
          </span>
          {mark}
          {look && <StatusShape status={look.status} size={16} />}
        </span>
        <span className={detailLine === undefined ? styles.cardLine : `${styles.cardLine} ${detailLine}`}>
          <span className={styles.detail} dir="auto">
            {node.detail}
          </span>
          {end}
        </span>
      </span>
    </>
  );
}
