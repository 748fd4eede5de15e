/** One server-sent event, or a comment (`event` is `:` then). */
export interface ReceivedEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** Reads a reply of server-sent events one by one. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #buffer = '';

  constructor(response: Response) {
    if (!response.body) throw new Error('the reply has no body');
    this.#reader = response.body.getReader();
  }

  /** The next event; undefined when the reply is over. */
  async next(): Promise<ReceivedEvent | undefined> {
    for (;;) {
      const end = this.#buffer.indexOf('\n\n');
      if (end >= 0) {
        const block = this.#buffer.slice(0, end);
        this.#buffer = this.#buffer.slice(end + 2);
        return parseBlock(block);
      }
      const { value, done } = await this.#reader.read();
      if (done) return undefined;
      this.#buffer += this.#decoder.decode(value, { stream: true });
    }
  }

  /** The next event that is not a comment. */
  async nextEvent(): Promise<ReceivedEvent | undefined> {
    let received = await this.next();
    while (received?.event === ':') received = await this.next();
    return received;
  }

  cancel(): Promise<void> {
    return this.#reader.cancel();
  }
}

function parseBlock(block: string): ReceivedEvent {
  if (block.startsWith(':')) return { event: ':', id: undefined, data: block.slice(1).trim() };
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  return { event: fields.get('event') ?? 'message', id: fields.get('id'), data: fields.get('data') ?? '' };
}
