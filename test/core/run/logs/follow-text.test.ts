import { rename, rm, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { ErrorBody } from '../../../../core/base/errors.ts';
import type { LogText } from '../../../../core/contract/logs.ts';
import { pollIntervalMs } from '../../../../core/run/logs/follow-text.ts';
import { maximumLineBytes, chunkBytes, type TextStart } from '../../../../core/run/logs/read-lines.ts';
import { LogReader } from '../../../../core/run/logs/log-reader.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { createTempLog } from '../run-harness.ts';
import { waitUntilPasses } from '../../../harness/resources.ts';

class Observer {
  readonly items: LogText[] = [];
  readonly places: number[] = [];
  readonly ends: (ErrorBody | undefined)[] = [];
  /** Set: nothing more is accepted until it is resolved. */
  full: Promise<void> | undefined;
  item(text: LogText): void {
    this.items.push(text);
  }
  position(id: number): void {
    this.places.push(id);
  }
  end(error?: ErrorBody): void {
    this.ends.push(error);
  }
  drained(): Promise<void> | undefined {
    return this.full;
  }
  get lines(): string[] {
    return this.items.flatMap(({ lines }) => lines);
  }
}

function follow(file: string, start: TextStart = {}, complete = false) {
  const clock = new FakeClock();
  const observer = new Observer();
  const state = { complete };
  const reader = new LogReader({ clock });
  const dispose = reader.followText({ file, start, isComplete: () => state.complete }, observer);
  /** Lets the follower poll until the expected items have arrived. */
  const pollUntil = (check: () => void): Promise<void> =>
    waitUntilPasses(() => {
      clock.advance(pollIntervalMs);
      check();
    });
  return { clock, observer, state, reader, dispose, pollUntil };
}

/** What a follower receives that starts when everything is written. */
async function followToEnd(file: string, start: TextStart = {}): Promise<Observer> {
  const { clock, observer } = follow(file, start, true);
  await waitUntilPasses(() => expect(observer.ends).toHaveLength(1));
  expect(clock.pending).toBe(0);
  return observer;
}

test('emits whole lines as they are written; an unfinished one when it or the log is finished', async () => {
  await using log = await createTempLog();
  const { clock, observer, state, pollUntil } = follow(log.file);
  await waitUntilPasses(() => expect(observer.places).toEqual([0]));
  await log.append('one\ntw');
  await pollUntil(() => expect(observer.items).toEqual([{ id: 4, offset: 0, lines: ['one'] }]));
  await log.append('o\r\n\nthr');
  await pollUntil(() => expect(observer.items.at(-1)).toEqual({ id: 10, offset: 4, lines: ['two', ''] }));
  state.complete = true;
  await pollUntil(() => expect(observer.ends).toEqual([undefined]));
  expect(observer.items.at(-1)).toEqual({ id: 13, offset: 10, lines: ['thr'] });
  expect(observer.items).toHaveLength(3);
  expect(clock.pending).toBe(0);
});

test('assembles a character whose bytes arrive one by one, and replaces invalid bytes', async () => {
  await using log = await createTempLog();
  const { observer, pollUntil } = follow(log.file);
  const bytes = Buffer.concat([Buffer.from('a€😀\n'), Buffer.from([0xff, 0x41, 0xc3, 0x0a])]);
  for (const byte of bytes) {
    await log.append(Buffer.from([byte]));
    await pollUntil(() => {});
  }
  await pollUntil(() => expect(observer.lines).toEqual(['a€😀', '\uFFFDA\uFFFD']));
});

test('resumes after every id without gaps or duplicates', async () => {
  const text = Array.from({ length: 300 }, (_, index) => `${index} ${'ä'.repeat(index * 7)}\n`).join('');
  await using log = await createTempLog(`${text}the end`);
  const whole = await followToEnd(log.file);
  expect(whole.items.length).toBeGreaterThan(8);
  expect(whole.lines.join('\n')).toBe(`${text}the end`);
  for (const [index, { id, offset, lines }] of whole.items.entries()) {
    expect(id - offset).toBeLessThanOrEqual(chunkBytes);
    expect(offset).toBe(whole.items[index - 1]?.id ?? 0);
    expect(lines.length).toBeGreaterThan(0);
    const rest = await followToEnd(log.file, { after: id });
    expect(rest.places).toEqual([id]);
    expect(rest.lines).toEqual(whole.items.slice(index + 1).flatMap((item) => item.lines));
  }
});

test('a position within a line skips the rest of that line', async () => {
  await using log = await createTempLog('one\ntwo\nthree');
  expect((await followToEnd(log.file, { after: 5 })).lines).toEqual(['three']);
  expect((await followToEnd(log.file, { after: 4 })).lines).toEqual(['two', 'three']);
  expect((await followToEnd(log.file, { after: 10 })).lines).toEqual([]);
});

test('truncates a long line, and can resume after it like any other', async () => {
  const long = 'x'.repeat(5 * chunkBytes);
  await using log = await createTempLog(`short\n${long}\nnext\n${'y'.repeat(maximumLineBytes)}\r\nlast\n`);
  const whole = await followToEnd(log.file);
  expect(whole.lines).toEqual([
    'short',
    `${'x'.repeat(maximumLineBytes)}…`,
    'next',
    'y'.repeat(maximumLineBytes),
    'last',
  ]);
  const cut = whole.items.find(({ lines }) => lines[0]!.endsWith('…'))!;
  expect(cut).toMatchObject({ offset: 6, id: 6 + chunkBytes });
  expect((await followToEnd(log.file, { after: cut.id })).lines).toEqual(whole.lines.slice(2));
});

test('emits an endless line once, truncated, and does not buffer the rest', async () => {
  await using log = await createTempLog('z'.repeat(chunkBytes - 1));
  const { observer, pollUntil } = follow(log.file);
  await pollUntil(() => expect(observer.places).toEqual([0]));
  for (let times = 0; times < 20; times += 1) {
    await log.append('z'.repeat(chunkBytes));
    await pollUntil(() => expect(observer.lines).toEqual([`${'z'.repeat(maximumLineBytes)}…`]));
  }
  await log.append('\nnext\n');
  await pollUntil(() => expect(observer.lines.slice(1)).toEqual(['next']));
});

test.each([
  [3, ['l8', 'l9', 'unfinished']],
  [1, ['unfinished']],
  [0, []],
  [10_000, [...Array.from({ length: 10 }, (_, index) => `l${index}`), 'unfinished']],
])('starts with the last %i lines', async (tail, lines) => {
  const text = Array.from({ length: 10 }, (_, index) => `l${index}\n`).join('');
  await using log = await createTempLog(`${text}unfinished`);
  const told = await followToEnd(log.file, { tail });
  expect(told.lines).toEqual(lines);
  expect(told.places).toHaveLength(1);
  expect((await followToEnd(log.file, { tail, after: 27 })).lines).toEqual(['l9', 'unfinished']);
});

test('a tail of a future log starts with its first line, and one of zero lines with the next line', async () => {
  await using log = await createTempLog();
  const { observer, pollUntil } = follow(log.file, { tail: 5 });
  await pollUntil(() => expect(observer.places).toEqual([0]));
  await log.append('one\ntw');
  await pollUntil(() => expect(observer.lines).toEqual(['one']));
  const late = follow(log.file, { tail: 0 });
  await late.pollUntil(() => expect(late.observer.places).toEqual([6]));
  await log.append('o\nthree\n');
  await late.pollUntil(() => expect(late.observer.lines).toEqual(['three']));
});

test('does not read for a reader that does not consume', async () => {
  await using log = await createTempLog('eleven byte\n'.repeat(200_000));
  const { observer, pollUntil, state } = follow(log.file);
  const { promise, resolve } = Promise.withResolvers<void>();
  observer.full = promise;
  await pollUntil(() => expect(observer.items).toHaveLength(1));
  for (let polls = 0; polls < 50; polls += 1) await pollUntil(() => {});
  expect(observer.items).toHaveLength(1);
  expect(observer.items[0]!.id).toBeLessThanOrEqual(chunkBytes);
  observer.full = undefined;
  state.complete = true;
  resolve();
  await pollUntil(() => expect(observer.ends).toEqual([undefined]));
  expect(observer.lines).toHaveLength(200_000);
});

test.each([
  ['emptied', 'conflict'],
  ['replaced', 'conflict'],
  ['removed', 'not_found'],
])('a log that is %s while it is followed ends with %s', async (what, code) => {
  await using log = await createTempLog('one\ntwo\n');
  const { clock, observer, pollUntil } = follow(log.file);
  await pollUntil(() => expect(observer.lines).toEqual(['one', 'two']));
  if (what === 'emptied') await log.write('new\n');
  if (what === 'removed') await rm(log.file);
  if (what === 'replaced') {
    await writeFile(`${log.file}.new`, 'another text, longer than the one\n');
    await rename(`${log.file}.new`, log.file);
  }
  await pollUntil(() => expect(observer.ends).toMatchObject([{ code }]));
  expect(observer.lines).toEqual(['one', 'two']);
  expect(clock.pending).toBe(0);
});

test('rejects a position beyond the end, and one of a deleted log', async () => {
  await using log = await createTempLog('one\n');
  expect((await followToEnd(log.file, { after: 5 })).ends).toMatchObject([
    { code: 'conflict', details: { size: 4 } },
  ]);
  expect((await followToEnd(log.file, { after: 4 })).ends).toEqual([undefined]);
  await rm(log.file);
  expect((await followToEnd(log.file, { after: 4 })).ends).toMatchObject([{ code: 'not_found' }]);
  const told = await followToEnd(log.file);
  expect([told.items, told.ends]).toEqual([[], [undefined]]);
});

test('an unsubscribed listener receives nothing more and leaves no timer; closing ends the others', async () => {
  await using log = await createTempLog('a\n');
  const { clock, observer, dispose, reader } = follow(log.file);
  const other = new Observer();
  reader.followText({ file: log.file, start: {}, isComplete: () => false }, other);
  dispose();
  dispose();
  await waitUntilPasses(() => expect(other.lines).toEqual(['a']));
  reader.close();
  await log.append('b\n');
  clock.advance(10 * pollIntervalMs);
  await new Promise(setImmediate);
  expect([observer.items, observer.ends]).toEqual([[], []]);
  expect(other.ends).toMatchObject([{ code: 'unavailable' }]);
  expect(other.lines).toEqual(['a']);
  expect(clock.pending).toBe(0);
});
