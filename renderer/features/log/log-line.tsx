import { memo } from 'react';
import { readAnsiLine } from './ansi-line.ts';
import styles from './log.module.css';

interface LogLineProps {
  /** 0-based. */
  readonly index: number;
  /** Absent while it is being fetched. */
  readonly text: string | undefined;
}

/** One line of output with its number. */
export const LogLine = memo(function LogLine({ index, text }: LogLineProps) {
  return (
    <>
      <span className={styles.number} aria-hidden="true">
        {index + 1}
      </span>
      {text === undefined ? (
        <span className={styles.pending} />
      ) : (
        <code className={styles.text}>
          {readAnsiLine(text).map((piece, place) => (
            <span
              key={place}
              className={piece.styles.map((name) => styles[name] ?? '').join(' ')}
              {...(piece.colour !== undefined && { style: { color: `rgb(${piece.colour})` } })}
            >
              {piece.text}
            </span>
          ))}
        </code>
      )}
    </>
  );
});
