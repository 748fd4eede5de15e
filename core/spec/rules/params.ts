import type { JsonObject } from '../../base/json.ts';
import type { Parameter, Workflow } from '../../model/workflow.ts';
import { lacksValue, listParamFields } from '../param-form.ts';
import { findParamLimitProblem, findParamProblem, parseParamText } from '../params.ts';
import { warnAboutShellSyntax } from './literals.ts';
import { isTypedParam, readTypedParam, toParamSchema, type TypedParam } from './typed-params.ts';
import { type Report, findField, joinPath, getText, toValue, type SourceRef } from '../source.ts';

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
