/** One media type of `Accept` or `Content-Type`, all in lower case. */
export interface MediaType {
  /** Such as `application/json`. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** `q`, from 0 to 1; 1 when absent or wrong. */
  readonly quality: number;
}

/** Undefined for what is no media type. */
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
