import { data, Evaluator, ExpressionError, Lexer, Parser, type Expr } from '@actions/expressions';
import type { FunctionDefinition } from '@actions/expressions/funcs/info';
import { truncate } from '../../base/text.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { findExpressionEnd } from '../../spec/expressions.ts';
import { HashRequiredError } from './hash-files.ts';

/** Status of the job so far, as `success()`, `failure()` and `cancelled()` see it. */
export type Progress = 'success' | 'failure' | 'cancelled';

/** Everything that an expression can refer to. */
export interface ExpressionScope {
  /** Values by context name: `inputs`, `env`, `steps`, `github`, `runner`, … */
  readonly contexts: JsonObject;
  readonly progress: Progress;
  /** Computes the checksum of files for `hashFiles`. */
  hashFiles(patterns: readonly string[]): Promise<string>;
}

/** An expression that cannot be parsed or evaluated. The message quotes it. */
export class EvaluationError extends Error {
  override readonly name = 'EvaluationError';
}

const statusFunctions = ['success', 'failure', 'always', 'cancelled'] as const;

/**
 * Replaces every `${{ … }}` in a string with its value.
 * @throws EvaluationError
 */
export async function fillText(text: string, scope: ExpressionScope): Promise<string> {
  if (!text.includes('${{')) return text;
  let filled = '';
  for (const part of splitText(text))
    filled += 'literal' in part ? part.literal : (await evaluate(part.expression, scope)).coerceString();
  return filled;
}

/**
 * Whether a condition holds. It may be written with or without `${{ }}`.
 * @param impliesSuccess a condition without a status function also requires that nothing has failed
 */
export async function isConditionMet(
  condition: string,
  scope: ExpressionScope,
  impliesSuccess: boolean,
): Promise<boolean> {
  const expression = unwrap(condition).trim();
  if (impliesSuccess && scope.progress !== 'success' && !usesStatusFunction(expression)) return false;
  return expression === '' || isTrue(await evaluate(expression, scope));
}

/**
 * Evaluates an expression, written with or without `${{ }}`, to a string.
 * @throws EvaluationError
 */
export const evaluateText = async (expression: string, scope: ExpressionScope): Promise<string> =>
  (await evaluate(unwrap(expression).trim(), scope)).coerceString();

/** Handles `${{ a }} == 1`, which is common: everything outside the braces is part of the expression, too. */
function unwrap(condition: string): string {
  const parts = splitText(condition);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && 'expression' in only) return only.expression;
  return parts.map((part) => ('literal' in part ? part.literal : ` (${part.expression}) `)).join('');
}

function usesStatusFunction(expression: string): boolean {
  const withoutTexts = expression.replaceAll(/'(?:[^']|'')*'/g, "''");
  return new RegExp(`\\b(${statusFunctions.join('|')})\\s*\\(`, 'i').test(withoutTexts);
}

type Part = { readonly literal: string } | { readonly expression: string };

/** Splits a string at each `${{` and the `}}` that closes it; a `}}` inside quotes does not close it. */
function splitText(text: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (;;) {
    const start = text.indexOf('${{', at);
    if (start < 0) break;
    const end = findExpressionEnd(text, start + 3);
    if (end < 0) throw new EvaluationError(`Missing }} after "${truncate(text.slice(start), 120)}".`);
    if (start > at) parts.push({ literal: text.slice(at, start) });
    parts.push({ expression: text.slice(start + 3, end).trim() });
    at = end + 2;
  }
  if (at < text.length) parts.push({ literal: text.slice(at) });
  return parts;
}

/**
 * Evaluates an expression. Only `hashFiles` is asynchronous: when an expression needs a checksum, it is computed and
 * the whole expression is evaluated again.
 */
async function evaluate(expression: string, scope: ExpressionScope): Promise<data.ExpressionData> {
  const hashes = new Map<string, string>();
  for (;;) {
    try {
      return evaluateNow(expression, scope, hashes);
    } catch (error) {
      if (!(error instanceof HashRequiredError)) throw explain(expression, error);
      hashes.set(error.key, await scope.hashFiles(error.patterns));
    }
  }
}

function evaluateNow(
  expression: string,
  scope: ExpressionScope,
  hashes: ReadonlyMap<string, string>,
): data.ExpressionData {
  const functions = listFunctions(scope.progress, hashes);
  const names = Object.keys(scope.contexts);
  const tokens = new Lexer(expression).lex().tokens;
  const parsed = new Parser(tokens, names, functions).parse() as Expr | undefined;
  if (parsed === undefined) throw new EvaluationError('the expression is empty');
  const contexts = toData(scope.contexts) as data.Dictionary;
  const byName = new Map(functions.map((each) => [each.name.toLowerCase(), each]));
  return new Evaluator(parsed, contexts, byName).evaluate();
}

function listFunctions(progress: Progress, hashes: ReadonlyMap<string, string>): FunctionDefinition[] {
  const answer = (name: (typeof statusFunctions)[number], value: boolean): FunctionDefinition => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(value),
  });
  const hashFiles: FunctionDefinition = {
    name: 'hashFiles',
    minArgs: 1,
    maxArgs: 255,
    call: (...args) => {
      const required = new HashRequiredError(args.map((arg) => arg.coerceString()));
      const known = hashes.get(required.key);
      if (known === undefined) throw required;
      return new data.StringData(known);
    },
  };
  return [
    answer('success', progress === 'success'),
    answer('failure', progress === 'failure'),
    answer('cancelled', progress === 'cancelled'),
    answer('always', true),
    hashFiles,
  ];
}

const toData = (value: JsonValue): data.ExpressionData =>
  JSON.parse(JSON.stringify(value), data.reviver) as data.ExpressionData;

function isTrue(value: data.ExpressionData): boolean {
  switch (value.kind) {
    case data.Kind.Null:
      return false;
    case data.Kind.Boolean:
      return value.value;
    case data.Kind.Number:
      return value.number() !== 0 && !Number.isNaN(value.number());
    case data.Kind.String:
      return value.coerceString() !== '';
    default:
      return true;
  }
}

function explain(expression: string, error: unknown): EvaluationError {
  if (error instanceof EvaluationError && error.message.startsWith('The expression')) return error;
  const where = error instanceof ExpressionError ? `, at character ${error.pos.column + 1}` : '';
  const reason = error instanceof Error ? error.message : String(error);
  return new EvaluationError(`Invalid expression "${truncate(expression, 120)}"${where}: ${reason}.`, {
    cause: error,
  });
}
