import Anser from 'anser';
import { clip } from '../../../../core/base/text/clip.ts';
import { dropControls, styledText } from '../../../../core/base/text/visible-text.ts';

/** A piece of a log line in one style. */
export interface LogPiece {
  readonly text: string;
  /** Names of the piece's style, to be looked up in the style sheet. */
  readonly styles: readonly string[];
  /** A colour given by value, `r, g, b`. */
  readonly colour?: string;
  /** Where it leads. */
  readonly href?: string;
}

/** A line longer than this is shown cut; rows stay cheap to draw. */
const longestShown = 4_000;

/**
 * A line of output as it is to be shown: colours by their escape codes; of a line that a progress display has
 * written over and over, only what is left at the end; other control characters dropped.
 */
export function readAnsiLine(line: string): readonly LogPiece[] {
  const text = clip(styledText(line), longestShown);
  if (!text.includes('\u001B')) return [{ text: dropControls(text), styles: [] }];
  return Anser.ansiToJson(text, { json: true, use_classes: true, remove_empty: true }).map((piece) => {
    const styles = [...piece.decorations.map(String)];
    if (piece.fg && !piece.fg_truecolor)
      styles.push(piece.fg.replace(/^ansi-(bright-)?/, '$1').replace('bright-', ''));
    if (piece.bg) styles.push('marked');
    return {
      text: dropControls(piece.content),
      styles,
      ...(piece.fg_truecolor && { colour: piece.fg_truecolor }),
    };
  });
}

/** A part of a line. */
interface Span {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** Cuts pieces so that each span is made of whole pieces, and has those of the span changed. */
export function markSpans<Marked extends Span>(
  pieces: readonly LogPiece[],
  spans: readonly Marked[],
  mark: (piece: LogPiece, span: Marked) => LogPiece,
): LogPiece[] {
  if (spans.length === 0) return [...pieces];
  const marked: LogPiece[] = [];
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

/** Addresses of the web in a text. A bracket or a full stop behind one is not of it. */
export function findLinks(text: string): (Span & { readonly href: string })[] {
  if (!text.includes('://')) return [];
  return [...text.matchAll(addresses)].map((match) => {
    const href = match[0].replace(/[.,;:!?)\]}]+$/, '');
    return { from: match.index, to: match.index + href.length, href };
  });
}
