import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Parameter, Workflow } from '../../model/workflow.ts';
import { type Report, findField, getText, toValue, type SourceRef, joinPath } from '../source.ts';
import { isParamName, findParamLimitProblem, findParamProblem, parseParamText } from '../params.ts';
import { authoredKeys } from '../authored-keys.ts';
import { lacksValue, listParamFields } from '../param-form.ts';
import { warnAboutShellSyntax } from './literals.ts';
import { hasReference } from '../parse-template.ts';

/** Whether an item of the list of parameters has a name, and another field of a typed parameter. */
const isTypedParam = ({ node }: SourceRef): boolean =>
  node.kind === 'map' &&
  node.entries.has('name') &&
  authoredKeys.typedParam.some((key) => key !== 'name' && node.entries.has(key));

/** A typed parameter: its property in the JSON Schema of all parameters, and its default as text. */
interface TypedParam {
  readonly name: string;
  readonly property: JsonObject;
  readonly isRequired: boolean;
  readonly default: string | undefined;
}

/** Reads a typed parameter such as `{ name: batch, type: integer, minimum: 1, default: 10 }`. */
function readTypedParam(item: SourceRef, report: Report): TypedParam {
  const { name: _name, required, default: fallback, ...property } = toValue(item.node) as JsonObject;
  const nameField = findField(item, 'name')!;
  const defaultField = findField(item, 'default');
  const text = getText(nameField.node);
  if (!isParamName(text)) {
    const message = `Invalid parameter name "${text.slice(0, 60)}". Use letters, digits, "_", "-" and ".".`;
    report.error(nameField, message);
  }
  const typed = withType(property, fallback);
  checkLimits(item, typed, report);
  if (defaultField !== undefined) checkDefault(defaultField, typed, report);
  return {
    name: text,
    property: typed,
    isRequired: required === true,
    default: defaultField && getDefault(defaultField),
  };
}

/** Adds the type that `default` or the limits imply; a parameter with `enum` needs none. */
function withType(property: JsonObject, fallback: JsonValue | undefined): JsonObject {
  if (property['type'] !== undefined || property['enum'] !== undefined) return property;
  if (typeof fallback === 'boolean') return { type: 'boolean', ...property };
  const hasLimit = property['minimum'] !== undefined || property['maximum'] !== undefined;
  return { type: typeof fallback === 'number' || hasLimit ? 'number' : 'string', ...property };
}

function getDefault({ node }: SourceRef): string {
  return node.kind === 'scalar' ? getText(node) : JSON.stringify(toValue(node));
}

/** Limits that no value can meet. */
function checkLimits(item: SourceRef, property: JsonObject, report: Report): void {
  for (const [low, high] of [
    ['minimum', 'maximum'],
    ['minLength', 'maxLength'],
  ] as const) {
    if (Number(property[low]) > Number(property[high]))
      report.error(findField(item, low)!, `"${low}" is greater than "${high}". Swap or fix the limits.`);
  }
}

