import { GatewayError } from '../../gateway-error.ts';
import type { ResponseFormat } from '../query.ts';
import { parseMediaType, type MediaType } from './media-type.ts';

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
export function chooseFormat(accept: string | undefined, of: FormattedContent = 'rows'): ResponseFormat {
  const wanted = (accept ?? '').trim() === '' ? '*/*' : accept!;
  const entries = wanted
    .split(',', MAX_ENTRIES)
    .flatMap((text) => parseMediaType(text) ?? [])
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality);
  for (const entry of entries) {
    const format = of === 'rows' ? formatOfRows(entry) : formatOfDescription(entry);
    if (format !== undefined) return format;
  }
  throw new GatewayError(406, 'PGRST107', `None of these media types are available: ${wanted}`, {
    hint: `Available: ${(of === 'rows' ? rowTypes : descriptionTypes).join(', ')}.`,
  });
}

const rowTypes = [
  'application/json',
  'application/vnd.pgrst.object+json',
  'application/vnd.pgrst.array+json',
  'text/csv',
];
const descriptionTypes = ['application/openapi+json', 'application/json'];

function formatOfRows({ type, parameters }: MediaType): ResponseFormat | undefined {
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

const formatOfDescription = ({ type }: MediaType): ResponseFormat | undefined =>
  type === '*/*' || type === 'application/*' || descriptionTypes.includes(type) ? openapi : undefined;

/** Returns the `Content-Type` of a response. */
export function contentTypeOf(format: ResponseFormat): string {
  if (format.kind === 'csv') return 'text/csv; charset=utf-8';
  if (format.kind === 'openapi') return 'application/openapi+json; charset=utf-8';
  if (format.kind === 'array' && !format.stripsNulls) return 'application/json; charset=utf-8';
  const stripped = format.stripsNulls ? ';nulls=stripped' : '';
  return `application/vnd.pgrst.${format.kind}+json${stripped}; charset=utf-8`;
}
