import { GatewayError } from '../gateway-error.ts';
import type { ResponseFormat, Preferences, Level } from './query.ts';

/** Content to format: rows and values, or the description at the root. */
export type FormattedContent = 'rows' | 'description';

/** Maximum number of `Accept` entries that are read. */
const MAX_ENTRIES = 100;

const array: ResponseFormat = { kind: 'array', stripsNulls: false };
const openapi: ResponseFormat = { kind: 'openapi' };

/**
 * Chooses the preferred supported format by `q`, then by order.
 * @throws GatewayError PGRST107 if there is none
 */
export function chooseFormat(accept: string | undefined, content: FormattedContent = 'rows'): ResponseFormat {
  const acceptHeader = (accept ?? '').trim() === '' ? '*/*' : accept!;
  const entries = acceptHeader
    .split(',', MAX_ENTRIES)
    .flatMap((text) => parseMediaType(text) ?? [])
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality);
  for (const entry of entries) {
    const format = content === 'rows' ? getRowsFormat(entry) : getDescriptionFormat(entry);
    if (format !== undefined) return format;
  }
  throw new GatewayError(406, 'PGRST107', `None of these media types are available: ${acceptHeader}`, {
    hint: `Available: ${(content === 'rows' ? rowTypes : descriptionTypes).join(', ')}.`,
  });
}

const rowTypes = [
  'application/json',
  'application/vnd.pgrst.object+json',
  'application/vnd.pgrst.array+json',
  'text/csv',
];
const descriptionTypes = ['application/openapi+json', 'application/json'];

function getRowsFormat({ type, parameters }: MediaType): ResponseFormat | undefined {
  switch (type) {
    case '*/*':
    case 'application/*':
    case 'application/json':
      return array;
    case 'application/vnd.pgrst.array':
    case 'application/vnd.pgrst.array+json':
      return { kind: 'array', stripsNulls: parameters.get('nulls') === 'stripped' };
    case 'application/vnd.pgrst.object':
    case 'application/vnd.pgrst.object+json':
      return { kind: 'object', stripsNulls: parameters.get('nulls') === 'stripped' };
    case 'text/*':
    case 'text/csv':
      return { kind: 'csv' };
    default:
      return undefined;
  }
}

const getDescriptionFormat = ({ type }: MediaType): ResponseFormat | undefined =>
  type === '*/*' || type === 'application/*' || descriptionTypes.includes(type) ? openapi : undefined;

/** Returns the `Content-Type` of a response. */
export function getContentType(format: ResponseFormat): string {
  if (format.kind === 'csv') return 'text/csv; charset=utf-8';
  if (format.kind === 'openapi') return 'application/openapi+json; charset=utf-8';
  if (format.kind === 'array' && !format.stripsNulls) return 'application/json; charset=utf-8';
  const stripped = format.stripsNulls ? ';nulls=stripped' : '';
  return `application/vnd.pgrst.${format.kind}+json${stripped}; charset=utf-8`;
}

/** A media type of `Accept` or `Content-Type`, in lower case. */
interface MediaType {
  /** For example `application/json`. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** `q`, from 0 to 1. Default: 1, also if invalid. */
  readonly quality: number;
}

/** Parses a media type; undefined if invalid. */
export function parseMediaType(text: string): MediaType | undefined {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim().toLowerCase());
  if (!/^[\w!#$&^*.+-]+\/[\w!#$&^*.+-]+$/.test(type)) return undefined;
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const middle = part.indexOf('=');
    if (middle < 0) continue;
    const value = part.slice(middle + 1).trim();
    parameters.set(part.slice(0, middle).trim(), value.replaceAll('"', ''));
  }
  const quality = Number(parameters.get('q') ?? '1');
  return { type, parameters, quality: quality >= 0 && quality <= 1 ? quality : 1 };
}

export interface PreferenceOptions {
  /** Whether `tx=` is honoured. */
  readonly allowsTxOverride: boolean;
  /** Whether the database knows the time zone. */
  readonly isTimezone: (name: string) => boolean;
}

