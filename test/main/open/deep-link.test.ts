import { describe, expect, it } from 'vitest';
import { readDeepLink } from '../../../main/open/deep-link.ts';

describe('a link into the app', () => {
  it.each([
    ['stepwright://run/etl/0198-a_b', '#/runs/etl/0198-a_b'],
    ['stepwright://run/etl/latest/', '#/runs/etl/latest'],
    ['stepwright://run/etl/1/load%20all#L120', '#/runs/etl/1?step=load+all&line=120'],
    ['stepwright://run/etl/1/a%2Fb', '#/runs/etl/1?step=a%2Fb'],
    ['stepwright://run/etl/1/handler:onExit#L3', '#/runs/etl/1?handler=onExit&line=3'],
    ['STEPWRIGHT://run/etl/1', '#/runs/etl/1'],
    ['stepwright://dag/etl', '#/dags/etl'],
    ['stepwright://dag/etl.dag.yaml', '#/dags/etl.dag'],
    ['stepwright://dag/etl.yml#L12', '#/dags/etl/edit?line=12'],
  ])('%s is shown at %s', (link, address) => {
    expect(readDeepLink(link)).toEqual({ kind: 'address', address });
  });

  it.each([
    ['stepwright://run/etl', 'no run'],
    ['stepwright://run/../1', 'no run'],
    ['stepwright://run/%2e%2e/1', 'no run'],
    ['stepwright://run/etl/../../dag', 'no run'],
    ['stepwright://run/etl/1/a/b', 'no run'],
    ['stepwright://run/etl/1/%00', 'no step'],
    ['stepwright://dag/..', 'no workflow'],
    ['stepwright://dag/%2e%2e%2fetc', 'no workflow'],
    ['stepwright://dag/a/b', 'no workflow'],
    ['stepwright://dag/a\\b', 'no workflow'],
    ['stepwright://start/etl', 'a "start"'],
    ['stepwright://run/etl/1#120', 'malformed'],
    ['stepwright://run/etl/1#L0', 'malformed'],
    ['stepwright://run/etl/%E0%A4%A', 'malformed'],
    ['stepwright:run/etl/1', 'not of a kind'],
    ['stepwright://run/etl/1?start=yes', 'not of a kind'],
    ['javascript:alert(1)', 'not of a kind'],
    [`stepwright://dag/${'a'.repeat(3000)}`, 'too long'],
  ])('%s is refused', (link, reason) => {
    expect(readDeepLink(link)).toEqual({ kind: 'refused', reason: expect.stringContaining(reason) });
  });
});
