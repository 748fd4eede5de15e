import { describe, expect, it } from 'vitest';
import { matchServicePaths } from '../../../core/http/authentication.ts';

describe('service paths', () => {
  it.each([
    ['/metrics', ['/metrics'], ['/metrics/', '/metric', '/metrics2', '/a/metrics']],
    [
      '/api/*/health',
      ['/api/v2/health', '/api//health'],
      ['/api/v2/x/health', '/api/health', '/api/v2/health/x'],
    ],
    ['/*.js', ['/a.js', '/.js', '/a.js.js'], ['/a/b.js', '/a.jsx']],
    ['/a*b*c', ['/abc', '/aXbYc', '/abcbc'], ['/ac', '/acb', '/a/bc']],
    ['/ab*ba', ['/abba', '/ab-ba'], ['/aba']],
    ['/a.b', ['/a.b'], ['/axb']],
  ])('%s', (pattern, matching, others) => {
    const matches = matchServicePaths([pattern]);
    expect(matching.filter((path) => !matches(path))).toEqual([]);
    expect(others.filter((path) => matches(path))).toEqual([]);
  });

  it('match in linear time, whatever the pattern', () => {
    // A regular expression would exceed the timeout of the test.
    const matches = matchServicePaths([`/${'a*'.repeat(50)}b`]);
    expect(matches(`/${'a'.repeat(100_000)}c`)).toBe(false);
    expect(matches(`/${'a'.repeat(100_000)}b`)).toBe(true);
  });
});
