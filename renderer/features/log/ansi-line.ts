import Anser from 'anser';
import { clip } from '../../../core/base/clip.ts';

/** A piece of a log line in one style. */
export interface LogPiece {
  readonly text: string;
  /** Names of the piece's style, to be looked up in the style sheet. */
  readonly styles: readonly string[];
  /** A colour given by value, `r, g, b`. */
  readonly colour?: string;
}

/** A line longer than this is shown cut; rows stay cheap to draw. */
const longestShown = 4_000;

/**
 * A line of output as it is to be shown: colours by their escape codes; of a line that a progress display has
 * written over and over, only what is left at the end; other control characters dropped.
 */
export function readAnsiLine(line: string): readonly LogPiece[] {
  const shown = clip(line, longestShown);
  const text = keepLastOverwrite(shown);
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

function keepLastOverwrite(line: string): string {
  if (!line.includes('\r')) return line;
  const parts = line.split('\r').filter((part) => part !== '');
  return parts.at(-1) ?? '';
}

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const controls = /[\u0000-\u0008\u000B-\u001F\u007F]/g;
const dropControls = (text: string): string => text.replaceAll(controls, '');
