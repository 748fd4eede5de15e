import { isAlias, isMap, isScalar, isSeq, Scalar, type Document, type YAMLMap } from 'yaml';
import { MAX_ALIAS_CHARACTERS, MAX_ALIAS_VALUES, MAX_DIAGNOSTICS, MAX_VALUES } from '../limits.ts';
import type { Report } from '../source/report.ts';
import {
  joinPath,
  type MapEntry,
  type MapNode,
  type ScalarNode,
  type SourceNode,
} from '../source/source-node.ts';

/** Anchors of one document: the finished value with its size, or `open` while its value is being read. */
type Anchors = Map<string, { node: SourceNode; size: number; length: number } | 'open'>;

interface Build {
  readonly report: Report;
  anchors: Anchors;
  /** Values written so far. */
  size: number;
  /** How many of them come from aliases. */
  repeated: number;
  /** Characters of all strings so far, those that aliases repeat included. */
  length: number;
  /** How many of them come from aliases. */
  repeatedLength: number;
  /** Keys and places on the way to the value that is being read. */
  readonly way: (string | number)[];
}

/**
 * Turns parsed documents into source nodes: aliases resolved, merge keys merged, keys checked to be unique.
 * Depth is bounded by the parser; an alias costs one step however large its value is.
 * @returns undefined after an error, which `report` has
 */
export function buildNodes(documents: readonly Document.Parsed[], report: Report): SourceNode[] | undefined {
  const errorsBefore = report.errorCount;
  const build: Build = {
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
    build.anchors = new Map();
    const node = buildNode(build, contents, range[0]);
    if (node.kind !== 'scalar' || node.value !== null) nodes.push(node);
  }
  return report.errorCount === errorsBefore ? nodes : undefined;
}

function buildNode(build: Build, source: unknown, fallbackStart: number): SourceNode {
  if (hasFailed(build)) return emptyNode(fallbackStart);
  build.size += 1;
  if (build.size === MAX_VALUES + 1) {
    reportAt(build, fallbackStart, describeTooManyValues());
  }
  if (isAlias(source)) return resolveAlias(build, source.source, source.range?.[0] ?? fallbackStart);
  const anchor = isScalar(source) || isMap(source) || isSeq(source) ? source.anchor : undefined;
  if (anchor === undefined) return buildPlain(build, source, fallbackStart);
  const sizeBefore = countValues(build);
  const lengthBefore = build.length;
  build.anchors.set(anchor, 'open');
  const node = buildPlain(build, source, fallbackStart);
  const size = countValues(build) - sizeBefore + 1;
  build.anchors.set(anchor, { node, size, length: build.length - lengthBefore });
  return node;
}

/** Whether there are more errors than are shown, so that nothing needs the rest of the file. */
const hasFailed = ({ report }: Build): boolean => report.errorCount > MAX_DIAGNOSTICS;

const emptyNode = (start: number): ScalarNode => ({ kind: 'scalar', start, value: null, text: '' });

/** A name in a message. */
const shorten = (name: string): string => (name.length > 80 ? `${name.slice(0, 80)}…` : name);

/** Reads a value under its key or place in what holds it. */
function buildChild(build: Build, key: string | number, source: unknown, fallbackStart: number): SourceNode {
  build.way.push(key);
  const node = buildNode(build, source, fallbackStart);
  build.way.pop();
  return node;
}

/** @param key of the map that is being read, when the mistake is the key and not the map */
function reportAt({ report, way }: Build, offset: number, message: string, key?: string): void {
  const whole = key === undefined ? way : [...way, key];
  let path = '';
  for (const part of whole) path = joinPath(path, part);
  report.errorAt(offset, path, message);
}

/** Values so far, repeated ones counted as often as they appear. */
function countValues({ size, repeated }: Build): number {
  return size + repeated;
}

function describeTooManyValues(): string {
  return `The file has more than ${MAX_VALUES.toLocaleString('en-US')} values. Move data out of the file, or split it into sub-workflows.`;
}

