import { realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../harness/resources.ts';
import { TestEngine } from '../../harness/engine.ts';

const run = async () => {
  const folder = realpathSync(makeTemporaryFolder());
  const engine = new TestEngine({ keychain: { read: () => Promise.resolve('hunter2') } });
  const { name, dagRunId } = await engine.run(`workingDir: ${folder}
env:
  - REGION: north
secrets:
  - { name: TOKEN, provider: keychain, key: db }
params: DATE=2026-01-01
steps:
  - name: make
    command: echo made
    output: MADE
  - name: use
    depends: make
    dir: sub
    shell: bash
    env:
      - WHERE: \${REGION}-\${DATE}
    command: echo "$MADE $WHERE"
  - name: query
    shell: perl
    command: print 1
`);
  return { folder, engine, ref: { name, dagRunId } };
};

it('is the directory, the shell and every variable of a step', async () => {
  const { folder, engine, ref } = await run();
  const place = await engine.host.locateStep(ref, 'use');
  expect(place.folder).toBe(`${folder}/sub`);
  expect(place.shell).toBe('bash');
  expect(place.environment).toMatchObject({
    REGION: 'north',
    DATE: '2026-01-01',
    TOKEN: 'hunter2',
    MADE: 'made',
    WHERE: 'north-2026-01-01',
    DAG_RUN_STEP_NAME: 'use',
    DAG_RUN_ID: ref.dagRunId,
    PWD: `${folder}/sub`,
  });
});

it('is that of the run without a step, and an interactive shell where the step has another program', async () => {
  const { folder, engine, ref } = await run();
  expect(await engine.host.locateStep(ref)).toMatchObject({ folder });
  expect((await engine.host.locateStep(ref, 'query')).shell).not.toContain('perl');
});

it('reports missing directories and shells', async () => {
  const { engine, ref } = await run();
  await expect(engine.host.locateStep(ref, 'none')).rejects.toMatchObject({ code: 'not_found' });
  await expect(engine.host.locateStep({ ...ref, dagRunId: 'none' })).rejects.toMatchObject({
    code: 'not_found',
  });
});

describe('location of a workflow', () => {
  let folder: string;
  let engine: TestEngine;
  beforeEach(() => {
    folder = realpathSync(makeTemporaryFolder());
    engine = new TestEngine({ keychain: { read: () => Promise.resolve('hunter2') } });
  });
  const save = (name: string, text: string): void =>
    writeFileSync(path.join(engine.home, 'dags', `${name}.yaml`), text);

  it('is where a run of it would start, without what only a run has', async () => {
    save(
      'etl',
      `workingDir: ${folder}/work
shell: bash
env:
  - REGION: north-\${DATE}
secrets:
  - { name: TOKEN, provider: keychain, key: db }
params: DATE=2026-01-01
steps:
  - command: echo
`,
    );
    const place = await engine.host.locateWorkflow('etl');
    expect(place).toMatchObject({ folder: `${folder}/work`, shell: 'bash' });
    expect(place.environment).toMatchObject({
      REGION: 'north-2026-01-01',
      DATE: '2026-01-01',
      TOKEN: 'hunter2',
      DAG_NAME: 'etl',
      PWD: `${folder}/work`,
    });
    expect(Object.keys(place.environment).filter((name) => name.startsWith('DAG_RUN_'))).toEqual([]);
  });

  it('reports why it is unavailable', async () => {
    save('broken', 'steps: 3\n');
    await expect(engine.host.locateWorkflow('broken')).rejects.toMatchObject({ code: 'invalid_spec' });
    await expect(engine.host.locateWorkflow('none')).rejects.toMatchObject({ code: 'not_found' });
    save('locked', `workingDir: /dev/null/x\nsteps:\n  - command: echo\n`);
    await expect(engine.host.locateWorkflow('locked')).rejects.toThrow('Working directory /dev/null/x');
  });
});
