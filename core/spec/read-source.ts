import { parseSpan } from '../base/duration.ts';
import type { Document } from 'yaml';
import { countUtf8Bytes, findNearest } from '../base/text.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { dagNamePattern } from '../base/ids.ts';
import type { Authored } from './authored.ts';
import { validateAuthored, type AuthoredError } from './authored-validator.ts';
import { canonicaliseKeys } from './canonical-keys.ts';
import { formatTooLarge } from './limits.ts';
import {
  locateBinary,
  createReport,
  type Report,
  toValue,
  type SourceRef,
  type SourceNode,
  findField,
  isIncomplete,
  joinPath,
  getKeyStart,
} from './source.ts';
import { parseYaml } from './parse-yaml.ts';

/** A file and its content. */
export interface SourceText {
  readonly text: string;
  /** Name of the file in diagnostics. */
  readonly file?: string;
  /** Its documents, if they are already parsed (`parseDocuments`). */
  readonly documents?: readonly Document.Parsed[];
}

/**
 * Parses a file and passes its documents on.
 * @param read converts them to a result; not called if the file cannot be parsed
 * @returns the result, or undefined after an error, and the diagnostics in the order of the file
 */
export function readSource<T>(
  { text, file = '', documents: parsed }: SourceText,
  read: (documents: readonly SourceNode[], report: Report) => T,
): { result: T | undefined; diagnostics: Diagnostic[] } {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const report = createReport(source, file);
  // Offsets differ in a text with a byte order mark.
  const known = source === text ? parsed : undefined;
  const documents = isReadable(source, report) ? parseYaml(source, report, known) : undefined;
  const result = documents && read(documents, report);
  return { result: report.errorCount > 0 ? undefined : result, diagnostics: report.list() };
}

function isReadable(text: string, report: Report): boolean {
  const tooLarge = formatTooLarge(countUtf8Bytes(text));
  if (tooLarge !== undefined) report.errorAt(0, '', tooLarge);
  const binary = tooLarge === undefined ? locateBinary(text) : undefined;
  if (binary) report.errorAt(binary.offset, '', binary.message);
  return report.errorCount === 0;
}

/**
 * Reads one document as the authored shape.
 * @param formatNotMap returns the error message for a document that is not a map, from a description of its type
 * @returns undefined after a schema error
 */
export function readAuthored(
  written: SourceRef,
  report: Report,
  formatNotMap = formatNotWorkflow,
): { authored: Authored; source: SourceRef } | undefined {
  if (written.node.kind !== 'map') {
    report.error(written, formatNotMap(formatNode(written.node), written.node));
    return undefined;
  }
  const source = { node: canonicaliseKeys(written, report), path: '' };
  const value = toValue(source.node);
  const errors = validateAuthored(value);
  reportSchemaErrors(errors, source, report);
  return errors.length > 0 ? undefined : { authored: value as Authored, source };
}

function formatNotWorkflow(actual: string, { kind }: SourceNode): string {
  const remedy = kind === 'list' ? 'Put the list below "steps:".' : 'Start with "steps:".';
  return `A workflow must be a map of fields, but this document is ${actual}. ${remedy}`;
}

/** Descriptions of the patterns in the authored schema. */
const patternDescriptions: Readonly<Record<string, string>> = {
  [dagNamePattern]: 'must be 1 to 40 characters: letters, digits, "_", "." and "-"',
  '^[a-zA-Z][a-zA-Z0-9_-]*$': 'must start with a letter and contain only letters, digits, "_" and "-"',
  '^[0-9]{1,15}$': 'must be a whole number such as 3',
  '^-?[0-9]{1,15}$': 'must be a whole number such as 3',
  '^[1-9][0-9]{0,8}$': 'must be a whole number of at least 1, such as 3',
  '^[0-9]{1,9}$|[$`]': 'must be a whole number such as 3, or an expression such as ${RETRIES}',
  '^[0-9]{1,9}(\\.[0-9]{1,9})?$|[$`]': 'must be a number such as 30, or an expression such as ${WAIT}',
  '^-?[0-9]{1,9}$': 'must be a whole number such as 3',
  '^[0-9]{1,9}(\\.[0-9]{1,9})?$': 'must be a number such as 30',
  '^([0-9]{1,9}(\\.[0-9]{1,9})?(ms|s|m|h)){1,4}$|^[0-9]{1,9}$': 'must be a duration such as 30s or 1m30s',
  '^([0-9]{1,9}(\\.[0-9]{1,9})?(ms|s|m|h|d)){1,5}$|^[0-9]{1,9}$': 'must be a duration such as 6h or 7d',
  '^([01]?[0-9]|2[0-3]):[0-5][0-9]$': 'must be a time of day such as "06:30"',
  '^ *[0-9]{1,3}(\\.[0-9]{1,2})? *x +usual *$|^([0-9]{1,9}(\\.[0-9]{1,9})?(ms|s|m|h|d)){1,5}$|^[0-9]{1,9}$':
    'must be a duration such as 45m, or a multiple such as "2x usual"',
};