const patterns: Readonly<Record<string, readonly [pattern: RegExp, words: string]>> = {
  integer: [/^[+-]?\d+$/, 'a whole number'],
  number: [/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i, 'a number'],
  boolean: [/^(?:true|false)$/, 'true or false'],
  array: [/^\s*\[/, 'a list'],
  object: [/^\s*\{/, 'a map'],
};

const showValue = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Checks a default without variables, whose value is known before a run. */
function checkDefault(field: SourceRef, property: JsonObject, report: Report): void {
  const text = getDefault(field);
  if (hasReference(text)) return;
  const expected = typeof property['type'] === 'string' ? patterns[property['type']] : undefined;
  const shown = text === '' ? 'empty' : text.slice(0, 60);
  const choices = Array.isArray(property['enum']) ? property['enum'].map(showValue) : undefined;
  const [minimum, maximum] = [property['minimum'], property['maximum']];
  if (expected !== undefined && !expected[0].test(text))
    report.error(field, `"default" must be ${expected[1]}, but is ${shown}.`);
  else if (choices !== undefined && !choices.includes(text))
    report.error(field, `"default" must be one of: ${choices.join(', ')}, but is ${shown}.`);
  else if (typeof minimum === 'number' && Number(text) < minimum)
    report.error(field, `"default" must be at least ${minimum}, but is ${shown}.`);
  else if (typeof maximum === 'number' && Number(text) > maximum)
    report.error(field, `"default" must be at most ${maximum}, but is ${shown}.`);
}

/**
 * Builds the JSON Schema of a list with typed parameters, which has no other parameters.
 * @param names of all parameters of the list in its order; the untyped ones take any string
 */
function toParamSchema(names: readonly string[], typed: ReadonlyMap<string, TypedParam>): JsonObject {
  const required = names.filter((name) => typed.get(name)?.isRequired === true);
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => [name, typed.get(name)?.property ?? { type: 'string' }]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** A parameter and its position: its key in a map, else the string that contains it. */
interface AuthoredParam extends Parameter {
  readonly start: number;
  readonly path: string;
}

/**
 * Reads `params`: one string, a list of strings and maps, or a map. A positional parameter is named by its number in
 * the whole list; a map keeps the order of the file.
 */
export function readParams(source: SourceRef | undefined, report: Report): Parameter[] {
  if (source === undefined) return [];
  const params: AuthoredParam[] = [];
  for (const item of listItems(source)) appendItem(params, item, report);
  return finish(params, source, report);
}

const listItems = (source: SourceRef): SourceRef[] =>
  source.node.kind === 'list'
    ? [...source.node.items.keys()].map((index) => findField(source, index)!)
    : [source];

/** Checks parameters that have been read, and drops their positions. */
function finish(params: readonly AuthoredParam[], source: SourceRef, report: Report): Parameter[] {
  const excess = findParamLimitProblem(params);
  if (excess !== undefined) {
    report.error(source, excess);
    return [];
  }
  rejectDuplicates(params, report);
  for (const { value, start, path } of params) warnAboutShellSyntax(value, start, path, report);
  return params.map(({ name, value }) => ({ name, value }));
}

function appendItem(params: AuthoredParam[], item: SourceRef, report: Report): void {
  const { node, path } = item;
  if (node.kind === 'map') {
    for (const parameter of readMap(item, report)) params.push(parameter);
    return;
  }
  const text = getText(node);
  const problem = findParamProblem(text, params.length + 1);
  if (problem !== undefined) {
    report.error(item, problem);
    return;
  }
  for (const parameter of parseParamText(text, params.length + 1)) {
    params.push({ ...parameter, start: node.start, path });
  }
}

function readMap(source: SourceRef, report: Report): AuthoredParam[] {
  if (source.node.kind !== 'map') return [];
  return [...source.node.entries].map(([name, { keyStart: start, node }]) => {
    const path = joinPath(source.path, name);
    if (name === '' || /[\s=]/.test(name)) {
      const message = `Invalid parameter name "${name.slice(0, 60)}". Use letters, digits, "_", "-" and ".".`;
      report.errorAt(start, path, message);
    }
    return { name, value: getText(node), start, path };
  });
}

function rejectDuplicates(params: readonly AuthoredParam[], report: Report): void {
  const lines = new Map<string, number>();
  for (const { name, start, path } of params) {
    const first = lines.get(name);
    if (first === undefined) {
      lines.set(name, report.lines.locate(start).line);
    } else {
      const message = `Duplicate parameter "${name.slice(0, 60)}" (first used in line ${first}). Remove or rename one.`;
      report.errorAt(start, path, message);
    }
  }
}

/** The content of `params`: values, and an optional `schema` that validates them and provides defaults. */
export interface DeclaredParams {
  readonly params: Parameter[];
  readonly paramSchema?: Workflow['paramSchema'];
}

/** Reads the `params` of a workflow, which may be `{schema, values}`. */
export function readDeclaredParams(source: SourceRef | undefined, report: Report): DeclaredParams {
  const schema = source && findParamSchema(source);
  if (schema === undefined) {
    const isTyped = source?.node.kind === 'list' && listItems(source).some(isTypedParam);
    return isTyped ? readTypedParams(source, report) : { params: readParams(source, report) };
  }
  if (schema.node.kind === 'scalar' && getText(schema.node).trim() === '') {
    report.error(schema, '"schema" is empty. Set the path of a JSON Schema, or the schema itself.');
  }
  return {
    params: readParams(findField(source!, 'values'), report),
    paramSchema: toValue(schema.node) as Workflow['paramSchema'],
  };
}

/** Warns about required parameters without a default: a schedule passes no values. */
export function warnAboutScheduledParams(
  { params, paramSchema, schedule }: DeclaredParams & Pick<Workflow, 'schedule'>,
  source: SourceRef,
  report: Report,
): void {
  if (schedule.start.length === 0 || typeof paramSchema !== 'object') return;
  const names = listParamFields(params, paramSchema as JsonObject)
    .filter(lacksValue)
    .map(({ name }) => `"${name.slice(0, 60)}"`);
  if (names.length === 0) return;
  const shown = names.slice(0, 5).join(', ');
  report.warning(
    source,
    names.length === 1
      ? `Parameter ${shown} is required and has no default, so scheduled runs cannot start. Add a default.`
      : `Parameters ${shown} are required and have no defaults, so scheduled runs cannot start. Add defaults.`,
  );
}

/** Reads a list with typed parameters into a schema, and the defaults as its `values`. */
function readTypedParams(source: SourceRef, report: Report): DeclaredParams {
  const params: AuthoredParam[] = [];
  const typed = new Map<string, TypedParam>();
  for (const item of listItems(source)) {
    if (!isTypedParam(item)) {
      appendItem(params, item, report);
      continue;
    }
    const param = readTypedParam(item, report);
    const { name } = param;
    typed.set(name, param);
    // Parameters without a default are listed too, to detect duplicates.
    params.push({
      name,
      value: param.default ?? '',
      start: item.node.start,
      path: joinPath(item.path, 'name'),
    });
  }
  const all = finish(params, source, report);
  return {
    params: all.filter(({ name }) => !typed.has(name) || typed.get(name)!.default !== undefined),
    paramSchema: toParamSchema(
      all.map(({ name }) => name),
      typed,
    ),
  };
}

/** Finds the schema in `params`. A parameter may also be named `schema`, with a scalar value. */
export function findParamSchema(params: SourceRef): SourceRef | undefined {
  const schema = params.node.kind === 'map' ? findField(params, 'schema') : undefined;
  const isValue = schema?.node.kind === 'scalar' && typeof schema.node.value !== 'string';
  return isValue ? undefined : schema;
}
