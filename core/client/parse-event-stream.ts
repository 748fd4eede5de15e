/** One block of a `text/event-stream` body that says something. */
export interface ServerSentEvent {
  /** `message` when the block names none. */
  readonly event: string;
  /** Absent in a block that only moves the place to resume from. */
  readonly data?: string;
  readonly id?: string;
}

/**
 * Cuts a `text/event-stream` body, which arrives in arbitrary pieces, into events (WHATWG HTML, "Server-sent
 * events"). Comments, which servers send to keep a connection open, yield nothing.
 */
export function createEventStreamParser(): (chunk: string) => ServerSentEvent[] {
  let rest = '';
  return (chunk) => {
    // Pieces without a line end are only kept, so that a long line is not looked through once for each piece.
    if (!/[\r\n]/.test(chunk)) {
      rest += chunk;
      return [];
    }
    const text = rest + chunk;
    // A CR at the very end may be half of a line end.
    const whole = text.endsWith('\r') ? text.length - 1 : text.length;
    const blocks = text.slice(0, whole).replaceAll(/\r\n?/g, '\n').split('\n\n');
    rest = (blocks.pop() ?? '') + text.slice(whole);
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
  if (data.length === 0 && id === undefined) return undefined;
  return { event, ...(data.length > 0 && { data: data.join('\n') }), ...(id !== undefined && { id }) };
}
