import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { startReceiver } from './otlp-receiver.ts';

const program = join(import.meta.dirname, '../../../programs/list-loaded-modules.ts');

/** URLs of modules that a run of the workflow has loaded for tracing. */
async function listLoaded(spec: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, makeTemporaryFolder(), spec]);
  return stdout.split('\n').filter((line) => line !== '');
}

describe('a run that is not traced', () => {
  it.each(['steps: [echo a]\n', 'otel: {enabled: false, endpoint: URL}\nsteps: [echo a]\n'])(
    'loads and sends nothing: %j',
    async (spec) => {
      const receiver = await startReceiver();
      expect(await listLoaded(spec.replace('URL', `"${receiver.url}"`))).toEqual([]);
      expect(receiver.posts).toEqual([]);
    },
  );

  it('is the only one that does', async () => {
    const receiver = await startReceiver();
    const spec = `otel: {enabled: true, endpoint: "${receiver.url}"}\nsteps: [echo a]\n`;
    expect((await listLoaded(spec)).length).toBeGreaterThan(0);
    expect(receiver.spans).toHaveLength(2);
  });
});
