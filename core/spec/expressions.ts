import { findNearest } from '../base/text.ts';

/** Functions of expressions, with their minimum and maximum number of arguments. */
const functions: Readonly<Record<string, readonly [least: number, most: number]>> = {
  case: [3, Infinity],
  contains: [2, 2],
  startsWith: [2, 2],
  endsWith: [2, 2],
  format: [1, 255],
  join: [1, 2],
  toJson: [1, 1],
  fromJson: [1, 1],
  success: [0, 0],
  failure: [0, 0],
  cancelled: [0, 0],
  always: [0, 0],
};
const maxCharacters = 21_000;
const maxDepth = 40;

/**
 * Finds the first error in a GitHub Actions expression, written with or without `${{ }}`, without evaluating it.
 * @param contexts names of the available contexts
 * @returns a reason that follows "is no expression: "; undefined if the expression is valid
 */
export function findExpressionProblem(written: string, contexts: readonly string[]): string | undefined {
  try {
    const text = unwrap(written);
    if (/^[\s()]*$/.test(text)) return 'the expression is empty';
    if (text.length > maxCharacters) return `the expression has more than ${maxCharacters} characters`;
    new Reader(listTokens(text), contexts).readAll();
    return undefined;
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    const { message, at } = error;
    return at >= written.trimEnd().length ? `${message}, at the end` : `${message}, at character ${at + 1}`;
  }
}

/**
 * Replaces the braces, which may enclose the whole expression or parts of it, by spaces, so that offsets stay the
 * same.
 */
function unwrap(written: string): string {
  let text = '';
  let at = 0;
  for (;;) {
    const start = written.indexOf('${{', at);
    if (start < 0) break;
    const end = findExpressionEnd(written, start + 3);
    if (end < 0) throw new ExpressionSyntaxError(start, 'missing "}}" after "${{"');
    text += `${written.slice(at, start)}  (${written.slice(start + 3, end)}) `;
    at = end + 2;
  }
  return text + written.slice(at);
}

/** Checks the tokens against the grammar. Operator precedence does not affect validity. */
class Reader {
  readonly #tokens: readonly ExpressionToken[];
  readonly #contexts: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly ExpressionToken[], contexts: readonly string[]) {
    this.#tokens = tokens;
    this.#contexts = contexts;
  }

  readAll(): void {
    this.#readExpression();
    const rest = this.#next;
    if (rest.kind === 'end') return;
    throw new ExpressionSyntaxError(
      rest.at,
      rest.text === ')' ? 'unmatched ")"' : `missing operator before "${clip(rest.text)}"`,
    );
  }

  #readExpression(): void {
    this.#depth += 1;
    if (this.#depth > maxDepth)
      throw new ExpressionSyntaxError(this.#next.at, `nested more than ${maxDepth} levels deep`);
    this.#readOperand();
    while (this.#next.kind === 'operator') {
      this.#at += 1;
      this.#readOperand();
    }
    this.#depth -= 1;
  }

  #readOperand(): void {
    while (this.#next.kind === 'not') this.#at += 1;
    const token = this.#next;
    if (token.kind === 'value') {
      this.#at += 1;
      return;
    }
    if (token.kind === 'name') this.#readName(token);
    else if (this.#consumeIf('(')) {
      this.#readExpression();
      this.#expect(')', token);
    } else {
      const found = token.kind === 'end' ? '' : ` before "${clip(token.text)}"`;
      throw new ExpressionSyntaxError(token.at, `missing value${found}`);
    }
    this.#readAccess();
  }

  #readName(name: ExpressionToken): void {
    this.#at += 1;
    if (!this.#consumeIf('(')) return this.#checkContext(name);
    let count = 0;
    while (!this.#consumeIf(')')) {
      this.#readExpression();
      count += 1;
      if (this.#next.text !== ')' || this.#next.kind !== 'mark') this.#expect(',', name);
    }
    checkCall(name, count);
  }

  #readAccess(): void {
    for (;;) {
      const token = this.#next;
      if (this.#consumeIf('[')) {
        if (!this.#consumeIf('*')) this.#readExpression();
        this.#expect(']', token);
      } else if (this.#consumeIf('.')) {
        const property = this.#next;
        if (property.kind !== 'name' && !this.#isOperator('*'))
          throw new ExpressionSyntaxError(property.at, 'missing name after "."');
        this.#at += 1;
      } else return;
    }
  }

  #checkContext({ text, at }: ExpressionToken): void {
    if (this.#contexts.includes(text.toLowerCase())) return;
    const near = findNearest(text, this.#contexts);
    const advice = near === undefined ? `use ${this.#contexts.join(', ')}` : `did you mean "${near}"?`;
    throw new ExpressionSyntaxError(at, `unknown name "${clip(text)}", ${advice}`);
  }

  get #next(): ExpressionToken {
    return this.#tokens[this.#at]!;
  }

  #isOperator(operator: string): boolean {
    return this.#next.kind === 'mark' && this.#next.text === operator;
  }

  #consumeIf(operator: string): boolean {
    if (!this.#isOperator(operator)) return false;
    this.#at += 1;
    return true;
  }

  #expect(operator: string, opened: ExpressionToken): void {
    if (this.#consumeIf(operator)) return;
    const missing = operator === ',' ? ')' : operator;
    throw new ExpressionSyntaxError(this.#next.at, `missing "${missing}" for "${clip(opened.text)}"`);
  }
}

function checkCall({ text, at }: ExpressionToken, count: number): void {
  const names = Object.keys(functions);
  const name = names.find((one) => one.toLowerCase() === text.toLowerCase());
  if (name === undefined) {
    const near = findNearest(text, names);
    const advice = near === undefined ? `use ${names.join(', ')}` : `did you mean "${near}"?`;
    throw new ExpressionSyntaxError(at, `unknown function "${clip(text)}", ${advice}`);
  }
  const [min, max] = functions[name]!;
  const fits = count >= min && count <= max && (name !== 'case' || count % 2 === 1);
  if (fits) return;
  const expected = min === max ? String(min) : `${min} to ${max}`;
  throw new ExpressionSyntaxError(
    at,
    name === 'case'
      ? '"case" requires pairs of a condition and a value, plus a default value'
      : `"${name}" requires ${expected} arguments, got ${count}`,
  );
}

const clip = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** A token of a GitHub Actions expression. */
interface ExpressionToken {
  readonly kind: 'operator' | 'not' | 'mark' | 'value' | 'name' | 'end';
  readonly text: string;
  /** 0-based offset of its first character. */
  readonly at: number;
}

/** A syntax error in an expression: where, and why. */
class ExpressionSyntaxError extends Error {
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
function listTokens(text: string): ExpressionToken[] {
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

/**
 * Finds the `}}` that closes a `${{`, outside single-quoted strings. Returns -1 if there is none.
 * @param from offset after the `${{`
 */
export function findExpressionEnd(text: string, from: number): number {
  let isQuoted = false;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "'") isQuoted = !isQuoted;
    else if (!isQuoted && text.startsWith('}}', at)) return at;
  }
  return -1;
}

/** Contexts that expressions of `on.webhook` can use. */
export const webhookContexts = ['event', 'action', 'payload', 'headers', 'receiver'] as const;
