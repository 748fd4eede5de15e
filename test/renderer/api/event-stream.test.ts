import { expect, test, vi } from 'vitest';
import { followEventStream } from '../../../renderer/api/follow-event-stream.ts';
import { createEventStreamParser } from '../../../renderer/api/parse-event-stream.ts';
import { FakeClock } from '../../rig/fake-clock.ts';

test('events are put together from pieces cut anywhere, line ends of either kind', () => {
  const text =
    ': open\r\n\r\nid: 7\r\nevent: message\r\ndata: {"a":\r\ndata: 1}\r\n\r\n: heartbeat\n\nevent: end\ndata: {}\n\n';
  const whole = createEventStreamParser()(text);
  expect(whole).toEqual([
    { event: 'message', data: '{"a":\n1}', id: '7' },
    { event: 'end', data: '{}' },
  ]);
  for (let cut = 1; cut < text.length; cut += 1) {
    const parse = createEventStreamParser();
    expect([...parse(text.slice(0, cut)), ...parse(text.slice(cut))], `cut at ${cut}`).toEqual(whole);
  }
});

const reply = (body: string, status = 200): Response => new Response(body, { status });

function open(replies: readonly (Response | Error)[]) {
  const clock = new FakeClock();
  const headers: (string | undefined)[] = [];
  const rest = [...replies];
  const log: string[] = [];
  const fetchReply: typeof fetch = async (_url, init) => {
    headers.push(new Headers(init?.headers).get('last-event-id') ?? undefined);
    const next = rest.shift();
    if (next === undefined) return new Promise<Response>(() => undefined);
    if (next instanceof Error) throw next;
    return next;
  };
  const dispose = followEventStream({
    url: '/events',
    clock,
    fetch: fetchReply,
    onItem: (item) => log.push(`item ${JSON.stringify(item)}`),
    onEnd: (error) => log.push(`end ${error?.code ?? ''}`),
    onOpen: () => log.push('open'),
    onLost: () => log.push('lost'),
  });
  return { clock, headers, log, dispose };
}

test('a lost connection is opened again from the last event seen', async () => {
  const { clock, headers, log } = open([
    reply('id: 4\ndata: 1\n\n'),
    reply('id: 5\ndata: 2\n\nevent: end\ndata: {}\n\n'),
  ]);
  await vi.waitFor(() => expect(log).toEqual(['open', 'item 1', 'lost']));
  clock.advance(250);
  await vi.waitFor(() => expect(log).toEqual(['open', 'item 1', 'lost', 'open', 'item 2', 'end ']));
  expect(headers).toEqual([undefined, '4']);
});

test('each failure doubles the wait', async () => {
  const { clock, headers, log } = open([new TypeError('refused'), new TypeError('refused')]);
  await vi.waitFor(() => expect(log).toEqual(['lost']));
  clock.advance(250);
  await vi.waitFor(() => expect(log).toEqual(['lost', 'lost']));
  clock.advance(499);
  expect(headers).toHaveLength(2);
  clock.advance(1);
  expect(headers).toHaveLength(3);
});

test('a refusal is final, being too slow is not', async () => {
  const refused = open([reply('{"code":"not_found","message":"no such run"}', 404)]);
  await vi.waitFor(() => expect(refused.log).toEqual(['end not_found']));
  const slow = open([reply('event: error\ndata: {"code":"too_many_requests","message":"too slow"}\n\n')]);
  await vi.waitFor(() => expect(slow.log).toEqual(['open', 'lost']));
});
