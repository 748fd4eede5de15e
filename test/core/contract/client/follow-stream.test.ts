import { expect, test } from 'vitest';
import {
  followStream,
  idleTimeoutMs,
  createEventStreamParser,
} from '../../../../core/contract/client/follow-stream.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { waitUntilPasses } from '../../../harness/resources.ts';

test('assembles events from arbitrary chunks, with any line ending', () => {
  const text =
    ': open\r\n\r\nid: 7\r\nevent: message\r\ndata: {"a":\r\ndata: 1}\r\n\r\n: heartbeat\nid: 9\n\ndata: x\r\revent: end\ndata: {}\n\n';
  const whole = createEventStreamParser()(text);
  expect(whole).toEqual([
    { event: 'message', data: '{"a":\n1}', id: '7' },
    { event: 'message', id: '9' },
    { event: 'message', data: 'x' },
    { event: 'end', data: '{}' },
  ]);
  for (let cut = 1; cut < text.length; cut += 1) {
    const parse = createEventStreamParser();
    expect([...parse(text.slice(0, cut)), ...parse(text.slice(cut))], `cut at ${cut}`).toEqual(whole);
  }
});

const reply = (body: string, status = 200): Response => new Response(body, { status });
/** The rest of the stream does not arrive before the end of the test. */
const openReply = (body: string): Response =>
  new Response(
    new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(body)) }),
  );

function open(replies: readonly (Response | Error)[]) {
  const clock = new FakeClock();
  const headers: (string | undefined)[] = [];
  const signals: AbortSignal[] = [];
  const rest = [...replies];
  const log: string[] = [];
  const fetchReply: typeof fetch = async (_url, init) => {
    headers.push(new Headers(init?.headers).get('last-event-id') ?? undefined);
    signals.push(init!.signal!);
    const next = rest.shift();
    if (next instanceof Error) throw next;
    // Like fetch: an aborted connection fails its readers.
    if (next !== undefined) {
      const body = next.body?.pipeThrough(new TransformStream(), { signal: init!.signal! });
      return new Response(body, { status: next.status });
    }
    return new Promise<Response>((_resolve, reject) =>
      init!.signal!.addEventListener('abort', () => reject(new Error('aborted'))),
    );
  };
  const dispose = followStream(
    { url: 'http://here/events', clock, fetch: fetchReply, headers: {} },
    {
      item: (item) => log.push(`item ${JSON.stringify(item)}`),
      end: (error) => log.push(`end ${error?.code ?? ''}`),
      open: () => log.push('open'),
      lost: ({ message }) => log.push(`lost: ${message}`),
    },
  );
  return { clock, headers, signals, log, dispose };
}

const ended =
  'lost: Cannot reach the engine at http://here: it has ended the stream. Check that it is running.';
const refused = 'lost: Cannot reach the engine at http://here: connection refused. Check that it is running.';

test('reconnects from the last event after a lost connection', async () => {
  const { clock, headers, log } = open([
    reply('id: 4\ndata: 1\n\n'),
    reply('id: 5\ndata: 2\n\nevent: end\ndata: {}\n\n'),
  ]);
  await waitUntilPasses(() => expect(log).toEqual(['open', 'item 1', ended]));
  clock.advance(250);
  await waitUntilPasses(() => expect(log).toEqual(['open', 'item 1', ended, 'open', 'item 2', 'end ']));
  expect(headers).toEqual([undefined, '4']);
  expect(clock.pending).toBe(0);
});

test('also resumes from a cursor without an event', async () => {
  const { clock, headers, log } = open([reply(': open\nid: 17\n\n')]);
  await waitUntilPasses(() => expect(log).toEqual(['open', ended]));
  clock.advance(250);
  expect(headers).toEqual([undefined, '17']);
});

test('doubles the delay after each failure, up to five seconds', async () => {
  const failure = new TypeError('fetch failed', { cause: new Error('connection refused') });
  const { clock, headers, log, dispose } = open(Array.from({ length: 8 }, () => failure));
  const waits = [250, 500, 1000, 2000, 4000, 5000, 5000];
  for (const [index, wait] of waits.entries()) {
    await waitUntilPasses(() => expect(log).toEqual(Array.from({ length: index + 1 }, () => refused)));
    clock.advance(wait - 1);
    expect(headers).toHaveLength(index + 1);
    clock.advance(1);
    expect(headers).toHaveLength(index + 2);
  }
  dispose();
  expect(clock.pending).toBe(0);
});

test('reconnects when a connection is silent', async () => {
  const { clock, headers, signals, log, dispose } = open([openReply('id: 3\ndata: 1\n\n')]);
  await waitUntilPasses(() => expect(log).toEqual(['open', 'item 1']));
  clock.advance(idleTimeoutMs - 1);
  expect(signals[0]!.aborted).toBe(false);
  clock.advance(1);
  expect(signals[0]!.aborted).toBe(true);
  await waitUntilPasses(() => expect(log).toHaveLength(3));
  clock.advance(250);
  expect(headers).toEqual([undefined, '3']);
  // A server that accepts the connection and then sends nothing at all.
  clock.advance(idleTimeoutMs);
  await waitUntilPasses(() => expect(log).toHaveLength(4));
  dispose();
  expect(clock.pending).toBe(0);
});

test('applies backpressure from the observer, which does not count as silence', async () => {
  const clock = new FakeClock();
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      sent += 1;
      controller.enqueue(new TextEncoder().encode(`id: ${sent}\ndata: ${sent}\n\n`));
    },
  });
  let taken = Promise.withResolvers<void>();
  const items: unknown[] = [];
  const dispose = followStream(
    { url: 'http://here/log', clock, fetch: async () => new Response(body), headers: {} },
    { item: (item) => items.push(item), end: () => {}, drained: () => taken.promise },
  );
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  await waitUntilPasses(() => expect(items).toEqual([1]));
  for (let turns = 0; turns < 20; turns += 1) await turn();
  clock.advance(2 * idleTimeoutMs);
  expect(items).toEqual([1]);
  expect(sent).toBeLessThan(5);
  const [first] = [taken, (taken = Promise.withResolvers())];
  first.resolve();
  await waitUntilPasses(() => expect(items).toEqual([1, 2]));
  dispose();
  expect(clock.pending).toBe(0);
});

test('an error is final, being too slow is not', async () => {
  const missing = open([reply('{"code":"not_found","message":"no such run"}', 404)]);
  await waitUntilPasses(() => expect(missing.log).toEqual(['end not_found']));
  const slow = open([reply('event: error\ndata: {"code":"too_many_requests","message":"too slow"}\n\n')]);
  await waitUntilPasses(() => expect(slow.log).toEqual(['open', 'lost: too slow']));
  const proxy = open([reply('<html>', 502)]);
  await waitUntilPasses(() =>
    expect(proxy.log).toEqual(['lost: The server responded with status 502, without an error message.']),
  );
});

test('notifies of nothing after the stream was closed', async () => {
  const { clock, log, dispose } = open([reply('data: 1\n\ndata: 2\n\n'), reply('data: 3\n\n')]);
  dispose();
  await new Promise((resolve) => setImmediate(resolve));
  expect(log).toEqual([]);
  expect(clock.pending).toBe(0);
});
