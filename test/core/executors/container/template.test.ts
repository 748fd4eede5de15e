import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { statusesOf, stderrOf, stdoutOf, TestEngine } from '../../../harness/engine.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { describeWithContainers } from '../../../harness/servers/containers.ts';

const template = readFileSync(
  join(import.meta.dirname, '../../../../resources/templates/tests-in-container.yaml'),
  'utf8',
);

describeWithContainers('template tests-in-container', (containers) => {
  const run = async (folder: string) => {
    // BusyBox with an npm of the project, as there is no network.
    containers().addImage('localhost/node:24-slim', 'ENV PATH=/work/bin:/bin');
    vi.stubEnv('DOCKER_HOST', containers().host);
    const spec = template.replace('node:24-slim', 'localhost/node:24-slim\n  network: none');
    return new TestEngine().run(spec, { params: [`FOLDER=${folder}`] });
  };

  test('runs the scripts of a project, and names a missing project', async () => {
    const folder = makeTemporaryFolder();
    const missing = await run(folder);
    expect(missing.status).toBe('failed');
    expect(stderrOf(missing, 'check')).toBe(
      `No package.json in ${folder}. Set FOLDER to the absolute path of a project.\n`,
    );
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'package.json'), '{}');
    writeFileSync(join(folder, 'bin/npm'), '#!/bin/sh\necho "npm $*"\n');
    chmodSync(join(folder, 'bin/npm'), 0o755);
    const view = await run(folder);
    expect(new Set(Object.values(statusesOf(view)))).toEqual(new Set(['succeeded']));
    expect(['install', 'lint', 'test', 'build'].map((step) => stdoutOf(view, step))).toEqual([
      'npm ci\n',
      'npm run lint\n',
      'npm test\n',
      'npm run build\n',
    ]);
  });
});