const typeDescriptions: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
};

/** Keywords whose error only reports that there is an error inside. */
const wrapping = new Set(['anyOf', 'if']);

/**
 * Converts schema errors to one diagnostic per mistake. A union reports every branch; only the errors of the branch
 * for the value's own type are relevant.
 * @param root the validated document
 */
function reportSchemaErrors(errors: readonly AuthoredError[], root: SourceRef, report: Report): void {
  const groups = groupByPointer(errors);
  const parents = listAncestors(groups.keys());
  for (const [pointer, group] of groups) {
    if (report.full) return;
    const ref = resolvePointer(root, pointer);
    if (ref === undefined) continue;
    const isUnion = group.some(({ keyword }) => keyword === 'anyOf');
    const meant = group.filter(({ keyword }) => !wrapping.has(keyword) && keyword !== 'type');
    const types = group
      .filter(({ keyword }) => keyword === 'type')
      .map(({ params }) => String(params['type']));
    // An error below, or of another keyword here, comes from a branch that matches the type of the value.
    if (isUnion && (meant.length > 0 || parents.has(pointer))) reportLikelyErrors(meant, ref, report);
    else if (types.length > 0) report.error(ref, formatType(ref, types));
    else reportLikelyErrors(meant, ref, report);
  }
}

function groupByPointer(errors: readonly AuthoredError[]): Map<string, AuthoredError[]> {
  const groups = new Map<string, AuthoredError[]>();
  for (const error of errors) {
    const group = groups.get(error.instancePath);
    if (group) group.push(error);
    else groups.set(error.instancePath, [error]);
  }
  return groups;
}

/** Lists every path that has an error below it. */
function listAncestors(pointers: Iterable<string>): Set<string> {
  const parents = new Set<string>();
  for (const pointer of pointers) {
    // The ancestors of a known parent are known, too.
    for (let end = pointer.lastIndexOf('/'); end >= 0; end = pointer.lastIndexOf('/', end - 1)) {
      const parent = pointer.slice(0, end);
      if (parents.has(parent)) break;
      parents.add(parent);
      if (end === 0) break;
    }
  }
  return parents;
}

function reportLikelyErrors(errors: readonly AuthoredError[], source: SourceRef, report: Report): void {
  for (const error of errors) {
    if (error.keyword === 'required' && isIncomplete(source)) continue;
    const message = formatKeyword(error, source);
    const key = error.params['additionalProperty'];
    if (typeof key !== 'string') report.error(source, message);
    else report.errorAt(getKeyStart(source.node, key), joinPath(source.path, key), message);
  }
}

function formatKeyword({ keyword, params, message }: AuthoredError, source: SourceRef): string {
  const name = getName(source);
  switch (keyword) {
    case 'pattern':
      return formatPattern(String(params['pattern']), source);
    case 'minimum':
      return `${name} must be at least ${String(params['limit'])}.`;
    case 'minItems':
      return `${name} is empty. Add at least one item.`;
    case 'maxItems':
      return `${name} has more than ${Number(params['limit']).toLocaleString('en-US')} items. Reduce the number of items.`;
    case 'minLength':
      return `${name} is empty. Set a value, or remove it.`;
    case 'enum':
      return `${name} must be one of: ${(params['allowedValues'] as unknown[]).join(', ')}.${suggestValue(source.node, params['allowedValues'])}`;
    case 'required':
      return `${name} requires "${String(params['missingProperty'])}".`;
    case 'additionalProperties':
      return `Unknown field "${shorten(String(params['additionalProperty']))}". Remove it.`;
    default:
      return `${name} ${message ?? 'is invalid'}.`;
  }
}

function formatPattern(pattern: string, source: SourceRef): string {
  const { node } = source;
  const name = getName(source);
  if (pattern === dagNamePattern && node.kind === 'scalar' && /^[\w.-]{41,}$/.test(node.text))
    return `${name} has ${node.text.length} characters (the limit is 40). Shorten it.`;
  return `${name} ${explainPattern(pattern, node)}, but is ${formatNode(node)}.${suggestSeconds(pattern, source)}`;
}

