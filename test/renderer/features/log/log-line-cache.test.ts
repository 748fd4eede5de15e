import { expect, test } from 'vitest';
import type { LogExtent } from '../../../../core/contract/logs.ts';
import { LogLineCache, pageLines } from '../../../../renderer/features/log/log-line-cache.ts';
import { FakeBridge } from '../../renderer-harness.tsx';
import { waitUntilPasses } from '../../../harness/resources.ts';

const address = { name: 'etl', dagRunId: 'run-1', step: 'fetch' };

/** A log of numbered lines on the server; `last` replaces the text of its last line. */
class Log {
  total = 0;
  last: string | undefined;
  /** Maximum lines of a response. */
  maxLines = Infinity;
  readonly bridge = new FakeBridge({
    'logs.lines': ({ from = 0, count = 1000 }) => {
      const start = from < 0 ? Math.max(0, this.total + from) : from;
      const lines = Array.from(
        { length: Math.max(0, Math.min(count, this.maxLines, this.total - start)) },
        (_, offset) => this.text(start + offset),
      );
      return { ...this.extent(), from: start, lines };
    },
  });

  text(index: number): string {
    return index === this.total - 1 && this.last !== undefined ? this.last : `line ${index}`;
  }

  extent(): LogExtent {
    return { size: this.total * 10 + (this.last?.length ?? 0), totalLines: this.total, complete: false };
  }

  grow(total: number, last?: string): void {
    this.total = total;
    this.last = last;
    this.bridge.push('logs.follow', this.extent());
  }
}

function openBook() {
  const log = new Log();
  const book = new LogLineCache(log.bridge, address);
  book.open();
  return { log, book };
}

test('fetches only the visible pages, each once', async () => {
  const { log, book } = openBook();
  log.grow(100_000);
  book.want([{ from: 50_000, to: 50_040 }]);
  book.want([{ from: 50_000, to: 50_040 }]);
  await waitUntilPasses(() => expect(book.line(50_039)).toBe('line 50039'));
  expect(book.line(0)).toBeUndefined();
  expect(log.bridge.callsOf('logs.lines')).toEqual([{ ...address, from: 50_000, count: pageLines }]);
});

test('an incomplete last line is fetched again when it has grown', async () => {
  const { log, book } = openBook();
  log.grow(3, 'work');
  book.want([{ from: 0, to: 3 }]);
  await waitUntilPasses(() => expect(book.line(2)).toBe('work'));
  log.grow(3, 'working');
  await waitUntilPasses(() => expect(book.line(2)).toBe('working'));
});

test('fetches new lines automatically while following the end', async () => {
  const { log, book } = openBook();
  log.grow(10);
  book.want([{ from: 0, to: 40 }]);
  await waitUntilPasses(() => expect(book.line(9)).toBe('line 9'));
  log.grow(12);
  await waitUntilPasses(() => expect(book.line(11)).toBe('line 11'));
});

test('fetches long lines, of which a response has few', async () => {
  const { log, book } = openBook();
  log.maxLines = 7;
  log.grow(40);
  book.want([{ from: 0, to: 40 }]);
  await waitUntilPasses(() => expect(book.line(39)).toBe('line 39'));
  expect(log.bridge.callsOf('logs.lines')).toHaveLength(6);
});

test('a growing line is shown unchanged until it is fetched again', async () => {
  const { log, book } = openBook();
  log.grow(3, 'work');
  book.want([{ from: 0, to: 3 }]);
  await waitUntilPasses(() => expect(book.line(2)).toBe('work'));
  log.grow(4, 'next');
  expect(book.line(2)).toBe('work');
  await waitUntilPasses(() => expect([book.line(2), book.line(3)]).toEqual(['line 2', 'next']));
});

test('an error is part of the state and is not retried forever', async () => {
  const bridge = new FakeBridge({
    'logs.lines': () => {
      throw new Error('the disk is gone');
    },
  });
  const book = new LogLineCache(bridge, address);
  book.open();
  bridge.push('logs.follow', { size: 30, totalLines: 3, complete: true });
  book.want([{ from: 0, to: 3 }]);
  await waitUntilPasses(() => expect(book.read().error?.message).toBe('the disk is gone'));
  expect(bridge.callsOf('logs.lines')).toHaveLength(1);
});

test('copying fetches the latest lines', async () => {
  const { log, book } = openBook();
  log.grow(5);
  await expect(book.readTail(2)).resolves.toEqual(['line 3', 'line 4']);
});

test('the end of a log that is still indexed is shown before its line numbers are known', async () => {
  let counted: (() => void) | undefined;
  const total = 9_000_000;
  const bridge = new FakeBridge({
    'logs.lines': async ({ from = 0 }) => {
      const extent = { size: 1_000_000_000, totalLines: total, complete: true };
      if (from < 0)
        return { ...extent, estimated: true as const, from: total - 2, lines: ['last but one', 'last'] };
      await new Promise<void>((resolve) => (counted = resolve));
      return { ...extent, from, lines: ['counted'] };
    },
  });
  const book = new LogLineCache(bridge, address);
  book.open();
  bridge.push('logs.follow', { size: 1_000_000_000, totalLines: total, estimated: true, complete: true });
  book.want([{ from: total - 40, to: total }]);
  await waitUntilPasses(() => expect(book.line(total - 1)).toBe('last'));
  expect(book.line(total - 2)).toBe('last but one');
  bridge.push('logs.follow', { size: 1_000_000_000, totalLines: total - 7, complete: true });
  expect(book.line(total - 8)).toBeUndefined();
  expect(counted).toBeDefined();
});
