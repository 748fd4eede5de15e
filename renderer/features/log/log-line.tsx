import Anser from 'anser';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { truncate, removeControlCharacters, styledText, countOverwrites } from '../../../core/base/text.ts';
import type { LogMatches } from '../../../core/contract/logs.ts';
import type { LogRef } from './log-line-cache.ts';
import { type LogStream, parseGroupMarker } from './line-rows.ts';
import styles from './log.module.css';

/** A piece of a log line with one style. */
interface StyledSegment {
  readonly text: string;
  /** Names of the piece's styles in the style sheet. */
  readonly styles: readonly string[];
  /** A color given by value, `r, g, b`. */
  readonly colour?: string;
  /** Link target. */
  readonly href?: string;
}

/** Longer lines are truncated, so that rows are cheap to render. */
const maxShownLength = 4_000;

/**
 * Parses a line of output for display: escape codes become styles; of a line overwritten by a progress display,
 * only the final state remains; other control characters are dropped.
 */
export function readAnsiLine(line: string): readonly StyledSegment[] {
  const text = truncate(styledText(line), maxShownLength);
  if (!text.includes('\u001B')) return [{ text: removeControlCharacters(text), styles: [] }];
  return Anser.ansiToJson(text, { json: true, use_classes: true, remove_empty: true }).map((piece) => {
    const styleNames = [...piece.decorations.map(String)];
    if (piece.fg && !piece.fg_truecolor)
      styleNames.push(piece.fg.replace(/^ansi-(bright-)?/, '$1').replace('bright-', ''));
    if (piece.bg) styleNames.push('marked');
    return {
      text: removeControlCharacters(piece.content),
      styles: styleNames,
      ...(piece.fg_truecolor && { colour: piece.fg_truecolor }),
    };
  });
}

/** A range of a line. */
interface Span {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** Splits pieces at the boundaries of each span and changes the pieces inside. */
export function splitAtSpans<Marked extends Span>(
  pieces: readonly StyledSegment[],
  spans: readonly Marked[],
  mark: (piece: StyledSegment, span: Marked) => StyledSegment,
): StyledSegment[] {
  if (spans.length === 0) return [...pieces];
  const marked: StyledSegment[] = [];
  let at = 0;
  for (const piece of pieces) {
    const end = at + piece.text.length;
    let done = at;
    for (const span of spans) {
      if (span.to <= done || span.from >= end) continue;
      const from = Math.max(span.from, done);
      const to = Math.min(span.to, end);
      if (from > done) marked.push({ ...piece, text: piece.text.slice(done - at, from - at) });
      marked.push(mark({ ...piece, text: piece.text.slice(from - at, to - at) }, span));
      done = to;
    }
    if (done < end) marked.push({ ...piece, text: piece.text.slice(done - at) });
    at = end;
  }
  return marked;
}

const addresses = /https?:\/\/[^\s"'<>`]+/g;

/** Finds web addresses in a text, without a trailing bracket or full stop. */
export function findLinks(text: string): (Span & { readonly href: string })[] {
  if (!text.includes('://')) return [];
  return [...text.matchAll(addresses)].map((match) => {
    const href = match[0].replace(/[.,;:!?)\]}]+$/, '');
    return { from: match.index, to: match.index + href.length, href };
  });
}

/** Selected lines; 0-based, both ends inclusive. */
export interface SelectedLines {
  readonly stream: LogStream;
  readonly from: number;
  readonly to: number;
}

/** Parses the selection in an address: `120`, `120-140`, or `stderr:7` for the other stream. Counted from 1. */
export function parseLineSelection(written: string | null): SelectedLines | undefined {
  const found = /^(?:(stdout|stderr):)?(\d{1,15})(?:-(\d{1,15}))?$/.exec(written ?? '');
  if (!found) return undefined;
  const stream = (found[1] ?? 'stdout') as LogStream;
  const [first, last] = [Number(found[2]), Number(found[3] ?? found[2])];
  if (first < 1 || last < 1) return undefined;
  return { stream, from: Math.min(first, last) - 1, to: Math.max(first, last) - 1 };
}

/** Formats the selection for an address. */
export function formatLineSelection({ stream, from, to }: SelectedLines): string {
  const lines = from === to ? String(from + 1) : `${from + 1}-${to + 1}`;
  return stream === 'stdout' ? lines : `${stream}:${lines}`;
}

/** Returns a reference to a line, for notes: `01a1f8c1…/load:120`. */
export const writeReference = ({ dagRunId, step }: LogRef, chosen: SelectedLines): string =>
  `${dagRunId}/${step}:${formatLineSelection(chosen)}`;

/** Extends the selection to another line of the same stream. */
export function extendSelection(
  chosen: SelectedLines | undefined,
  stream: LogStream,
  line: number,
): SelectedLines {
  if (chosen?.stream !== stream) return { stream, from: line, to: line };
  return { stream, from: Math.min(chosen.from, line), to: Math.max(chosen.to, line) };
}

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
  readonly columns?: LogMatches['hits'][number]['columns'] | undefined;
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
