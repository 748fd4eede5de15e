import { isJsonObject } from '../../../spec/expand/exact-json.ts';

/** One progress message of the container engine while it pulls or builds an image. */
export type EngineMessage = Readonly<Record<string, unknown>>;

/** Maximum length of a message line, in UTF-16 code units. */
const maxLine = 1024 * 1024;

/** Parses progress messages as JSON lines. Skips lines that are invalid. */
export async function* readMessages(stream: AsyncIterable<Uint8Array>): AsyncGenerator<EngineMessage> {
  const decoder = new TextDecoder();
  let buffered = '';
  for await (const chunk of stream) {
    buffered += decoder.decode(chunk, { stream: true });
    const lines = buffered.split('\n');
    buffered = lines.pop() ?? '';
    if (buffered.length > maxLine) buffered = '';
    for (const line of lines) yield* parseMessage(line);
  }
  yield* parseMessage(buffered);
}

function* parseMessage(line: string): Generator<EngineMessage> {
  if (line.trim() === '') return;
  try {
    const value: unknown = JSON.parse(line);
    if (isJsonObject(value)) yield value;
  } catch {
    // An incomplete line of a broken connection.
  }
}

/** Returns the error in a message, if any. */
export function findErrorMessage({ error, errorDetail }: EngineMessage): string | undefined {
  if (typeof error === 'string' && error !== '') return error.trim();
  return isJsonObject(errorDetail) && typeof errorDetail['message'] === 'string'
    ? errorDetail['message'].trim()
    : undefined;
}
