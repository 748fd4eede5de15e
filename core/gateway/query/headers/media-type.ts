/** A media type of `Accept` or `Content-Type`, in lower case. */
export interface MediaType {
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
