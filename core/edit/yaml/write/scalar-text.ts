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
export function canBeBlockScalar(value: string): boolean {
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
