import { describe, expect, it } from 'vitest';
import { findNearest } from '../../../core/base/text.ts';

describe('findNearest', () => {
  const keys = ['name', 'steps', 'command', 'schedule', 'env'];

  it.each([
    ['name', 'name'],
    ['nmae', 'name'],
    ['Steps', 'steps'],
    ['step', 'steps'],
    ['stepps', 'steps'],
    ['comand', 'command'],
    ['commnad', 'command'],
    ['shcedul', 'schedule'],
    ['envs', 'env'],
    ['nothing', undefined],
    ['x', undefined],
    ['', undefined],
  ])('%j is near %j', (word, nearest) => {
    expect(findNearest(word, keys)).toBe(nearest);
  });

  it('returns the nearest of several, the first on ties', () => {
    expect(findNearest('load', ['lead', 'loads', 'load_all'])).toBe('lead');
    expect(findNearest('loadall', ['lead', 'load_all'])).toBe('load_all');
  });

  it('returns no hint for an unlikely typo', () => {
    expect(findNearest('a'.repeat(101), ['a'.repeat(100)])).toBeUndefined();
    expect(findNearest('a'.repeat(99), ['a'.repeat(100)])).toBe('a'.repeat(100));
  });

  it('limits the number of candidates', () => {
    const word = 'w'.repeat(60);
    let read = 0;
    const candidates = new Proxy(
      Array.from({ length: 10_000 }, (_, index) => `${'c'.repeat(55)}${String(index).padStart(5, '0')}`),
      {
        get(target, key) {
          read += typeof key === 'string' && /^\d+$/.test(key) ? 1 : 0;
          return Reflect.get(target, key) as unknown;
        },
      },
    );
    expect(findNearest(word, candidates)).toBeUndefined();
    expect(read).toBeLessThan(200);
  });
});
