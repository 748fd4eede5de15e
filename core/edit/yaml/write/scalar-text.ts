/** How a text may be written on one line. */
export type Quotes = 'none' | 'single' | 'double';

/** Where a scalar is put. */
export interface ScalarPlace {
  /** Within brackets, where commas and brackets end a text without quotes. */
  readonly inFlow: boolean;
  /** What the author would use. */
  readonly quotes?: Quotes;
}

/** What is no text without quotes: here, or for readers of YAML 1.1, which takes `yes` and `1:30` for something else. */
const OTHER_THAN_TEXT =
  /^(?:~|null|true|false|yes|no|on|off|[-+]?\.inf|\.nan|<<|=|[-+]?0[box][\da-f_]+|[-+]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:e[-+]?\d+)?|[-+]?\d+(?::\d+)+(?:\.\d*)?)$/i;

/** Characters that no reader shows as they are; lone halves of surrogate pairs among them. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\uFEFF\uFFFE\uFFFF]/u;

const UNPRINTABLE_BUT_TAB = /[^\P{Cc}\t]|[\p{Cs}\u2028\u2029\uFEFF\uFFFE\uFFFF]/u;

/** A scalar on one line: in the author's quotes where they can hold it, else in the plainest way that is safe. */
export function scalarText(value: null | boolean | number | string, place: ScalarPlace): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean') return String(value);
  const { quotes = 'none' } = place;
  if (quotes === 'none' && isPlain(value, place.inFlow)) return value;
  if (quotes !== 'double' && !UNPRINTABLE_BUT_TAB.test(value)) {
    if (quotes === 'single' || !value.includes('\t')) return `'${value.replaceAll("'", "''")}'`;
  }
  return doubleQuoted(value);
}

/** Whether a text is safe without quotes, as a value and as a key. */
export function isPlain(value: string, inFlow: boolean): boolean {
  if (value === '' || OTHER_THAN_TEXT.test(value) || UNPRINTABLE.test(value)) return false;
  if (/^[\s?:,[\]{}#&*!|>'"%@`]|^-(?:$|\s)|^---|^\.\.\.|\s$/.test(value)) return false;
  if (/:(?:\s|$)|\s#/.test(value)) return false;
  return !inFlow || !/[,[\]{}]|^-$/.test(value);
}

/** Whether a text may stand in `|` as it is: no characters that would be lost or need an escape. */
export function isPrintableText(value: string): boolean {
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
