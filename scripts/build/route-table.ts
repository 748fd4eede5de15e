import { join } from 'node:path';
import type { Plugin } from 'vite';
import { routes, streamRoutes } from '../../core/contract/routes.ts';

const ROUTES_MODULE = join(import.meta.dirname, '../../core/contract/routes.ts').replaceAll('\\', '/');

/**
 * Replaces the module that takes the routes from the table of operations by what it comes to: the shapes, and the library
 * they are made with, would be nine tenths of a client. Not where a build watches: the table may change meanwhile.
 */
export const routeTable = (): Plugin => ({
  name: 'stepwright:route-table',
  apply: 'build',
  load(id) {
    if (this.meta.watchMode || id.replaceAll('\\', '/') !== ROUTES_MODULE) return undefined;
    return { code: formatRouteTable(), moduleType: 'js' };
  },
});

/** The source of a module with the same exports as `core/contract/routes.ts`. */
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
