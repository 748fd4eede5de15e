import type { Relation, Routine } from '../../catalog/catalog.ts';
import { GatewayError } from '../../gateway-error.ts';

/** Target of a path; the catalog decides whether the name exists. */
export type Target =
  | { readonly kind: 'root' }
  | { readonly kind: 'relation'; readonly name: string }
  | { readonly kind: 'routine'; readonly name: string };

const methods = {
  root: ['OPTIONS', 'GET', 'HEAD'],
  relation: ['OPTIONS', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  routine: ['OPTIONS', 'GET', 'HEAD', 'POST'],
} as const;

/**
 * Parses a path.
 * @throws GatewayError PGRST125 for a wrong depth, PGRST101 and PGRST117 for unsupported methods
 */
export function findTarget(method: string, path: readonly string[]): Target {
  const target = toTarget(path);
  const allowed: readonly string[] = methods[target.kind];
  if (allowed.includes(method)) return target;
  const headers = { allow: allowed.join(',') };
  throw target.kind === 'routine'
    ? new GatewayError(405, 'PGRST101', `Cannot use the ${method} method on RPC`, { headers })
    : new GatewayError(405, 'PGRST117', `Unsupported HTTP method: ${method}`, { headers });
}

function toTarget(path: readonly string[]): Target {
  const [first = '', second = ''] = path;
  if (path.length === 0 || (path.length === 1 && first === '')) return { kind: 'root' };
  if (path.length === 1) return { kind: 'relation', name: first };
  if (path.length === 2 && first === 'rpc' && second !== '') return { kind: 'routine', name: second };
  throw new GatewayError(404, 'PGRST125', 'Invalid path specified in request URL', {
    hint: 'Use /<table or view> or /rpc/<function>.',
  });
}

/** Returns the methods of a relation. PUT needs a primary key. */
export function methodsOfRelation({
  isInsertable,
  isUpdatable,
  isDeletable,
  primaryKey,
}: Relation): readonly string[] {
  return [
    ...methods.root,
    ...(isInsertable ? ['POST'] : []),
    ...(isInsertable && isUpdatable && primaryKey.length > 0 ? ['PUT'] : []),
    ...(isUpdatable ? ['PATCH'] : []),
    ...(isDeletable ? ['DELETE'] : []),
  ];
}

/** Returns the methods of a function. A function that may write has no GET. */
export const methodsOfRoutine = (overloads: readonly Routine[]): readonly string[] =>
  overloads.every(({ volatility }) => volatility === 'volatile') ? ['OPTIONS', 'POST'] : methods.routine;

export const methodsOfRoot: readonly string[] = methods.root;
