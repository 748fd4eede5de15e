import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseAst } from 'vite';
import { findFolder, findImportViolation, resolveRelative } from '../layers.ts';

/** One import, re-export or dynamic import in a source file. */
export interface SourceImport {
  readonly specifier: string;
  /** True for `import type` and `export type`, which do not exist at run time. */
  readonly typeOnly: boolean;
}

const STATIC_IMPORT =
  /^[ \t]*(?:import|export)\b(\s+type\b(?!\s+from\b))?(?:[^'"`;()]*?\bfrom)?\s*['"]([^'"]+)['"]/gm;
const DYNAMIC_IMPORT = /\bimport\(\s*['"]([^'"]+)['"]/g;
const WORKER_ADDRESS = /\bnew URL\(\s*['"](\.[^'"]+)['"],\s*import\.meta\.url/g;

/** Reads imports from the source text without a parser, so that the check does not share the linter's bugs. */
export function readImports(source: string): SourceImport[] {
  const text = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const statics = [...text.matchAll(STATIC_IMPORT)].map(([, typeOnly, specifier = '']) => ({
    specifier,
    typeOnly: typeOnly !== undefined,
  }));
  const dynamics = [DYNAMIC_IMPORT, WORKER_ADDRESS]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(([, specifier = '']) => ({ specifier, typeOnly: false }));
  return [...statics, ...dynamics];
}

/** Lists every TypeScript source file below `folders`, relative to `root`, with forward slashes. */
export function listSources(root: string, folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.split(sep).join('/')}`)
      .filter((path) => /\.tsx?$/.test(path)),
  );
}

/** Returns the imports of each file, by path. */
export function readImportGraph(root: string, files: readonly string[]): Map<string, SourceImport[]> {
  return new Map(files.map((file) => [file, readImports(readFileSync(join(root, file), 'utf8'))]));
}

/**
 * Finds one cycle in a directed graph.
 * @param edges the neighbors of each node; a neighbor without an entry is a leaf
 * @returns the nodes of a cycle with the first one repeated at the end, or undefined when there is none
 */
export function findCycle(edges: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  for (const start of edges.keys()) {
    const cycle = walk(start, edges, { done, path: [] });
    if (cycle) return cycle;
  }
  return undefined;
}

function walk(
  node: string,
  edges: ReadonlyMap<string, readonly string[]>,
  state: { done: Set<string>; path: string[] },
): string[] | undefined {
  const seenAt = state.path.indexOf(node);
  if (seenAt >= 0) return [...state.path.slice(seenAt), node];
  if (state.done.has(node)) return undefined;
  state.path.push(node);
  for (const next of edges.get(node) ?? []) {
    const cycle = walk(next, edges, state);
    if (cycle) return cycle;
  }
  state.path.pop();
  state.done.add(node);
  return undefined;
}

/** An area that imports from another one. */
export interface AreaImport {
  readonly from: string;
  readonly to: string;
  /** According to `scripts/layers.ts`. */
  readonly isAllowed: boolean;
}

/** Counts the imports between each pair of areas. */
export function countAreaImports(imports: ReadonlyMap<string, readonly SourceImport[]>): AreaImport[] {
  const arrows = new Map<string, AreaImport>();
  for (const [file, found] of imports)
    for (const { specifier } of found.filter((one) => one.specifier.startsWith('.'))) {
      const [from, to] = [findFolder(file), findFolder(resolveRelative(file, specifier))];
      if (from === undefined || to === undefined || from === to) continue;
      const key = `${from} ${to}`;
      const isAllowed = findImportViolation(file, specifier) === undefined;
      arrows.set(key, { from, to, isAllowed: isAllowed && arrows.get(key)?.isAllowed !== false });
    }
  return [...arrows.values()];
}

/** Returns a cycle of run-time imports, with the first file repeated at the end. */
export const findRuntimeCycle = (
  imports: ReadonlyMap<string, readonly SourceImport[]>,
): string[] | undefined =>
  findCycle(
    new Map(
      Array.from(imports, ([file, found]) => [
        file,
        found
          .filter(({ specifier, typeOnly }) => !typeOnly && specifier.startsWith('.'))
          .map(({ specifier }) => resolveRelative(file, specifier)),
      ]),
    ),
  );

/** A file, function or directory with its size. */
export interface Measured {
  readonly path: string;
  readonly lines: number;
}

/** Returns a quantile of values. @param share from 0 to 1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** Formats count, sum, median, 90th percentile and maximum in columns. */
export function formatSizes(sized: readonly Measured[]): string {
  const lines = sized.map((one) => one.lines);
  const sum = lines.reduce((total, one) => total + one, 0);
  const column = (value: number): string => value.toLocaleString('en').padStart(8);
  return `${column(lines.length)} in ${column(sum)} lines; median ${column(quantile(lines, 0.5))}, 90 % ${column(quantile(lines, 0.9))}, most ${column(quantile(lines, 1))}`;
}

/** Returns the `count` largest, largest first. */
export const takeLargest = (sized: readonly Measured[], count: number): Measured[] =>
  sized.toSorted((left, right) => right.lines - left.lines).slice(0, count);

/** Counts items by their place. */
export const sumBy = <Thing>(things: readonly Thing[], getPath: (thing: Thing) => string): Measured[] =>
  Array.from(Map.groupBy(things, getPath), ([path, items]) => ({ path, lines: items.length }));

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

function visit(value: unknown, onFunction: (node: SyntaxNode) => void): void {
  if (typeof value !== 'object' || value === null) return;
  const node = value as SyntaxNode;
  if (functionTypes.has(node.type)) onFunction(node);
  for (const part of Object.values(value)) visit(part, onFunction);
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
