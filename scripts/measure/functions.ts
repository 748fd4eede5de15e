import { parseAst } from 'vite';
import type { Measured } from './sizes.ts';

/** The used parts of an ESTree syntax tree. */
interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const functionTypes: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]);

/**
 * Lists every function of a source file, including nested ones, with its lines of code: as for the limit,
 * without blank lines and comment lines.
 * @param file its extension determines the language
 */
export function measureFunctions(file: string, text: string): Measured[] {
  const starts = findLineStarts(text);
  const isCode = markCode(text);
  const functions: Measured[] = [];
  visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file), ({ start, end }) => {
    const [first, last] = [lineAt(starts, start), lineAt(starts, end)];
    const lines = isCode.slice(first, last + 1).filter(Boolean).length;
    functions.push({ path: `${file}:${first + 1}`, lines });
  });
  return functions;
}

function visit(value: unknown, tell: (node: SyntaxNode) => void): void {
  if (typeof value !== 'object' || value === null) return;
  const node = value as SyntaxNode;
  if (functionTypes.has(node.type)) tell(node);
  for (const part of Object.values(value)) visit(part, tell);
}

const findLineStarts = (text: string): number[] => [0, ...text.matchAll(/\n/g).map(({ index }) => index + 1)];

/** Returns the 0-based line of an offset. */
const lineAt = (starts: readonly number[], offset: number): number =>
  starts.findLastIndex((start) => start <= offset);

/**
 * Returns for each line whether it has code. A comment after code ends on the same line, as the formatter
 * ensures.
 */
function markCode(text: string): boolean[] {
  let isWithin = false;
  return text.split('\n').map((line) => {
    const plain = line.trim();
    const begins = plain.startsWith('/*') || plain.startsWith('{/*');
    const isComment = isWithin || begins || plain.startsWith('//');
    if (isWithin || begins) isWithin = !plain.includes('*/');
    return plain !== '' && !isComment;
  });
}
