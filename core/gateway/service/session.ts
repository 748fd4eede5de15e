import type { RoleSettings } from '../catalog/catalog.ts';
import type { Setting } from '../database/setting.ts';
import type { Requester } from './parse/requester.ts';
import type { GatewayRequest } from './request.ts';

/** Request data for a transaction. */
export interface RequestSession {
  readonly request: GatewayRequest;
  readonly requester: Requester;
  /** Settings of the role; settings of the request win. */
  readonly roleSettings?: RoleSettings['settings'];
  /** Exposed schema first, then the extra search path. */
  readonly searchPath: readonly string[];
  /** A time zone that the database knows. */
  readonly timezone?: string | undefined;
}

/**
 * Returns the settings of one transaction: search path, claims, role, and request data for functions and policies. The
 * role comes last, so that it needs no permission to change the others.
 */
export function settingsOf({
  request,
  requester,
  roleSettings = [],
  searchPath,
  timezone,
}: RequestSession): readonly Setting[] {
  const { cookie, ...headers } = request.headers;
  return [
    ...roleSettings,
    ['search_path', searchPath.map(quoteName).join(', ')],
    ['request.method', request.method],
    ['request.path', `/${request.path.join('/')}`],
    ['request.headers', toJson(headers)],
    ['request.cookies', toJson(readCookies(cookie))],
    ['request.jwt.claims', requester.claims],
    ...(timezone === undefined ? [] : [['timezone', timezone] as const]),
    ...(requester.role === undefined ? [] : [['role', requester.role] as const]),
  ];
}

/** Serializes a value without NUL, which PostgreSQL text cannot contain. */
const toJson = (value: object): string => JSON.stringify(value).replaceAll('\\u0000', '');

function readCookies(header = ''): Record<string, string> {
  const pairs = header.split(';').flatMap((part) => {
    const mark = part.indexOf('=');
    return mark < 0 ? [] : [[part.slice(0, mark).trim(), part.slice(mark + 1).trim()] as const];
  });
  return Object.fromEntries(pairs.filter(([name]) => name !== ''));
}

/** Quotes a name for SQL. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
