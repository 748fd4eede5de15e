import { isPrintableText } from './scalar-text.ts';

/** A text over several lines: `|` or `>` with what belongs to it, and the lines below it. */
export interface BlockText {
  readonly header: string;
  /** Indented, without line breaks. */
  readonly lines: readonly string[];
}

export interface BlockTextPlace {
  /** Column of the key or `-` that it hangs on. */
  readonly parent: number;
  /** Column of its lines. */
  readonly column: number;
  readonly folded?: boolean;
  /** Whether a text may end with several line breaks: blank lines behind it would become part of it. */
  readonly mayKeep?: boolean;
}

/**
 * A text as a block scalar.
 * @returns undefined when it would not come back the same
 */
export function blockText(value: string, place: BlockTextPlace): BlockText | undefined {
  const body = value.replace(/\n+$/, '');
  const breaks = value.length - body.length;
  if (body === '' || !isPrintableText(body) || (breaks > 1 && place.mayKeep !== true)) return undefined;
  const written = body.split('\n');
  // Blank lines at either end lose their blanks.
  if (/^[ \t]+$/.test(written[0]!) || /^[ \t]*$/.test(written.at(-1)!)) return undefined;
  const first = written.find((line) => line !== '')!;
  if (/^[ \t]+$/.test(first)) return undefined;
  const depth = place.column - place.parent;
  const needsDepth = /^[ \t]/.test(first);
  if (needsDepth && depth > 9) return undefined;
  const folded = place.folded === true ? fold(written) : undefined;
  const chomping = breaks === 0 ? '-' : breaks === 1 ? '' : '+';
  const pad = ' '.repeat(place.column);
  const lines = [...(folded ?? written), ...Array.from({ length: Math.max(0, breaks - 1) }, () => '')];
  return {
    header: `${folded === undefined ? '|' : '>'}${needsDepth ? depth : ''}${chomping}`,
    lines: lines.map((line) => (line === '' ? '' : pad + line)),
  };
}

/** Lines for `>`: each run of line breaks between two lines of text has one more than it stands for. */
function fold(lines: readonly string[]): string[] | undefined {
  // Beside indented lines the rules of folding are many; `|` shows such a text better.
  if (lines.some((line) => /^[ \t]/.test(line))) return undefined;
  const folded: string[] = [];
  for (const line of lines) {
    if (line !== '' && folded.some((before) => before !== '')) folded.push('');
    folded.push(line);
  }
  return folded;
}
