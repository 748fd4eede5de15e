import { normalizeKey } from '../../../core/spec/foreign-fields.ts';

/** A path into a document as the author spelled it; `0` represents any item of a list. */
type SchemaPath = readonly (string | 0)[];

/**
 * The context of a position in a workflow file. It is derived from indentation alone, so it works while the
 * text is incomplete.
 */
export interface CursorContext {
  /** The enclosing map or list. */
  readonly path: SchemaPath;
  /**
   * `key`: a key is (or could be) written here. `value`: the value of `key`. `item`: an item of a list that is
   * not a map yet and may become a key or a value.
   */
  readonly kind: 'key' | 'value' | 'item';
  /** For a value: its key. */
  readonly key?: string;
  /** The partial word at the position, and where it begins. */
  readonly word: string;
  readonly from: number;
  /** Column where the content of the line starts. */
  readonly column: number;
  /** Whether a `key:` or `-` precedes the position on the same line. */
  readonly isFirstInItem: boolean;
}

const linePattern = /^(\s*)((?:- +)*)(-$)?(.*)$/;
const keyPattern =
  /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#"'[\]{},&*!|>%@`-][^:#]*?|[^\s#"'[\]{},&*!|>%@`:]+)\s*:(?=\s|$)/;

interface Line {
  /** Columns of the dashes. */
  readonly dashes: readonly number[];
  /** Column of the content after the dashes. */
  readonly column: number;
  readonly rest: string;
  readonly key: string | undefined;
}

