/** A non-empty block of a `text/event-stream` body. */
export interface ServerSentEvent {
  /** `message` if the block has no name. */
  readonly event: string;
  /** Absent in a block that only sets the event id. */
  readonly data?: string;
  readonly id?: string;
}

/**
 * Returns a parser that splits a `text/event-stream` body, received in arbitrary chunks, into events (WHATWG HTML,
 * "Server-sent events"). Comments, which servers send as keepalive, are skipped.
 */
export function createEventStreamParser(): (chunk: string) => ServerSentEvent[] {
  let buffered = '';
  return (chunk) => {
    // Chunks without a line end are only buffered, so that a long line is not scanned once per chunk.
    if (!/[\r\n]/.test(chunk)) {
      buffered += chunk;
      return [];
    }
    const text = buffered + chunk;
    // A final CR may be the first half of a line end.
    const whole = text.endsWith('\r') ? text.length - 1 : text.length;
    const blocks = text.slice(0, whole).replaceAll(/\r\n?/g, '\n').split('\n\n');
    buffered = (blocks.pop() ?? '') + text.slice(whole);
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
