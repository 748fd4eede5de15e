import { Link } from 'wouter';
import type { SearchMatchView } from '../../../core/contract/workflows/dag-search.ts';
import { splitAtMatches, type MatchFinder } from './cut-hits.ts';
import { editorLineUrl } from './line-address.ts';
import styles from './search.module.css';

interface MatchLinesProps {
  readonly fileName: string;
  readonly match: SearchMatchView;
  readonly find: MatchFinder;
}

/** A matching line with its context; links to that line in the editor. */
export function MatchLines({ fileName, match: { lineNumber, startLine, lines }, find }: MatchLinesProps) {
  return (
    <Link href={editorLineUrl(fileName, lineNumber)} className={styles.match} data-hit>
      {lines.map((line, index) => {
        const number = startLine + index;
        const isHit = number === lineNumber;
        return (
          <span key={number} className={styles.line} data-hit-line={isHit || undefined}>
            <span className={styles.number}>{number}</span>
            <code>
              {isHit
                ? splitAtMatches(line, find).map(({ text, isHit: isMarked }, at) =>
                    // Pieces of a line have no other identity.
                    isMarked ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
                  )
                : line}
            </code>
          </span>
        );
      })}
    </Link>
  );
}
