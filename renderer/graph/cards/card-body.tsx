import { Hand } from 'lucide-react';
import type { ReactNode } from 'react';
import { askingLabels } from '../../format/asking.ts';
import type { ActionKind } from '../../format/step-action.ts';
import { StatusShape } from '../../ui/status/status-shape.tsx';
import styles from '../graph.module.css';
import { stepIcons } from '../step-icon.ts';
import type { StepAppearance } from '../step-appearance.ts';

/** Texts on the card of a step, in any graph. */
export interface CardText {
  readonly kind: ActionKind;
  readonly name: string;
  /** The action of the step, on one line. */
  readonly detail: string;
  /** Whether that line is prose and not a command. */
  readonly isProse: boolean;
}

interface CardBodyProps {
  readonly node: CardText;
  readonly appearance: StepAppearance | undefined;
  /** Shown after the name, before the status. */
  readonly mark?: ReactNode;
  /** Shown at the end of the action line. */
  readonly end?: ReactNode;
  /** Additional class of that line. */
  readonly detailLine?: string | undefined;
}

/** The readable content of a card: icon, name, status and action. */
export function CardBody({ node, appearance, mark, end, detailLine }: CardBodyProps) {
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
          {appearance && <StatusShape status={appearance.status} size={16} />}
        </span>
        <span className={detailLine === undefined ? styles.cardLine : `${styles.cardLine} ${detailLine}`}>
          {appearance?.asks === true ? (
            <span className={styles.asks}>
              <Hand size={12} aria-hidden="true" />
              {askingLabels}
            </span>
          ) : (
            <span className={styles.detail} data-prose={node.isProse || undefined} dir="auto">
              {node.detail}
            </span>
          )}
          {/* The text needs the room; the wait time is shown with the approval. */}
          {appearance?.asks !== true && end}
        </span>
      </span>
    </>
  );
}
