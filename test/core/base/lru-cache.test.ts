import { expect, test } from 'vitest';
import { LruCache } from '../../../core/base/lru-cache.ts';

test('removes the least recently used entry', () => {
  const cache = new LruCache<string, number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  expect(cache.get('a')).toBe(1);
  cache.set('c', 3);
  expect([cache.peek('a'), cache.peek('b'), cache.peek('c')]).toEqual([1, undefined, 3]);
  expect(cache.size).toBe(2);
});

test('does not count a peek as a use, but setting a value again', () => {
  const cache = new LruCache<string, number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.peek('a');
  cache.set('b', 3);
  cache.set('c', 4);
  expect([cache.peek('a'), cache.peek('b'), cache.peek('c')]).toEqual([undefined, 3, 4]);
});

test('limits the total size, and keeps the newest entry whatever its size', () => {
  const cache = new LruCache<string, string>(5, (value) => value.length);
  cache.set('a', 'xx');
  cache.set('b', 'xxx');
  expect(cache.size).toBe(2);
  cache.set('a', 'xxx');
  expect([cache.peek('a'), cache.peek('b')]).toEqual(['xxx', undefined]);
  cache.set('c', 'xxxxxxxx');
  expect([cache.size, cache.peek('c')]).toEqual([1, 'xxxxxxxx']);
  cache.delete('c');
  cache.delete('missing');
  cache.set('d', 'xxxxx');
  expect(cache.size).toBe(1);
});
