import { isAlias, isMap, isScalar, isSeq, Scalar, type Document, type YAMLMap } from 'yaml';
import { MAX_ALIAS_CHARACTERS, MAX_ALIAS_VALUES, MAX_DIAGNOSTICS, MAX_VALUES } from './limits.ts';
import {
  type Report,
  joinPath,
  type MapEntry,
  type MapNode,
  type ScalarNode,
  type SourceNode,
} from './source.ts';

/** Anchors of one document: the value with its size, or `open` while it is being read. */
type Anchors = Map<string, { node: SourceNode; size: number; length: number } | 'open'>;

interface NodeBuilder {
  readonly report: Report;
  anchors: Anchors;
  /** Number of values so far. */
  size: number;
  /** Number of values that come from aliases. */
  repeated: number;
  /** Total length of all strings so far, including those that aliases repeat. */
  length: number;
  /** Total length of the strings that come from aliases. */
  repeatedLength: number;
  /** Keys and indexes of the value that is being read. */
  readonly way: (string | number)[];
}

/**
 * Converts parsed documents to source nodes: resolves aliases, merges merge keys and checks that keys are unique. The
 * parser bounds the depth; an alias takes constant time however large its value is.
 * @returns undefined after an error, which is in `report`
 */
export function buildNodes(documents: readonly Document.Parsed[], report: Report): SourceNode[] | undefined {
  const errorsBefore = report.errorCount;
  const builder: NodeBuilder = {
    report,
    anchors: new Map(),
    size: 0,
    repeated: 0,
    length: 0,
    repeatedLength: 0,
    way: [],
  };
  const nodes: SourceNode[] = [];
  for (const { contents, range } of documents) {
    builder.anchors = new Map();
    const node = buildNode(builder, contents, range[0]);
    if (node.kind !== 'scalar' || node.value !== null) nodes.push(node);
  }
  return report.errorCount === errorsBefore ? nodes : undefined;
}

function buildNode(builder: NodeBuilder, source: unknown, fallbackStart: number): SourceNode {
  if (hasFailed(builder)) return emptyNode(fallbackStart);
  builder.size += 1;
  if (builder.size === MAX_VALUES + 1) {
    reportAt(builder, fallbackStart, formatTooManyValues());
  }
  if (isAlias(source)) return resolveAlias(builder, source.source, source.range?.[0] ?? fallbackStart);
  const anchor = isScalar(source) || isMap(source) || isSeq(source) ? source.anchor : undefined;
  if (anchor === undefined) return buildPlain(builder, source, fallbackStart);
  const sizeBefore = countValues(builder);
  const lengthBefore = builder.length;
  builder.anchors.set(anchor, 'open');
  const node = buildPlain(builder, source, fallbackStart);
  const size = countValues(builder) - sizeBefore + 1;
  builder.anchors.set(anchor, { node, size, length: builder.length - lengthBefore });
  return node;
}

/** Whether there are more errors than are shown, so that reading can stop. */
const hasFailed = ({ report }: NodeBuilder): boolean => report.errorCount > MAX_DIAGNOSTICS;

const emptyNode = (start: number): ScalarNode => ({ kind: 'scalar', start, value: null, text: '' });

/** Shortens a name for a message. */
const shorten = (name: string): string => (name.length > 80 ? `${name.slice(0, 80)}…` : name);

/** Reads a value at a key or index of its parent. */
function buildChild(
  builder: NodeBuilder,
  key: string | number,
  source: unknown,
  fallbackStart: number,
): SourceNode {
  builder.way.push(key);
  const node = buildNode(builder, source, fallbackStart);
  builder.way.pop();
  return node;
}

/** @param key key of the map that is being read, if the error is about the key and not the map */
function reportAt({ report, way }: NodeBuilder, offset: number, message: string, key?: string): void {
  const whole = key === undefined ? way : [...way, key];
  let path = '';
  for (const part of whole) path = joinPath(path, part);
  report.errorAt(offset, path, message);
}

/** Number of values so far; repeated ones count each time. */
function countValues({ size, repeated }: NodeBuilder): number {
  return size + repeated;
}

function formatTooManyValues(): string {
  return `The file has more than ${MAX_VALUES.toLocaleString('en-US')} values. Move data out of the file, or split it into sub-workflows.`;
}

function buildPlain(builder: NodeBuilder, source: unknown, fallbackStart: number): SourceNode {
  if (isMap(source)) return buildMap(builder, source);
  if (isSeq(source)) {
    const start = source.range?.[0] ?? fallbackStart;
    const items = source.items.map((item, index) => buildChild(builder, index, item, start));
    return { kind: 'list', start, items };
  }
  if (!isScalar(source)) return emptyNode(fallbackStart);
  const node = buildScalar(source, source.range?.[0] ?? fallbackStart);
  builder.length += node.text.length;
  return node;
}

