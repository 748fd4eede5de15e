import { describe, expect, it } from 'vitest';
import { TestEngine } from '../../harness/engine.ts';
import { createOnce, onTestCleanup, waitUntilPasses } from '../../harness/resources.ts';
import { serve } from '../../harness/server.ts';

/** The gateway of an engine without configuration, behind a server. */
const shared = createOnce(async () => {
  const engine = new TestEngine();
  const { gateway } = engine.host;
  const served = await serve({ gateway });
  onTestCleanup(() => served[Symbol.asyncDispose]());
  const read = async (path: string) => {
    const reply = await served.fetch(`/gateway${path}`);
    return [reply.status, await reply.json()] as const;
  };
  const first = await read('/marks');
  const run = async (sql: string) => (await gateway.open()).database.runScript(sql);
  return { first, read, run };
});

describe('embedded database of a home', () => {
  it('is opened by the first request', () => {
    expect(shared().first).toMatchObject([404, { code: 'PGRST205' }]);
  });

  it('reports every change of its schema, including domains and casts', async () => {
    const { read, run } = shared();
    await run(`
      CREATE DOMAIN mark AS int;
      CREATE TABLE marks (id mark PRIMARY KEY);
      INSERT INTO marks VALUES (7);
    `);
    const untilReply = (reply: unknown) =>
      waitUntilPasses(async () => expect(await read('/marks')).toEqual(reply), 50);
    await untilReply([200, [{ id: 7 }]]);
    await run(`
      CREATE FUNCTION mark_to_json(mark) RETURNS json LANGUAGE sql AS $$ SELECT to_json('#' || $1::int) $$;
      CREATE CAST (mark AS json) WITH FUNCTION mark_to_json(mark) AS IMPLICIT;
    `);
    await untilReply([200, [{ id: '#7' }]]);
    await run('DROP TABLE marks');
    await untilReply([404, expect.objectContaining({ code: 'PGRST205' })]);
  });
});
