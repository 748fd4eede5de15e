/** How a receiver wants its bodies. */
export type BodyFormat = 'json' | 'form';

/** Largest body that is sent: 25 MB, read as 25 MiB so that no payload GitHub sends is refused. */
export const maxBodyBytes = 25 * 1024 * 1024;

/** A body as it goes over the wire; these bytes are what is signed and counted. */
export interface EncodedBody {
  readonly bytes: Buffer;
  readonly contentType: 'application/json' | 'application/x-www-form-urlencoded';
}

/** Writes a payload, which is JSON already, as it is or as a form with it in its one field `payload`. */
export function encodeBody(json: string, format: BodyFormat): EncodedBody {
  return format === 'json'
    ? { bytes: Buffer.from(json), contentType: 'application/json' }
    : { bytes: Buffer.from(encodeForm(json)), contentType: 'application/x-www-form-urlencoded' };
}

/** Whether a body may be sent at all. A larger one is not, and its receiver is told nothing. */
export const fitsCap = (body: EncodedBody): boolean => body.bytes.length <= maxBodyBytes;

/** GitHub writes `*` as `%2A`, which `URLSearchParams` leaves as it is. */
const encodeForm = (json: string): string =>
  new URLSearchParams({ payload: json }).toString().replaceAll('*', '%2A');