function buildScalar({ value, source }: Scalar, start: number): ScalarNode {
  switch (typeof value) {
    case 'string':
      return { kind: 'scalar', start, value, text: value };
    case 'number':
      return { kind: 'scalar', start, value, text: source ?? String(value) };
    case 'boolean':
      return { kind: 'scalar', start, value, text: String(value) };
    default:
      // Null, or a YAML 1.1 type such as a date, which is read as a string.
      return value === null || value === undefined
        ? emptyNode(start)
        : { kind: 'scalar', start, value: source ?? '', text: source ?? '' };
  }
}

function resolveAlias(builder: NodeBuilder, name: string, start: number): SourceNode {
  const nothing = emptyNode(start);
  const target = builder.anchors.get(name);
  if (target === undefined) {
    reportAt(
      builder,
      start,
      `Unknown alias *${shorten(name)}. Define &${shorten(name)} above this line, or quote the text if it should start with "*".`,
    );
    return nothing;
  }
  if (target === 'open') {
    reportAt(
      builder,
      start,
      `Alias *${shorten(name)} is inside its own anchor &${shorten(name)}. Remove one of them.`,
    );
    return nothing;
  }
  return countRepeated(builder, target.size, target.length, start) ? target.node : nothing;
}

/** Counts `size` values with `length` characters that are repeated. Returns false if that exceeds a limit. */
function countRepeated(builder: NodeBuilder, size: number, length: number, start: number): boolean {
  const passedBefore = exceedsAliasLimit(builder);
  builder.repeated += size;
  builder.length += length;
  builder.repeatedLength += length;
  if (!exceedsAliasLimit(builder)) return true;
  if (!passedBefore) {
    const much =
      builder.repeated > MAX_ALIAS_VALUES
        ? `${MAX_ALIAS_VALUES.toLocaleString('en-US')} values`
        : `${MAX_ALIAS_CHARACTERS.toLocaleString('en-US')} characters`;
    reportAt(builder, start, `Aliases repeat more than ${much}. Use fewer or smaller anchors.`);
  }
  // The counter stays above the limit, so that every further alias is rejected at once.
  return false;
}

const exceedsAliasLimit = ({ repeated, repeatedLength }: NodeBuilder): boolean =>
  repeated > MAX_ALIAS_VALUES || repeatedLength > MAX_ALIAS_CHARACTERS;

function buildMap(builder: NodeBuilder, source: YAMLMap): MapNode {
  const start = source.range?.[0] ?? 0;
  const entries = new Map<string, MapEntry>();
  const merged = new Map<string, MapEntry>();
  for (const { key, value } of source.items) {
    if (!isScalar(key)) continue;
    if (hasFailed(builder)) break;
    const keyStart = key.range?.[0] ?? start;
    const node = buildChild(builder, String(key.value), value, key.range?.[1] ?? keyStart);
    if (key.value === '<<' && key.type === Scalar.PLAIN) mergeInto(builder, merged, node, keyStart);
    else addEntry(builder, entries, String(key.value), { keyStart, node });
  }
  if (merged.size === 0) return { kind: 'map', start, entries };
  // Merged keys come first, because an `env` map may refer to them.
  const explicitEntries = [...entries];
  const inherited = [...merged].filter(([key]) => !entries.has(key));
  return { kind: 'map', start, entries: new Map([...inherited, ...explicitEntries]) };
}

function addEntry(builder: NodeBuilder, entries: Map<string, MapEntry>, key: string, entry: MapEntry): void {
  const first = entries.get(key);
  if (first === undefined) {
    entries.set(key, entry);
    return;
  }
  const { line } = builder.report.lines.locate(first.keyStart);
  reportAt(
    builder,
    entry.keyStart,
    `Duplicate key "${shorten(key)}" (first used in line ${line}). Remove or rename one.`,
    key,
  );
}

/** Merges the maps of `<<`; the first occurrence of a key is used (YAML merge key type). */
function mergeInto(
  builder: NodeBuilder,
  merged: Map<string, MapEntry>,
  node: SourceNode,
  keyStart: number,
): void {
  if (exceedsAliasLimit(builder)) return;
  const maps = node.kind === 'list' ? node.items : [node];
  for (const map of maps) {
    if (map.kind !== 'map') {
      reportAt(
        builder,
        keyStart,
        'The merge key << requires an alias of a map, or a list of aliases. Use "<<: *name".',
      );
      return;
    }
    if (!countRepeated(builder, map.entries.size, 0, keyStart)) return;
    for (const [key, entry] of map.entries) if (!merged.has(key)) merged.set(key, entry);
  }
}