function readLine(text: string): Line {
  const [, indent = '', marks = '', bare = '', rest = ''] = linePattern.exec(text.replace(/\r$/, '')) ?? [];
  const dashes: number[] = [];
  const all = indent + marks + bare;
  for (let at = indent.length; at < all.length; at += 1) if (all[at] === '-') dashes.push(at);
  const key = keyPattern.exec(rest)?.[1];
  return { dashes, column: all.length, rest, key: key?.replace(/^["'](.*)["']$/, '$1') };
}

/** `lastIndexOf` with a negative start would still match the first character. */
const findLineStart = (text: string, at: number): number =>
  at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;

const isNothing = (line: string): boolean => /^\s*(?:#|$)/.test(line);

/** Returns the context of a position. */
export function readContext(text: string, at: number): CursorContext {
  const start = findLineStart(text, at);
  const before = text.slice(start, at);
  const line = readLine(before);
  const path = findParents(text, start, line);
  const shared = { path, column: line.column, isFirstInItem: line.dashes.length > 0 };
  const colon = /^(.*?):\s+(.*)$/.exec(line.rest);
  if (line.key !== undefined && colon) return { ...shared, ...readValue(line, before, at) };
  const word = /[^\s[\]{},:]*$/.exec(line.rest)?.[0] ?? '';
  const isItem = line.dashes.length > 0;
  return { ...shared, kind: isItem ? 'item' : 'key', word, from: at - word.length };
}

function readValue(
  line: Line,
  before: string,
  at: number,
): Pick<CursorContext, 'kind' | 'key' | 'word' | 'from'> {
  const value = line.rest.slice(line.rest.indexOf(':', line.key!.length) + 1).trimStart();
  const word = /[^\s[\]{},]*$/.exec(value)?.[0] ?? '';
  return { kind: 'value', key: line.key!, word, from: at - Math.min(word.length, before.length) };
}

/** Finds the keys and lists around a line, outermost first. */
function findParents(text: string, lineStart: number, line: Line): SchemaPath {
  const path: (string | 0)[] = [];
  let column = line.column;
  // Dashes on the same line, innermost first.
  for (const dash of line.dashes.toReversed()) {
    path.unshift(0);
    column = dash;
  }
  let isItem = line.dashes.length > 0;
  for (let end = lineStart - 1; end >= 0;) {
    const start = findLineStart(text, end);
    const above = text.slice(start, end);
    end = start - 1;
    if (/^---(\s|$)/.test(above)) break;
    if (isNothing(above)) continue;
    const parent = readLine(above);
    // A list may start in the column of its key.
    if (parent.key !== undefined && (parent.column < column || (isItem && parent.column === column))) {
      path.unshift(parent.key);
      column = parent.column;
      isItem = false;
    }
    for (const dash of parent.dashes.toReversed()) {
      if (dash >= column) continue;
      path.unshift(0);
      column = dash;
      isItem = true;
    }
    if (column === 0 && !isItem) break;
  }
  return path;
}

/** Returns the keys that the enclosing map already has, including keys after the position. */
export function readSiblings(text: string, at: number, column: number): ReadonlySet<string> {
  const keys = new Set<string>();
  const start = findLineStart(text, at);
  const walk = (lines: Iterable<string>, isUp: boolean): void => {
    for (const each of lines) {
      if (/^---(\s|$)/.test(each)) return;
      if (isNothing(each)) continue;
      const line = readLine(each);
      const indent = line.dashes[0] ?? line.column;
      if (line.column === column && line.key !== undefined && (indent === column || isUp)) keys.add(line.key);
      // The dash that begins this map is its first line; a dash below begins the next item.
      if (indent < column) return;
    }
  };
  const currentLine = readLine(text.slice(start, at));
  if (currentLine.dashes.length === 0)
    walk(
      text
        .slice(0, Math.max(0, start - 1))
        .split('\n')
        .toReversed(),
      true,
    );
  const next = text.indexOf('\n', at);
  if (next !== -1) walk(text.slice(next + 1).split('\n'), false);
  return keys;
}

/** Fields that only a workflow can have. */
export const workflowOnlyFields: readonly string[] = ['name', 'steps', 'skipBaseHandlers'];

/** The parts of a JSON Schema used here. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly const?: string | number | boolean;
  readonly enumDescriptions?: readonly string[];
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
}

/** Returns the alternatives of a schema; a description above them applies to each. */
export function getBranches(schema: Schema): readonly Schema[] {
  const schemas = [
    ...(schema.anyOf ?? []),
    ...[schema.then, schema.else].filter((subschema) => subschema !== undefined),
  ];
  if (schemas.length === 0) return [schema];
  return schemas.flatMap(getBranches);
}

/** Finds a key of a map in the schema, in any spelling. */
export function findProperty(schema: Schema, key: string): { name: string; schema: Schema } | undefined {
  const properties = schema.properties ?? {};
  const exact = properties[key];
  if (exact) return { name: key, schema: exact };
  const name = Object.keys(properties).find((known) => normalizeKey(known) === normalizeKey(key));
  return name === undefined ? undefined : { name, schema: properties[name]! };
}

/**
 * Returns the schemas of the values at a path. There are several when the document is ambiguous and none for
 * unknown keys.
 */
export function walkSchema(root: Schema, path: SchemaPath): readonly Schema[] {
  let found: readonly Schema[] = [root];
  for (const step of path)
    found = found.flatMap((schema) => getBranches(schema).flatMap((one) => getChild(one, step)));
  return found;
}

function getChild(schema: Schema, step: string | 0): readonly Schema[] {
  if (step === 0) return schema.items ? [schema.items] : [];
  const property = findProperty(schema, step);
  if (property) return [property.schema];
  const patterns = Object.values(schema.patternProperties ?? {});
  if (patterns.length > 0) return patterns;
  return typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
}

/** Returns the keys of a map at a path, with their schemas. */
export function keysAt(root: Schema, path: SchemaPath): ReadonlyMap<string, Schema> {
  const keys = new Map<string, Schema>();
  for (const schema of walkSchema(root, path))
    for (const branch of getBranches(schema))
      for (const [key, value] of Object.entries(branch.properties ?? {}))
        if (!keys.has(key)) keys.set(key, value);
  return keys;
}

/** A value that the schema lists. */
export interface NamedValue {
  readonly value: string;
  readonly description?: string;
}

/** Returns the values that a schema lists, including true and false for booleans. */
export function getEnumValues(schema: Schema): readonly NamedValue[] {
  return getBranches(schema).flatMap((branch): NamedValue[] => {
    if (branch.enum)
      return branch.enum.map((value, index) => {
        const description = branch.enumDescriptions?.[index];
        return { value: String(value), ...(description !== undefined && { description }) };
      });
    if (branch.const !== undefined) return [{ value: String(branch.const) }];
    return branch.type === 'boolean' ? [{ value: 'true' }, { value: 'false' }] : [];
  });
}

/** Whether a value of the schema is a map or a list, so that it begins on its own lines. */
export function getBlockKind(schema: Schema): 'map' | 'list' | undefined {
  const branches = getBranches(schema);
  if (branches.some(({ type }) => type === 'string' || type === 'boolean' || type === 'number'))
    return undefined;
  if (branches.some(({ type }) => type === 'array')) return 'list';
  return branches.some(({ type }) => type === 'object') ? 'map' : undefined;
}
