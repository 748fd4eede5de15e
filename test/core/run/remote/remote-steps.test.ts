import { describe, expect, it } from 'vitest';
import { HandWorker } from '../../../rig/hand-worker.ts';
import { statusesOf, stdoutOf, TestEngine } from '../../../rig/test-engine.ts';

/** An engine and a worker with the label gpu=true. */
async function openBoth(options: { readonly slots?: number } = {}) {
  const engine = new TestEngine();
  const worker = new HandWorker({ ...engine, ...options });
  await worker.work();
  return { engine, worker };
}

const remote = 'workerSelector: { gpu: "true" }';

describe('a step whose selector names labels', () => {
  it('is made by a worker that has them, and its output is there for local steps', async () => {
    const { engine, worker } = await openBoth();
    const run = await engine.run(`
steps:
  - name: train
    command: echo "weights of $DAG_RUN_ID"; echo fence $ENGINE_FENCE attempt $ENGINE_STEP_ATTEMPT >&2
    output: WEIGHTS
    ${remote}
  - name: after
    command: echo "got $WEIGHTS"
`);
    expect(statusesOf(run)).toEqual({ train: 'succeeded', after: 'succeeded' });
    expect(stdoutOf(run, 'after')).toBe(`got weights of ${run.dagRunId}\n`);
    expect(run.outputs).toEqual({ WEIGHTS: `weights of ${run.dagRunId}` });
    expect(worker.had.map(({ task }) => task.node.name)).toEqual(['train']);
    expect(run.steps[0]!.attempts).toMatchObject([{ worker: { id: 'w1', host: 'w1.example' } }]);
    expect(run.steps[1]!.attempts[0]!.worker).toBeUndefined();
    await expect.poll(() => worker.store.listTasks({ limit: 10 })).toEqual([]);
  });
});
