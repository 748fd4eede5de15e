import { describeRefused, type LaterField } from './later-fields.ts';
import type { Report } from './source/report.ts';
import { findPlace, keyStartOf, placeOf, type Place } from './source/source-node.ts';

/** Fields by section and name, since every field of every step is looked up. */
type FieldTable = Readonly<Record<LaterField['section'], ReadonlyMap<string, readonly LaterField[]>>>;

/**
 * Says of each field in a document that is still to come that it is refused.
 * @param root a document with canonical keys; of any shape otherwise
 */
export function reportLaterFields(root: Place, later: readonly LaterField[], report: Report): void {
  const table = { workflow: tabulate('workflow', later), step: tabulate('step', later) };
  reportMap(root, 'workflow', table, report);
  const steps = findPlace(root, 'steps');
  if (steps) reportSteps(steps, table, report);
  const handlers = findPlace(root, 'handlerOn');
  if (handlers?.node.kind !== 'map') return;
  for (const key of handlers.node.entries.keys()) {
    reportMap(placeOf(handlers, key), 'step', table, report);
  }
}

function tabulate(section: LaterField['section'], later: readonly LaterField[]): FieldTable['step'] {
  return Map.groupBy(
    later.filter((field) => field.section === section),
    ({ field }) => field,
  );
}

/** A list of steps and groups, or a map of names to steps. */
function reportSteps(place: Place, table: FieldTable, report: Report): void {
  const { node } = place;
  if (node.kind === 'scalar') return;
  for (const key of node.kind === 'list' ? node.items.keys() : node.entries.keys()) {
    const child = placeOf(place, key);
    if (child.node.kind === 'list') reportSteps(child, table, report);
    else reportMap(child, 'step', table, report);
  }
}

function reportMap(place: Place, section: LaterField['section'], table: FieldTable, report: Report): void {
  if (place.node.kind !== 'map') return;
  for (const key of place.node.entries.keys()) {
    for (const later of table[section].get(key) ?? []) reportField(later, place, report);
  }
}

function reportField({ field, form }: LaterField, parent: Place, report: Report): void {
  const place = placeOf(parent, field);
  if (form?.matches(place, parent) === false) return;
  const [map, key] = form?.key === undefined ? [parent, field] : [place, form.key];
  const at = keyStartOf(map.node, key);
  const { path } = placeOf(map, key);
  report.errorAt(at, path, describeRefused(form?.name ?? `The field "${field}"`));
}
