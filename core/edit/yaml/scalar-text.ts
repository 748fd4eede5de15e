/** How a string is quoted on one line. */
export type Quotes = 'none' | 'single' | 'double';

/** Where a scalar is written. */
export interface ScalarPosition {
  /** Inside brackets, where commas and brackets end an unquoted string. */
  readonly inFlow: boolean;
  /** Preferred quotes. */
  readonly quotes?: Quotes;
}

/** Unquoted scalars that are not strings, here or in YAML 1.1, which reads `yes` and `1:30` as other types. */
const OTHER_THAN_TEXT =
  /^(?:~|null|true|false|yes|no|on|off|[-+]?\.inf|\.nan|<<|=|[-+]?0[box][\da-f_]+|[-+]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:e[-+]?\d+)?|[-+]?\d+(?::\d+)+(?:\.\d*)?)$/i;

/** Characters that are not printable, including lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\uFEFF\uFFFE\uFFFF]/u;

const UNPRINTABLE_BUT_TAB = /[^\P{Cc}\t]|[\p{Cs}\u2028\u2029\uFEFF\uFFFE\uFFFF]/u;

/** Formats a scalar on one line: with the preferred quotes if they can contain it, else in the simplest safe form. */
export function scalarText(value: null | boolean | number | string, position: ScalarPosition): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean') return String(value);
  const { quotes = 'none' } = position;
  if (quotes === 'none' && isPlain(value, position.inFlow)) return value;
  if (quotes !== 'double' && !UNPRINTABLE_BUT_TAB.test(value)) {
    if (quotes === 'single' || !value.includes('\t')) return `'${value.replaceAll("'", "''")}'`;
  }
  return doubleQuoted(value);
}

/** Whether a string is safe without quotes, as a value and as a key. */
export function isPlain(value: string, inFlow: boolean): boolean {
  if (value === '' || OTHER_THAN_TEXT.test(value) || UNPRINTABLE.test(value)) return false;
  if (/^[\s?:,[\]{}#&*!|>'"%@`]|^-(?:$|\s)|^---|^\.\.\.|\s$/.test(value)) return false;
  if (/:(?:\s|$)|\s#/.test(value)) return false;
  return !inFlow || !/[,[\]{}]|^-$/.test(value);
}

/**
 * Whether a string can be written as a `|` block scalar: it has no characters that would be lost or need an escape.
 */
function canBeBlockScalar(value: string): boolean {
  return !UNPRINTABLE_BUT_TAB.test(value.replaceAll('\n', ''));
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  return Object.is(value, -0) ? '-0' : String(value);
}

function doubleQuoted(value: string): string {
  return JSON.stringify(value).replaceAll(
    /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

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
