import Anser from 'anser';
import { truncate } from '../../../../core/base/text/truncate.ts';
import { removeControlCharacters, styledText } from '../../../../core/base/text/visible-text.ts';

/** A piece of a log line with one style. */
export interface StyledSegment {
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
    const styles = [...piece.decorations.map(String)];
    if (piece.fg && !piece.fg_truecolor)
      styles.push(piece.fg.replace(/^ansi-(bright-)?/, '$1').replace('bright-', ''));
    if (piece.bg) styles.push('marked');
    return {
      text: removeControlCharacters(piece.content),
      styles,
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
