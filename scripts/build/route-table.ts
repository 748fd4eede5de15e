import { join } from 'node:path';
import type { Plugin } from 'vite';
import { routes, streamRoutes } from '../../core/contract/routes.ts';

const ROUTES_MODULE = join(import.meta.dirname, '../../core/contract/routes.ts').replaceAll('\\', '/');

/**
 * Replaces the module that derives the routes from the table of operations by its result: the shapes and their
 * schema library would be nine tenths of a client. Not in a watching build, where the table may change.
 */
export const routeTable = (): Plugin => ({
  name: 'stepwright:route-table',
  apply: 'build',
  load(id) {
    if (this.meta.watchMode || id.replaceAll('\\', '/') !== ROUTES_MODULE) return undefined;
    return { code: formatRouteTable(), moduleType: 'js' };
  },
});

/** Returns the source of a module with the same exports as `core/contract/routes.ts`. */
export function formatRouteTable(): string {
  const operations = mapValues(routes, ({ method, version, path, role }) => ({
    method,
    version,
    path,
    role,
  }));
  const streams = mapValues(streamRoutes, ({ path }) => ({ path }));
  return `export const routes = ${JSON.stringify(operations)};\nexport const streamRoutes = ${JSON.stringify(streams)};`;
}

const mapValues = <Value, Kept>(
  table: Readonly<Record<string, Value>>,
  keep: (value: Value) => Kept,
): Record<string, Kept> =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, keep(value)]));
