import { describe, expect, it } from 'vitest';
import { parsePreferences } from '../../../../core/gateway/query/headers.ts';
import type { Preferences } from '../../../../core/gateway/query/query.ts';
import { thrownBy } from '../thrown-by.ts';

const parse = (header?: string): Preferences =>
  parsePreferences(header, { allowsTxOverride: true, isTimezone: (name) => name === 'Europe/Berlin' });

describe('Prefer', () => {
  it.each<[string | undefined, Preferences]>([
    [undefined, {}],
    ['', {}],
    ['return=representation', { return: 'representation' }],
    [
      'return=minimal, count=exact,resolution=merge-duplicates',
      { return: 'minimal', count: 'exact', resolution: 'merge-duplicates' },
    ],
    ['RETURN = headers-only', { return: 'headers-only' }],
    ['count=planned, count=exact', { count: 'planned' }],
    [
      'missing=default, tx=rollback, unfiltered=allow',
      { missing: 'default', tx: 'rollback', unfiltered: 'allow' },
    ],
    ['timezone=Europe/Berlin', { timezone: 'Europe/Berlin' }],
    ['timezone=Moon/Base, return=all, foo, respond-async', {}],
    ['max-affected=10', { maxAffected: 10 }],
    ['max-affected=-1', {}],
    ['handling=lenient, foo=bar', { handling: 'lenient' }],
    ['__proto__=x, constructor=y', {}],
  ])('%s', (header, preferences) => {
    expect(parse(header)).toEqual(preferences);
  });

  it('omits tx where it is not allowed', () => {
    const options = { allowsTxOverride: false, isTimezone: () => true };
    expect(parsePreferences('tx=rollback', options)).toEqual({});
    expect(parsePreferences('handling=strict, tx=rollback', options)).toEqual({ handling: 'strict' });
  });

  it('is rejected when strict with unknown preferences', () => {
    expect(
      thrownBy(() => parse('anything, handling=strict, return=all, timezone=Moon/Base, count=exact')),
    ).toMatchObject({
      status: 400,
      code: 'PGRST122',
      message: 'Invalid preferences given with handling=strict',
      details: 'Invalid preferences: anything, return=all, timezone=Moon/Base',
    });
  });
});
