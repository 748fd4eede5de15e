import { Hand } from 'lucide-react';
import { CardBody, type CardText } from '../../../../graph/cards/card-body.tsx';
import { stepIcons } from '../../../../graph/step-icon.ts';
import type { StepLook } from '../../../../graph/step-look.ts';
import { StatusShape } from '../../../../ui/status/status-shape.tsx';
import type { CardZoom } from './card-zoom.ts';
import styles from './card-content.module.css';

interface CardContentProps {
  readonly node: CardText;
  readonly size: CardZoom;
  readonly look: StepLook | undefined;
  /** That something is wrong with the step; from some way off it takes the place of the icon. */
  readonly mark?: React.ReactNode;
  /** At the end of the line that says what the step does. */
  readonly end?: React.ReactNode;
}

/** What a card shows: from afar nothing, from some way off its name alone, large enough to be read. */
export function CardContent({ node, size, look, mark, end }: CardContentProps) {
  if (size === 'far') return null;
  if (size === 'simple') {
    const Icon = stepIcons[node.kind];
    return (
      <span className={styles.simple} aria-hidden="true">
        {mark ?? <Icon size={22} className={styles.icon} />}
        <span className={styles.name} dir="auto">
          {node.name}
        </span>
        {look?.asks === true && <Hand size={22} className={styles.hand} />}
        {look && <StatusShape status={look.status} size={26} />}
      </span>
    );
  }
  return <CardBody node={node} look={look} mark={mark} end={end} detailLine={styles.does} />;
}
