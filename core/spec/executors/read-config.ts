import { findNearest } from '../../base/text.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ConfigField, ConfigTable } from '../../model/executor-config.ts';
import { type Report, joinPath, getText, toValue, type SourceRef, type SourceNode } from '../source.ts';
import { hasReference } from '../parse-template.ts';

/**
 * Reads the `config` of a step against the table of its executor. Keys may be in snake_case. Numbers and booleans are
 * returned as such, or as an expression string.
 * @param source source of the configuration; undefined if there is none
 * @param owner where missing fields are reported
 */
export function readConfig(
  table: ConfigTable,
  source: SourceRef | undefined,
  owner: SourceRef,
  report: Report,
): JsonObject {
  if (source !== undefined && source.node.kind !== 'map') {
    report.error(source, '"config" must be a map, such as "config: {timeout: 30}".');
    return {};
  }
  const config: JsonObject = {};
  const entries = source?.node.kind === 'map' ? source.node.entries : new Map<never, never>();
  for (const [written, { keyStart, node }] of entries) {
    const path = joinPath(source!.path, written);
    const name = findKey(table, written);
    const field = name === undefined ? undefined : table[name];
    if (name === undefined || field === undefined)
      report.errorAt(keyStart, path, formatUnknownField(written, table));
    else if (name in config) report.errorAt(keyStart, path, `Duplicate field "${name}". Remove one.`);
    else readField(config, name, field, { source: { node, path }, report });
  }
  for (const [name, { required }] of Object.entries(table)) {
    if (required === true && !(name in config)) {
      report.error(source ?? owner, `Missing required field "${name}" in "config".`);
    }
  }
  return config;
}

/** Reduces a key to lower-case letters and digits. */
const fold = (key: string): string => key.replaceAll(/[_-]/g, '').toLowerCase();

const findKey = (table: ConfigTable, written: string): string | undefined =>
  Object.hasOwn(table, written) ? written : Object.keys(table).find((name) => fold(name) === fold(written));

function formatUnknownField(written: string, table: ConfigTable): string {
  const names = Object.keys(table);
  const near = findNearest(written, names);
  const hint = near === undefined ? `Known fields: ${names.join(', ')}.` : `Did you mean "${near}"?`;
  return `Unknown field "${written.slice(0, 60)}". ${hint}`;
}

interface ReadContext {
  readonly source: SourceRef;
  readonly report: Report;
}

/** Reads one field. An empty field counts as absent. */
function readField(
  config: JsonObject,
  name: string,
  field: ConfigField,
  { source, report }: ReadContext,
): void {
  if (source.node.kind === 'scalar' && source.node.value === null) return;
  const value = readers[field.kind](source.node, field);
  if (value === undefined) report.error(source, `"${name}" must be ${formatField(field)}.`);
  // Defines an own property even for names such as `__proto__`.
  else Object.defineProperty(config, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Returns undefined if the value is invalid. */
type Reader = (node: SourceNode, field: ConfigField) => JsonValue | undefined;

const isExpression = (node: SourceNode): boolean => hasReference(getText(node));

const readers: Readonly<Record<ConfigField['kind'], Reader>> = {
  text: (node) => (node.kind === 'scalar' ? getText(node) : undefined),
  number: (node) => {
    if (isExpression(node)) return getText(node);
    const text = getText(node).trim();
    return /^-?[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : undefined;
  },
  flag: (node) => {
    if (isExpression(node)) return getText(node);
    const text = getText(node).trim().toLowerCase();
    return text === 'true' || text === 'false' ? text === 'true' : undefined;
  },
  textMap: (node) =>
    node.kind === 'map' && [...node.entries.values()].every((entry) => entry.node.kind === 'scalar')
      ? Object.fromEntries([...node.entries].map(([key, entry]) => [key, getText(entry.node)]))
      : undefined,
  textList: (node) => {
    if (node.kind === 'scalar') return [getText(node)];
    return node.kind === 'list' && node.items.every((item) => item.kind === 'scalar')
      ? node.items.map(getText)
      : undefined;
  },
  choice: (node, { values = [] }) =>
    node.kind === 'scalar' && (isExpression(node) || values.includes(getText(node)))
      ? getText(node)
      : undefined,
  json: (node) => toValue(node),
};

function formatField({ kind, values = [] }: ConfigField): string {
  switch (kind) {
    case 'text':
      return 'a string';
    case 'number':
      return 'a number, or an expression';
    case 'flag':
      return 'true or false, or an expression';
    case 'textMap':
      return 'a map of strings';
    case 'textList':
      return 'a string or a list of strings';
    case 'choice':
      return `one of ${values.join(', ')}`;
    case 'json':
      return 'a value';
  }
}
