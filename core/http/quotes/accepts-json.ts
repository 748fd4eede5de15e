/** Media ranges that include JSON; the most specific one wins (RFC 9110, 12.5.1). */
const ranges = ['application/json', 'application/*', '*/*'];

/** Whether the `Accept` header allows JSON; true without a header. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  const requests = new Map<string, number>();
  for (const part of accept.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    requests.set(range, Math.max(readQuality(parameters), requests.get(range) ?? 0));
  }
  const decisive = ranges.find((range) => requests.has(range));
  return decisive !== undefined && requests.get(decisive)! > 0;
}

function readQuality(parameters: readonly string[]): number {
  const written = parameters.find((parameter) => /^q\s*=/.test(parameter));
  if (written === undefined) return 1;
  const quality = Number(written.slice(written.indexOf('=') + 1));
  return quality >= 0 ? quality : 0;
}