type MutablePreferences = { -readonly [Name in keyof Preferences]: Preferences[Name] };

/** Preferences with a fixed set of values. */
const choices = {
  return: ['minimal', 'headers-only', 'representation'],
  count: ['exact', 'planned', 'estimated'],
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  handling: ['strict', 'lenient'],
  tx: ['commit', 'rollback'],
  unfiltered: ['allow'],
} as const satisfies { [Name in keyof Preferences]?: readonly NonNullable<Preferences[Name]>[] };

/** Maximum number of preferences per request. */
const MAX_PREFERENCES = 100;

/**
 * Parses `Prefer`. The first of duplicate preferences wins.
 * @param header all header values, joined by commas
 * @throws GatewayError PGRST122 for unknown preferences with `handling=strict`
 */
export function parsePreferences(header: string | undefined, options: PreferenceOptions): Preferences {
  const drafted: MutablePreferences = {};
  const unknown: string[] = [];
  for (const preference of splitPreferences(header ?? ''))
    if (!readPreference(preference, drafted, options)) unknown.push(preference);
  if (!options.allowsTxOverride) delete drafted.tx;
  if (drafted.handling === 'strict' && unknown.length > 0)
    throw new GatewayError(400, 'PGRST122', 'Invalid preferences given with handling=strict', {
      details: `Invalid preferences: ${unknown.join(', ')}`,
    });
  return drafted;
}

const splitPreferences = (header: string): readonly string[] =>
  header
    .split(',', MAX_PREFERENCES)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Applies a preference; false if unknown. */
function readPreference(
  preference: string,
  drafted: MutablePreferences,
  options: PreferenceOptions,
): boolean {
  const middle = preference.indexOf('=');
  const name = preference.slice(0, Math.max(middle, 0)).trim().toLowerCase();
  const value = preference.slice(middle + 1).trim();
  if (name === 'timezone') {
    if (!options.isTimezone(value)) return false;
    drafted.timezone ??= value;
    return true;
  }
  if (name === 'max-affected') {
    if (!/^\d{1,15}$/.test(value)) return false;
    drafted.maxAffected ??= Number(value);
    return true;
  }
  if (!Object.hasOwn(choices, name)) return false;
  const known: readonly string[] = choices[name as keyof typeof choices];
  if (!known.includes(value)) return false;
  Object.assign(drafted, { [name]: value, ...drafted });
  return true;
}

/** Rows of a `Range` header: first row, counted from 0, and optional last row. */
export interface RowRange {
  readonly first: number;
  readonly last?: number;
}

/** Parses `a-b` and `a-`; undefined for anything else, which means all rows. */
export function parseRange(header: string | undefined): RowRange | undefined {
  const match = /^\s*(\d{1,15})-(\d{0,15})\s*$/.exec(header ?? '');
  if (match === null) return undefined;
  const first = Number(match[1]);
  return match[2] === '' ? { first } : { first, last: Number(match[2]) };
}

/**
 * Combines limit and offset of a level with a range.
 * @throws GatewayError PGRST103 if the range is empty
 */
export function intersectRange(level: Level, range: RowRange | undefined): Level {
  if (range === undefined) return level;
  if (range.last !== undefined && range.last < range.first)
    throw rangeError(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    );
  const offset = Math.max(level.offset ?? 0, range.first);
  const ends = [
    ...(level.limit === undefined ? [] : [(level.offset ?? 0) + level.limit]),
    ...(range.last === undefined ? [] : [range.last + 1]),
  ];
  if (ends.length === 0) return { ...level, offset };
  const limit = Math.min(...ends) - offset;
  if (limit <= 0 && level.limit !== 0) throw rangeError('Range and limit or offset do not overlap.');
  return { ...level, offset, limit: Math.max(limit, 0) };
}

const rangeError = (details: string): GatewayError =>
  new GatewayError(416, 'PGRST103', 'Requested range not satisfiable', { details });
