/** Body format of a hook. */
export type BodyFormat = 'json' | 'form';

/** Maximum size of a sent body: 25 MB, interpreted as 25 MiB so that every payload GitHub sends fits. */
export const maxBodyBytes = 25 * 1024 * 1024;

/** The encoded body; signature and size refer to these bytes. */
export interface EncodedBody {
  readonly bytes: Buffer;
  readonly contentType: 'application/json' | 'application/x-www-form-urlencoded';
}

/** Encodes a JSON payload unchanged, or as a form with the JSON in its only field `payload`. */
export function encodeBody(json: string, format: BodyFormat): EncodedBody {
  return format === 'json'
    ? { bytes: Buffer.from(json), contentType: 'application/json' }
    : { bytes: Buffer.from(encodeForm(json)), contentType: 'application/x-www-form-urlencoded' };
}

/** Whether a body is within the size limit. Larger bodies are not sent. */
export const isWithinSizeLimit = (body: EncodedBody): boolean => body.bytes.length <= maxBodyBytes;

/** Encodes a form. GitHub encodes `*` as `%2A`, which `URLSearchParams` does not escape. */
const encodeForm = (json: string): string =>
  new URLSearchParams({ payload: json }).toString().replaceAll('*', '%2A');
