import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { countOverwrites } from '../../../../core/base/text/visible-text.ts';
import type { LogFound } from '../../../../core/contract/runs/logs.ts';
import { findLinks, splitAtSpans, readAnsiLine, type StyledSegment } from './ansi-line.ts';
import { parseGroupMarker } from './group-line.ts';
import type { LogStream } from '../rows/line-rows.ts';
import styles from '../log.module.css';

/** A click on a line number. */
export interface LineChoice {
  readonly stream: LogStream;
  readonly line: number;
  /** Whether to select from the previously selected line. */
  readonly isRange: boolean;
}

interface LogLineProps {
  readonly stream: LogStream;
  /** 0-based. */
  readonly line: number;
  /** Absent while loading. */
  readonly text: string | undefined;
  /** The formatted time; absent if times are hidden. */
  readonly time?: string | undefined;
  readonly columns?: LogFound['hits'][number]['columns'] | undefined;
  readonly isCurrent?: boolean;
  /** Number of lines folded below the first line of a group; absent while it is expanded. */
  readonly hidden?: number | undefined;
  readonly onChoose: (choice: LineChoice) => void;
  readonly onFold: (pieceIndex: { readonly stream: LogStream; readonly line: number }) => void;
}

/** One line of output with its number. */
export const LogLine = memo(function LogLine(props: LogLineProps) {
  const { stream, line, text, time, onChoose } = props;
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        className={styles.number}
        aria-label={`Line ${line + 1}${stream === 'stderr' ? ' of stderr' : ''}`}
        onClick={(event) => onChoose({ stream, line, isRange: event.shiftKey })}
      >
        {stream === 'stderr' && (
          <span className={styles.glyph} aria-hidden="true">
            !
          </span>
        )}
        {line + 1}
      </button>
      {time !== undefined && <span className={styles.time}>{time}</span>}
      {text === undefined ? <span className={styles.pending} /> : <LineText {...props} text={text} />}
    </>
  );
});

function LineText(props: LogLineProps & { readonly text: string }) {
  const { stream, line, text, columns, isCurrent = false, hidden, onFold } = props;
  const group = parseGroupMarker(text);
  if (group?.kind === 'begin') {
    const Icon = hidden === undefined ? ChevronDown : ChevronRight;
    return (
      <button
        type="button"
        className={styles.group}
        aria-expanded={hidden === undefined}
        onClick={() => onFold({ stream, line })}
      >
        <Icon size={14} aria-hidden="true" />
        {group.title}
        {hidden !== undefined && <span className={styles.hidden}>{countLines(hidden)}</span>}
      </button>
    );
  }
  const times = countOverwrites(text);
  return (
    <code className={styles.text} data-quiet={group?.kind === 'end' || undefined}>
      {cutLine(text, columns).map((piece, pieceIndex) => (
        <LogSegment key={pieceIndex} piece={piece} isCurrent={isCurrent} />
      ))}
      {times > 1 && (
        <span className={styles.overwrites} title="Progress output. Only the last update is shown.">
          {`${times.toLocaleString('en')} updates`}
        </span>
      )}
    </code>
  );
}

const countLines = (lines: number): string =>
  `${lines.toLocaleString('en')} ${lines === 1 ? 'line' : 'lines'}`;

function cutLine(text: string, columns: LogLineProps['columns']): readonly StyledSegment[] {
  const pieces = readAnsiLine(text);
  const plain = pieces.map((piece) => piece.text).join('');
  const linked = splitAtSpans(pieces, findLinks(plain), (piece, { href }) => ({ ...piece, href }));
  if (!columns) return linked;
  const spans = columns.map(([from = 0, to = 0]) => ({ from, to }));
  return splitAtSpans(linked, spans, (piece) => ({ ...piece, styles: [...piece.styles, 'hit'] }));
}

function LogSegment({ piece, isCurrent }: { readonly piece: StyledSegment; readonly isCurrent: boolean }) {
  const { text, styles: names, colour, href } = piece;
  const isHit = names.includes('hit');
  const className = names.map((name) => styles[name] ?? '').join(' ');
  const styleProps = colour === undefined ? {} : { style: { color: `rgb(${colour})` } };
  const content = isHit ? <mark data-current={isCurrent || undefined}>{text}</mark> : text;
  if (href === undefined)
    return (
      <span className={className} {...styleProps}>
        {content}
      </span>
    );
  return (
    <a className={`${className} ${styles.link}`} href={href} target="_blank" rel="noreferrer noopener">
      {content}
    </a>
  );
}