function buildPlain(build: Build, source: unknown, fallbackStart: number): SourceNode {
  if (isMap(source)) return buildMap(build, source);
  if (isSeq(source)) {
    const start = source.range?.[0] ?? fallbackStart;
    const items = source.items.map((item, index) => buildChild(build, index, item, start));
    return { kind: 'list', start, items };
  }
  if (!isScalar(source)) return emptyNode(fallbackStart);
  const node = buildScalar(source, source.range?.[0] ?? fallbackStart);
  build.length += node.text.length;
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
      // Null, or a type that only YAML 1.1 has, such as a date, which stays the text it is.
      return value === null || value === undefined
        ? emptyNode(start)
        : { kind: 'scalar', start, value: source ?? '', text: source ?? '' };
  }
}

function resolveAlias(build: Build, name: string, start: number): SourceNode {
  const nothing = emptyNode(start);
  const target = build.anchors.get(name);
  if (target === undefined) {
    reportAt(
      build,
      start,
      `Unknown alias *${shorten(name)}. Define &${shorten(name)} above this line, or quote the text if it should start with "*".`,
    );
    return nothing;
  }
  if (target === 'open') {
    reportAt(
      build,
      start,
      `Alias *${shorten(name)} is inside its own anchor &${shorten(name)}. Remove one of them.`,
    );
    return nothing;
  }
  return repeat(build, target.size, target.length, start) ? target.node : nothing;
}

/** Accounts for `size` values with `length` characters that appear once more; false when that is over a limit. */
function repeat(build: Build, size: number, length: number, start: number): boolean {
  const passedBefore = hasRepeatedTooMuch(build);
  build.repeated += size;
  build.length += length;
  build.repeatedLength += length;
  if (!hasRepeatedTooMuch(build)) return true;
  if (!passedBefore) {
    const much =
      build.repeated > MAX_ALIAS_VALUES
        ? `${MAX_ALIAS_VALUES.toLocaleString('en-US')} values`
        : `${MAX_ALIAS_CHARACTERS.toLocaleString('en-US')} characters`;
    reportAt(build, start, `Aliases repeat more than ${much}. Use fewer or smaller anchors.`);
  }
  // The limit stays passed, so that every further alias is refused in one step.
  return false;
}

const hasRepeatedTooMuch = ({ repeated, repeatedLength }: Build): boolean =>
  repeated > MAX_ALIAS_VALUES || repeatedLength > MAX_ALIAS_CHARACTERS;

function buildMap(build: Build, source: YAMLMap): MapNode {
  const start = source.range?.[0] ?? 0;
  const entries = new Map<string, MapEntry>();
  const merged = new Map<string, MapEntry>();
  for (const { key, value } of source.items) {
    if (!isScalar(key)) continue;
    if (hasFailed(build)) break;
    const keyStart = key.range?.[0] ?? start;
    const node = buildChild(build, String(key.value), value, key.range?.[1] ?? keyStart);
    if (key.value === '<<' && key.type === Scalar.PLAIN) mergeInto(build, merged, node, keyStart);
    else addEntry(build, entries, String(key.value), { keyStart, node });
  }
  if (merged.size === 0) return { kind: 'map', start, entries };
  // What is merged comes first: an `env` map may refer to it.
  const own = [...entries];
  const inherited = [...merged].filter(([key]) => !entries.has(key));
  return { kind: 'map', start, entries: new Map([...inherited, ...own]) };
}

function addEntry(build: Build, entries: Map<string, MapEntry>, key: string, entry: MapEntry): void {
  const first = entries.get(key);
  if (first === undefined) {
    entries.set(key, entry);
    return;
  }
  const { line } = build.report.lines.locate(first.keyStart);
  reportAt(
    build,
    entry.keyStart,
    `Duplicate key "${shorten(key)}" (first used in line ${line}). Remove or rename one.`,
    key,
  );
}

/** Adds what `<<` names; the first mention of a key wins (YAML merge key type). */
function mergeInto(build: Build, merged: Map<string, MapEntry>, node: SourceNode, keyStart: number): void {
  if (hasRepeatedTooMuch(build)) return;
  const maps = node.kind === 'list' ? node.items : [node];
  for (const map of maps) {
    if (map.kind !== 'map') {
      reportAt(
        build,
        keyStart,
        'The merge key << requires an alias of a map, or a list of aliases. Use "<<: *name".',
      );
      return;
    }
    if (!repeat(build, map.entries.size, 0, keyStart)) return;
    for (const [key, entry] of map.entries) if (!merged.has(key)) merged.set(key, entry);
  }
}
