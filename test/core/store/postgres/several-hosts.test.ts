import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore, prepareServerDatabase } from '../../../../core/store/open-store.ts';
import { readPostgresUrl } from '../../../../core/store/postgres/open-postgres.ts';
import { readConnectionUrl, splitHosts } from '../../../../core/store/sql/connection-settings.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { openDispatch } from '../../../../core/distributed/store/open-dispatch.ts';
import { describeOnPostgres } from '../../../harness/databases.ts';
import { defaultVersions, TestPostgres } from '../../../harness/servers/postgres.ts';
import { findFreePort } from '../../../harness/servers/ports.ts';
import { describeRun } from '../store-harness.ts';

describe('a URL with several hosts', () => {
  const written = 'postgres://joe:a%2Cb@one:5432,[::1]:5433,three/app?sslmode=disable&schema=other';

  it('has a URL for each host', () => {
    expect(splitHosts(written)).toEqual([
      'postgres://joe:a%2Cb@one:5432/app?sslmode=disable&schema=other',
      'postgres://joe:a%2Cb@[::1]:5433/app?sslmode=disable&schema=other',
      'postgres://joe:a%2Cb@three/app?sslmode=disable&schema=other',
    ]);
    expect(splitHosts('postgres://joe:a,b@one/app')).toEqual(['postgres://joe:a,b@one/app']);
  });

  it('is shown without its password, and connects without our parameters', () => {
    expect(readPostgresUrl(written)).toEqual({
      url: 'postgres://joe:a%2Cb@one:5432,[::1]:5433,three/app?sslmode=disable',
      schema: 'other',
      name: 'postgres://joe@one:5432,[::1]:5433,three/app?sslmode=disable&schema=other',
    });
  });

  it('is rejected with a wrong host, or without need of a primary', () => {
    expect(() => readPostgresUrl('postgres://one,two:x/app')).toThrow('invalid');
    expect(() => readPostgresUrl('postgres://one,two/app?target_session_attrs=any')).toThrow(
      'Use read-write',
    );
    expect(() => readConnectionUrl('postgres://one,two/app')).toThrow('names several hosts');
  });
});

describeOnPostgres(
  'several hosts',
  (version) => {
    it('are tried in order, without those that are down or standbys', async () => {
      const primary = await TestPostgres.start(version);
      onTestFinished(() => primary.close());
      const standby = await TestPostgres.startStandby(primary);
      onTestFinished(() => standby.close());
      const hosts = [await findFreePort(), standby.port, primary.port].map((port) => `127.0.0.1:${port}`);
      const url = `postgres://postgres@${hosts.join(',')}/postgres?target_session_attrs=read-write`;
      const store = openStore({ url });
      onTestFinished(() => store.close());
      await store.createRun(describeRun(), 1);
      const dispatch = openDispatch({ url }, systemClock);
      onTestFinished(() => dispatch.close());
      expect(await dispatch.stats()).toMatchObject({ ready: 0 });

      await primary.kill();
      const unavailable = { code: 'unavailable' };
      await expect(store.createRun(describeRun(), 2)).rejects.toThrow(expect.objectContaining(unavailable));
      const open = () => prepareServerDatabase(url);
      await expect(open).rejects.toThrow(`127.0.0.1:${standby.port}: the server is a read-only standby`);
      await expect(open).rejects.toThrow(`127.0.0.1:${primary.port}: connect ECONNREFUSED`);
      await expect(dispatch.stats()).rejects.toMatchObject({ code: 'unavailable' });

      standby.promote();
      const other = openStore({ url });
      onTestFinished(() => other.close());
      expect(await other.listRuns({ limit: 10 })).toHaveLength(1);
      expect(await dispatch.stats()).toMatchObject({ ready: 0 });
    }, 60_000);
  },
  defaultVersions,
);
