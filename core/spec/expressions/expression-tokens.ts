/** A token of a GitHub Actions expression. */
export interface ExpressionToken {
  readonly kind: 'operator' | 'not' | 'mark' | 'value' | 'name' | 'end';
  readonly text: string;
  /** 0-based offset of its first character. */
  readonly at: number;
}

/** A syntax error in an expression: where, and why. */
export class ExpressionSyntaxError extends Error {
  /** 0-based offset of the character that is wrong. */
  readonly at: number;

  constructor(at: number, reason: string) {
    super(reason);
    this.at = at;
  }
}

const blanks = /[ \t\r\n]+/y;
const quoted = /'(?:[^']|'')*'/y;
const operators = /&&|\|\||[=!<>]=|[<>]/y;
const marks = /[()[\],*.]/y;
/** Everything up to the end of a name or, with dots, a number. */
const word = /[^\s()[\],.!><=&|]+/y;
const number = /[-+.\d][^\s()[\],!><=&|]*/y;

const literals: ReadonlySet<string> = new Set(['true', 'false', 'null', 'NaN', 'Infinity']);

/**
 * Returns the tokens of an expression, followed by an end token.
 * @throws ExpressionMistake
 */
export function listTokens(text: string): ExpressionToken[] {
  const tokens: ExpressionToken[] = [];
  let at = 0;
  while (at < text.length) {
    const blank = take(blanks, text, at);
    if (blank !== undefined) {
      at += blank.length;
      continue;
    }
    const token = readToken(text, at, tokens.at(-1));
    tokens.push(token);
    at += token.text.length;
  }
  return [...tokens, { kind: 'end', text: '', at: text.length }];
}

function readToken(text: string, at: number, before: ExpressionToken | undefined): ExpressionToken {
  const make = (kind: ExpressionToken['kind'], found: string): ExpressionToken => ({ kind, text: found, at });
  if (text[at] === "'") {
    const found = take(quoted, text, at);
    if (found === undefined) throw new ExpressionSyntaxError(at, "missing closing ' of a string");
    return make('value', found);
  }
  const operator = take(operators, text, at);
  if (operator !== undefined) return make('operator', operator);
  if (text[at] === '!') return make('not', '!');
  const isAccess = before?.kind === 'name' || (before?.kind === 'mark' && ')]*'.includes(before.text));
  if (/[-+\d]/.test(text[at]!) || (text[at] === '.' && !isAccess)) {
    const found = take(number, text, at)!;
    if (Number.isNaN(Number(found))) throw new ExpressionSyntaxError(at, `invalid number "${found}"`);
    return make('value', found);
  }
  const symbol = take(marks, text, at);
  if (symbol !== undefined) return make('mark', symbol);
  return readName(text, at, before);
}

function readName(text: string, at: number, before: ExpressionToken | undefined): ExpressionToken {
  const found = take(word, text, at) ?? text[at]!;
  if (before?.text !== '.' && literals.has(found)) return { kind: 'value', text: found, at };
  if (/^[A-Za-z_][A-Za-z0-9_-]*$/.test(found)) return { kind: 'name', text: found, at };
  throw new ExpressionSyntaxError(at, `unexpected ${JSON.stringify(found)}${hintFor(found)}`);
}

function hintFor(found: string): string {
  if (found === '=' || found === '&' || found === '|') return `; use "${found}${found}"`;
  return /["`]/.test(found) ? "; use single quotes for strings: 'main'" : '';
}

function take(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
