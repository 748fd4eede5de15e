import { canBeBlockScalar } from './scalar-text.ts';

/** A block scalar: its header, starting with `|` or `>`, and its lines. */
export interface BlockText {
  readonly header: string;
  /** Indented, without line breaks. */
  readonly lines: readonly string[];
}

export interface BlockTextPosition {
  /** Column of its key or `-`. */
  readonly parent: number;
  /** Column of its lines. */
  readonly column: number;
  readonly folded?: boolean;
  /** Whether the string may end with several line breaks: following blank lines would become part of it. */
  readonly mayKeep?: boolean;
}

/**
 * Formats a string as a block scalar.
 * @returns undefined if it would not be read back unchanged
 */
export function blockText(value: string, position: BlockTextPosition): BlockText | undefined {
  const body = value.replace(/\n+$/, '');
  const breaks = value.length - body.length;
  if (body === '' || !canBeBlockScalar(body) || (breaks > 1 && position.mayKeep !== true)) return undefined;
  const written = body.split('\n');
  // Blank lines at the start or end lose their spaces.
  if (/^[ \t]+$/.test(written[0]!) || /^[ \t]*$/.test(written.at(-1)!)) return undefined;
  const first = written.find((line) => line !== '')!;
  if (/^[ \t]+$/.test(first)) return undefined;
  const depth = position.column - position.parent;
  const needsDepth = /^[ \t]/.test(first);
  if (needsDepth && depth > 9) return undefined;
  const folded = position.folded === true ? fold(written) : undefined;
  const chomping = breaks === 0 ? '-' : breaks === 1 ? '' : '+';
  const pad = ' '.repeat(position.column);
  const lines = [...(folded ?? written), ...Array.from({ length: Math.max(0, breaks - 1) }, () => '')];
  return {
    header: `${folded === undefined ? '|' : '>'}${needsDepth ? depth : ''}${chomping}`,
    lines: lines.map((line) => (line === '' ? '' : pad + line)),
  };
}

/** Returns the lines for `>`: each run of line breaks between two lines has one more than it represents. */
function fold(lines: readonly string[]): string[] | undefined {
  // Folding has complex rules next to indented lines; `|` is more readable there.
  if (lines.some((line) => /^[ \t]/.test(line))) return undefined;
  const folded: string[] = [];
  for (const line of lines) {
    if (line !== '' && folded.some((before) => before !== '')) folded.push('');
    folded.push(line);
  }
  return folded;
}
