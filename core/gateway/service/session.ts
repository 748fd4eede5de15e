import type { RoleSettings } from '../catalog/catalog.ts';
import type { Setting } from '../database/setting.ts';
import type { Requester } from './understand/requester.ts';
import type { GatewayRequest } from './request.ts';

/** What a transaction knows of the request it is for. */
export interface SessionFacts {
  readonly request: GatewayRequest;
  readonly requester: Requester;
  /** Of the role that it is carried out as; what the request says of the same wins. */
  readonly roleSettings?: RoleSettings['settings'];
  /** Exposed schema first, then the extra path. */
  readonly searchPath: readonly string[];
  /** Known to the database. */
  readonly timezone?: string | undefined;
}

/**
 * Sets for one transaction who asks and what: search path, claims, role, and the request for
 * functions and policies to look at. The role comes last, so that it needs no right to set the others.
 */
export function settingsOf({
  request,
  requester,
  roleSettings = [],
  searchPath,
  timezone,
}: SessionFacts): readonly Setting[] {
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

/** PostgreSQL takes no such character in a text. */
const toJson = (value: object): string => JSON.stringify(value).replaceAll('\\u0000', '');

function readCookies(header = ''): Record<string, string> {
  const pairs = header.split(';').flatMap((part) => {
    const mark = part.indexOf('=');
    return mark < 0 ? [] : [[part.slice(0, mark).trim(), part.slice(mark + 1).trim()] as const];
  });
  return Object.fromEntries(pairs.filter(([name]) => name !== ''));
}

/** A name as SQL. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
