import { Hand } from 'lucide-react';
import type { ReactNode } from 'react';
import { askingWords } from '../../format/asking.ts';
import type { ActionKind } from '../../format/step-action.ts';
import { StatusShape } from '../../ui/status/status-shape.tsx';
import styles from '../graph.module.css';
import { stepIcons } from '../step-icon.ts';
import type { StepLook } from '../step-look.ts';

/** What is on a card of a step, in whichever graph. */
export interface CardText {
  readonly kind: ActionKind;
  readonly name: string;
  /** What the step does, on one line. */
  readonly detail: string;
  /** That this line is for people, and no command. */
  readonly isProse: boolean;
}

interface CardBodyProps {
  readonly node: CardText;
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
          {look?.asks === true ? (
            <span className={styles.asks}>
              <Hand size={12} aria-hidden="true" />
              {askingWords}
            </span>
          ) : (
            <span className={styles.detail} data-prose={node.isProse || undefined} dir="auto">
              {node.detail}
            </span>
          )}
          {/* The words need the room; how long it has waited stands beside its question. */}
          {look?.asks !== true && end}
        </span>
      </span>
    </>
  );
}
