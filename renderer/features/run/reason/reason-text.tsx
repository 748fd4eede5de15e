import { Link } from 'wouter';
import { shortenRunIds } from '../../../format/run-id.ts';
import type { NodeRef } from '../../../graph/workflow-graph.tsx';
import type { ReasonSegment } from './reason-parts.ts';
import styles from './reason.module.css';

interface ReasonTextProps {
  readonly segments: readonly ReasonSegment[];
  /** Goes to a step; without it, steps are not links. */
  readonly onSelect?: ((node: NodeRef) => void) | undefined;
}

/** A sentence with links to the pages and steps that it names. */
export function ReasonText({ segments, onSelect }: ReasonTextProps) {
  return segments.map(({ text, href, node }, index) => {
    // The parts of a sentence have no identity and keep their positions.
    if (href !== undefined)
      return (
        <Link key={index} href={href} dir="auto" title={text}>
          {shortenRunIds(text)}
        </Link>
      );
    if (node !== undefined && onSelect)
      return (
        <button key={index} type="button" className={styles.step} dir="auto" onClick={() => onSelect(node)}>
          {text}
        </button>
      );
    return <span key={index}>{text}</span>;
  });
}
