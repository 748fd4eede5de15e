import { Hand } from 'lucide-react';
import { CardBody, type CardText } from '../../../../graph/cards/card-body.tsx';
import { stepIcons } from '../../../../graph/step-icon.ts';
import type { StepAppearance } from '../../../../graph/step-appearance.ts';
import { StatusShape } from '../../../../ui/status/status-shape.tsx';
import type { CardZoom } from './card-zoom.ts';
import styles from './card-content.module.css';

interface CardContentProps {
  readonly node: CardText;
  readonly size: CardZoom;
  readonly appearance: StepAppearance | undefined;
  /** Problem mark of the step; at medium zoom it replaces the icon. */
  readonly mark?: React.ReactNode;
  /** Shown at the end of the summary line. */
  readonly end?: React.ReactNode;
}

/** The content of a card: nothing when zoomed out far, only an enlarged name at medium zoom. */
export function CardContent({ node, size, appearance, mark, end }: CardContentProps) {
  if (size === 'far') return null;
  if (size === 'simple') {
    const Icon = stepIcons[node.kind];
    return (
      <span className={styles.simple} aria-hidden="true">
        {mark ?? <Icon size={22} className={styles.icon} />}
        <span className={styles.name} dir="auto">
          {node.name}
        </span>
        {appearance?.asks === true && <Hand size={22} className={styles.hand} />}
        {appearance && <StatusShape status={appearance.status} size={26} />}
      </span>
    );
  }
  return <CardBody node={node} appearance={appearance} mark={mark} end={end} detailLine={styles.does} />;
}
