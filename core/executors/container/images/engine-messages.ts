import { isJsonObject } from '../../../spec/expand/exact-json.ts';

/** One message of the engine about work that takes a while: pulling or building an image. */
export type EngineMessage = Readonly<Record<string, unknown>>;

/** More of a line than this is no message. */
const maxLine = 1024 * 1024;

/** Reads the JSON lines in which an engine tells of such work. Lines that are none are passed over. */
export async function* readMessages(stream: AsyncIterable<Uint8Array>): AsyncGenerator<EngineMessage> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLine) rest = '';
    for (const line of lines) yield* parseMessage(line);
  }
  yield* parseMessage(rest);
}

function* parseMessage(line: string): Generator<EngineMessage> {
  if (line.trim() === '') return;
  try {
    const value: unknown = JSON.parse(line);
    if (isJsonObject(value)) yield value;
  } catch {
    // Half a line of a connection that broke.
  }
}

/** What went wrong, when a message says so. */
export function findFault({ error, errorDetail }: EngineMessage): string | undefined {
  if (typeof error === 'string' && error !== '') return error.trim();
  return isJsonObject(errorDetail) && typeof errorDetail['message'] === 'string'
    ? errorDetail['message'].trim()
    : undefined;
}