/** Suggests the allowed word that was probably intended. */
function suggestValue(node: SourceNode, allowed: unknown): string {
  if (node.kind !== 'scalar' || typeof node.value !== 'string' || !Array.isArray(allowed)) return '';
  const words = allowed.filter((word) => typeof word === 'string');
  const near = findNearest(node.value, words);
  return near === undefined ? '' : ` Did you mean "${near}"?`;
}

/** Suggests the number of seconds for a duration where seconds are required. */
function suggestSeconds(pattern: string, { node }: SourceRef): string {
  if (!pattern.startsWith('^[0-9]{1,9}(\\.[0-9]{1,9})?$') || node.kind !== 'scalar') return '';
  const seconds = parseSpan(node.text);
  return seconds === undefined ? '' : ` Use seconds: ${seconds}.`;
}

function explainPattern(pattern: string, node: SourceNode): string {
  if (pattern === dagNamePattern && node.kind === 'scalar' && /^\.{1,2}$/.test(node.text))
    return 'must not consist only of dots';
  return patternDescriptions[pattern] ?? `must match ${pattern}`;
}

function formatType(source: SourceRef, types: readonly string[]): string {
  const name = getName(source);
  const { node } = source;
  if (node.kind === 'scalar' && node.value === null) {
    return `${name} is empty. Set a value, or remove it.`;
  }
  if (node.kind === 'scalar' && typeof node.value === 'number' && types.includes('integer')) {
    return `${name} must be a whole number, but is ${shorten(node.text)}.`;
  }
  const expected = [...new Set(types.map((type) => typeDescriptions[type] ?? ''))].filter(
    (word) => word !== '',
  );
  // A string that represents a number is rejected, too.
  const isText = types.includes('string') && !types.includes('integer') && !types.includes('number');
  const quotes = node.kind === 'scalar' && isText ? ` Use quotes: "${shorten(node.text)}".` : '';
  const advice = suggestEvent(source) ?? suggestList(node, types);
  return `${name} must be ${expected.join(' or ')}, but is ${formatNode(node)}.${quotes}${advice}`;
}

const suggestList = ({ kind }: SourceNode, types: readonly string[]): string =>
  kind === 'scalar' && types.includes('array') && !types.includes('string')
    ? ' Write each item on its own line, after "- ".'
    : '';

/** Suggests where to write an event, which other workflow languages put directly below `on`. */
function suggestEvent({ node, path }: SourceRef): string | undefined {
  const event = node.kind === 'scalar' ? node.text.slice(0, 60) : 'push';
  if (path === 'on') return ` Write "webhook: { event: ${event} }" below it.`;
  return /^on\.webhook(\[\d+\])?$/.test(path) ? ` Write "event: ${event}" below it.` : undefined;
}

/** Describes the type of a node, to follow "but it is". */
function formatNode(node: SourceNode): string {
  if (node.kind === 'list') return 'a list';
  if (node.kind === 'map') return 'a map';
  switch (typeof node.value) {
    case 'number':
      return `the number ${shorten(node.text)}`;
    case 'boolean':
      return node.text;
    case 'string':
      return `the string "${shorten(node.value)}"`;
    default:
      return 'empty';
  }
}

function shorten(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return line.length > 40 || line.length < text.length ? `${line.slice(0, 40)}…` : line;
}

/** Returns the last part of the path, as written in the file. */
function getName({ path }: SourceRef): string {
  if (path === '') return 'The workflow';
  const open = path.lastIndexOf('[');
  if (/^\[\d+\]$/.test(path.slice(open))) {
    const list = readWordBefore(path, open);
    return `Item ${Number(path.slice(open + 1, -1)) + 1} of ${list === '' ? 'the list' : `"${list}"`}`;
  }
  const start = path.indexOf('["', path.lastIndexOf(']', path.length - 2) + 1);
  const last = path.endsWith('"]') && start >= 0 ? path.slice(start) : readWordBefore(path, path.length);
  return `"${last === '' ? path : last}"`;
}

/** Returns the letters, digits, `_` and `-` before an offset. */
function readWordBefore(path: string, end: number): string {
  let start = end;
  while (start > 0 && /[\w-]/.test(path[start - 1]!)) start -= 1;
  return path.slice(start, end);
}

function resolvePointer(root: SourceRef, pointer: string): SourceRef | undefined {
  let source: SourceRef | undefined = root;
  for (const part of pointer.split('/').slice(1)) {
    source = source && findField(source, part.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return source;
}
