import { describe, expect, it } from 'vitest';
import { readDeepLink } from '../../main/launch-args.ts';

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
  ])('opens %s at %s', (link, address) => {
    expect(readDeepLink(link)).toEqual({ kind: 'address', address });
  });

  it.each([
    ['stepwright://run/etl', 'no valid run'],
    ['stepwright://run/../1', 'no valid run'],
    ['stepwright://run/%2e%2e/1', 'no valid run'],
    ['stepwright://run/etl/../../dag', 'no valid run'],
    ['stepwright://run/etl/1/a/b', 'no valid run'],
    ['stepwright://run/etl/1/%00', 'no valid step'],
    ['stepwright://dag/..', 'no valid workflow'],
    ['stepwright://dag/%2e%2e%2fetc', 'no valid workflow'],
    ['stepwright://dag/a/b', 'no valid workflow'],
    ['stepwright://dag/a\\b', 'no valid workflow'],
    ['stepwright://start/etl', 'unknown link target "start"'],
    ['stepwright://run/etl/1#120', 'malformed'],
    ['stepwright://run/etl/1#L0', 'malformed'],
    ['stepwright://run/etl/%E0%A4%A', 'malformed'],
    ['stepwright:run/etl/1', 'unknown link type'],
    ['stepwright://run/etl/1?start=yes', 'unknown link type'],
    ['javascript:alert(1)', 'unknown link type'],
    [`stepwright://dag/${'a'.repeat(3000)}`, 'too long'],
  ])('rejects %s', (link, reason) => {
    expect(readDeepLink(link)).toEqual({ kind: 'refused', reason: expect.stringContaining(reason) });
  });
});
