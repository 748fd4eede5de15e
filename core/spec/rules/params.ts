import type { Parameter, Workflow } from '../../model/workflow.ts';
import { parseParamText } from '../params.ts';
import type { Report } from '../source/report.ts';
import { findPlace, joinPath, keyStartOf, textOf, toValue, type Place } from '../source/source-node.ts';

/**
 * Reads `params`: one text, a list of texts and maps, or a map (seed 1). A positional one
 * is named by its place in the whole list; a map keeps the order of the file.
 */
export function readParams(place: Place | undefined, report: Report): Parameter[] {
  if (place === undefined) return [];
  const { node } = place;
  if (node.kind === 'map') return readMap(place, report);
  const params: Parameter[] = [];
  if (node.kind === 'scalar') appendItem(params, place, report);
  else for (const index of node.items.keys()) appendItem(params, findPlace(place, index)!, report);
  rejectRepeats(params, place, report);
  return params;
}

function appendItem(params: Parameter[], item: Place, report: Report): void {
  if (item.node.kind === 'map') {
    for (const parameter of readMap(item, report)) params.push(parameter);
    return;
  }
  for (const parameter of parseParamText(textOf(item.node), params.length + 1)) params.push(parameter);
}

function readMap(place: Place, report: Report): Parameter[] {
  if (place.node.kind !== 'map') return [];
  return [...place.node.entries].map(([name, { node }]) => {
    if (name === '' || /[\s=]/.test(name)) {
      const message = `"${name.slice(0, 60)}" cannot be the name of a parameter. Use letters, digits, "_", "-" and ".".`;
      report.errorAt(keyStartOf(place.node, name), joinPath(place.path, name), message);
    }
    return { name, value: textOf(node) };
  });
}

function rejectRepeats(params: readonly Parameter[], place: Place, report: Report): void {
  const names = new Set<string>();
  for (const { name } of params) {
    if (names.has(name)) report.error(place, `The parameter "${name}" is given twice. Remove or rename one.`);
    names.add(name);
  }
}

/** What `params` declares: values, and with `schema` what fills them in and checks them. */
export interface DeclaredParams {
  readonly params: Parameter[];
  readonly paramSchema?: Workflow['paramSchema'];
}

/** Reads the `params` of a workflow, which may be `{schema, values}`. */
export function readDeclaredParams(place: Place | undefined, report: Report): DeclaredParams {
  const schema = place && findParamSchema(place);
  if (schema === undefined) return { params: readParams(place, report) };
  if (schema.node.kind === 'scalar' && textOf(schema.node).trim() === '') {
    report.error(schema, '"schema" is empty. Write the path of a JSON Schema, or the schema itself.');
  }
  return {
    params: readParams(findPlace(place!, 'values'), report),
    paramSchema: toValue(schema.node) as Workflow['paramSchema'],
  };
}

/** The place of the schema, when `params` has one: a parameter may well be called `schema` and be a number. */
export function findParamSchema(params: Place): Place | undefined {
  const schema = params.node.kind === 'map' ? findPlace(params, 'schema') : undefined;
  const isValue = schema?.node.kind === 'scalar' && typeof schema.node.value !== 'string';
  return isValue ? undefined : schema;
}
