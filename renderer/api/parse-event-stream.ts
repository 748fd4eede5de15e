/** One block of a `text/event-stream` body. */
export interface ServerSentEvent {
  /** `message` when the block names none. */
  readonly event: string;
  readonly data: string;
  readonly id?: string;
}

/**
 * Cuts a `text/event-stream` body, which arrives in arbitrary pieces, into events (WHATWG HTML, "Server-sent
 * events"). Comments and blocks without data, which servers send to keep a connection open, yield nothing.
 */
export function createEventStreamParser(): (chunk: string) => ServerSentEvent[] {
  let rest = '';
  return (chunk) => {
    const blocks = (rest + chunk).replaceAll('\r\n', '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.map(readBlock).filter((event) => event !== undefined);
  };
}

function readBlock(block: string): ServerSentEvent | undefined {
  let event = 'message';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^([a-z]+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id') id = value;
  }
  if (data.length === 0) return undefined;
  return { event, data: data.join('\n'), ...(id !== undefined && { id }) };
}
