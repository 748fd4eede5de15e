import { expect, test } from 'vitest';
import { toReturnPath } from '../../../core/http/oidc.ts';

test.each([
  ['/', '', '/'],
  ['/?a=1#/runs', '', '/?a=1#/runs'],
  ['/flows/#/runs', '/flows', '/flows/#/runs'],
  ['/other/', '/flows', '/flows/'],
  ['/flows/../other/', '/flows', '/flows/'],
  ['//evil.example/', '', '/'],
  ['/\\evil.example/', '', '/'],
  ['/.//evil.example/', '', '/'],
  ['/\t/evil.example', '', '/'],
  ['https://evil.example/', '', '/'],
  ['javascript:alert(1)', '', '/'],
  ['evil.example', '', '/'],
  [`/${'a'.repeat(3000)}`, '', '/'],
  [['/a', '/b'], '', '/'],
  [undefined, '/flows', '/flows/'],
])('%j below %j leads to %s', (wanted, prefix, path) => {
  expect(toReturnPath(wanted, prefix)).toBe(path);
});
