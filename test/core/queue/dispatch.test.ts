import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TestEngine, testCaller, type RunView } from '../../rig/test-engine.ts';
import { makeTemporaryFolder } from '../../rig/temporary-folder.ts';

const spec = (name: string, more = ''): string => `name: ${name}\n${more}steps:\n  - command: "true"\n`;

describe('a run that is enqueued', () => {
  it('is started by a host that processes queues, and ends', async () => {
    const engine = new TestEngine();
    engine.host.processQueues();
    const run = await engine.host.enqueueRun({ source: { spec: spec('etl') }, trigger: 'api' });
    const view = await engine.end(run);
    expect(view).toMatchObject({ status: 'succeeded', trigger: 'api' });
    expect(view.wait).toBeUndefined();
  });
});
