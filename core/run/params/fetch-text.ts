import type { Clock } from '../../base/clock.ts';
import { decodeText, UnreadableTextError } from '../values/read-text-file.ts';

const maxMs = 10_000;
const maxRedirects = 5;

/**
 * Fetches the UTF-8 content of an `http` or `https` URL, within 10 seconds and `maxBytes`. A redirect may change the
 * host; it may change the scheme only from `http` to `https`. Rejects with `UnreadableTextError`, whose message is the
 * part after the URL.
 */
export async function fetchText(address: string, maxBytes: number, clock: Clock): Promise<string> {
  const controller = new AbortController();
  const dispose = clock.after(maxMs, () => controller.abort());
  try {
    const response = await follow(new URL(address), controller.signal);
    return decodeText(await readBody(response, maxBytes), maxBytes);
  } catch (error) {
    if (controller.signal.aborted)
      throw new UnreadableTextError(`did not respond within ${maxMs / 1000} seconds. Try again later`);
    if (error instanceof UnreadableTextError) throw error;
    throw new UnreadableTextError(`cannot be fetched: ${describe(error)}. Check the URL and the network`);
  } finally {
    dispose();
    // Closes a connection whose response was not read to its end.
    controller.abort();
  }
}

async function follow(start: URL, signal: AbortSignal): Promise<Response> {
  let url = start;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    if (url.username !== '' || url.password !== '')
      throw new UnreadableTextError('contains credentials, which are not allowed. Remove them');
    const response = await fetch(url, { redirect: 'manual', signal });
    const location = response.headers.get('location');
    const isRedirect = response.status >= 300 && response.status < 400 && location !== null;
    if (!isRedirect && response.ok) return response;
    if (!isRedirect) throw new UnreadableTextError(`returned status ${response.status}. Check the URL`);
    url = new URL(location, url);
    if (!mayFollow(start, url))
      throw new UnreadableTextError(`redirects to ${url.protocol}//, which is not supported. Fix the URL`);
  }
  throw new UnreadableTextError(`redirects more than ${maxRedirects} times. Fix the URL`);
}

const mayFollow = (from: URL, to: URL): boolean =>
  to.protocol === 'https:' || (to.protocol === 'http:' && from.protocol === 'http:');

/** Reads at most one chunk more than allowed, which shows that the body is too large. */
async function readBody(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    chunks.push(part);
    length += part.length;
    if (length > maxBytes) break;
  }
  return Buffer.concat(chunks);
}

/** Returns the cause of Node's "fetch failed". */
function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code, message } = cause as NodeJS.ErrnoException;
  return code ?? message;
}
