import type { RunEvent } from '../../../core/model/run-event.ts';
import type { RunStore } from '../../../core/store/types/runs.ts';

/** Writes a run of `long`: each of its steps has one attempt and depends on the previous step. */
export async function writeLongRun(
  store: RunStore,
  steps: number,
  { dagRunId, hasEnded }: { readonly dagRunId: string; readonly hasEnded: boolean },
): Promise<void> {
  const names = Array.from({ length: steps }, (_, index) => `step-${index}`);
  const text = `type: chain\nsteps:\n${names.map((name) => `  - name: ${name}\n    command: echo ${name}\n`).join('')}`;
  const run = await store.createRun(
    {
      name: 'long',
      dagRunId,
      spec: { text, document: 0 },
      trigger: 'cli',
      params: [],
      maxActiveRuns: -1,
      owner: { host: 'here', pid: process.pid, pidStart: '1', bootId: 'boot' },
    },
    0,
  );
  const { epoch } = run;
  const events: RunEvent[] = [
    { type: 'run.started', logDir: 'logs/long' },
    ...names.flatMap((name, index): RunEvent[] => {
      const node = { section: 'step', name } as const;
      return [
        { type: 'step.started', node, attempt: 1, dir: `${name}/1` },
        { type: 'step.spawned', node, attempt: 1, pid: 1000 + index, pidStart: '12345' },
        { type: 'step.finished', node, attempt: 1, status: 'succeeded', exitCode: 0 },
      ];
    }),
    ...(hasEnded ? [{ type: 'run.finished', status: 'succeeded', outputs: {} } as const] : []),
  ];
  const at = Date.UTC(2026, 0, 1);
  const [result] = (
    await store.append([{ runKey: run.key, epoch, events: events.map((event) => ({ at, event })) }])
  ).outcomes;
  if (result?.outcome !== 'written') throw new Error(result?.reason);
}
