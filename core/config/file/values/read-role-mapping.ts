import type { Role } from '../../../contract/operation.ts';
import { textOf, type SourceRef } from '../../../spec/source/source-node.ts';
import type { ReadValue } from '../config-key.ts';
import { oneOf } from './read-values.ts';

/** The four roles, from least to most privileged. */
export const roleName: ReadValue<Role> = oneOf<Role>('viewer', 'operator', 'manager', 'admin');

/** Role by the value of a claim. */
export type RoleMapping = ReadonlyMap<string, Role>;

/** `{flow-admins: admin}`, or `flow-admins=admin,flow-ops=operator` in variables. */
export const roleMapping: ReadValue<RoleMapping> = (source, report, folder) => {
  const pairs = listPairs(source);
  if (pairs === undefined) {
    report.error(
      source,
      `"${source.path}" must be a map of claim values to roles, such as {staff: operator}.`,
    );
    return undefined;
  }
  const mapping = new Map<string, Role>();
  for (const [claimed, rolePlace] of pairs) {
    const role = roleName(rolePlace, report, folder);
    if (role !== undefined) mapping.set(claimed, role);
  }
  return mapping;
};

function listPairs({ node, path }: SourceRef): [string, SourceRef][] | undefined {
  if (node.kind === 'map')
    return Array.from(node.entries, ([name, entry]) => [name, { node: entry.node, path: `${path}.${name}` }]);
  if (node.kind === 'list') return undefined;
  const pairs = textOf(node)
    .split(',')
    .map((pair) => pair.split('='));
  if (pairs.some((pair) => pair.length !== 2 || pair[0]!.trim() === '')) return undefined;
  return pairs.map(([name = '', role = '']) => [
    name.trim(),
    { node: { kind: 'scalar', start: node.start, value: role, text: role }, path: `${path}.${name.trim()}` },
  ]);
}
