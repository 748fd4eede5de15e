import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { ContainerSpec } from '../../core/model/step.ts';
import { describeWithContainers } from '../harness/servers/containers.ts';
import { makeTemporaryFolder } from '../harness/resources.ts';
import { TestEngine } from '../harness/engine.ts';
import { listCodeBlocks, readCodeSpans, readPage, readTable } from './read-page.ts';

const page = readPage('docs/executors/container.md');
const fieldsIn = (title: string): string[] =>
  readTable(page, title).flatMap(([cell = '']) => readCodeSpans(cell));

it('docs/executors/container.md lists every field of "container"', () => {
  const spellings = ['name', 'workDir'];
  expect(
    fieldsIn('Fields of `container`')
      .filter((field) => !spellings.includes(field))
      .sort(),
  ).toEqual(Object.keys(ContainerSpec.properties).sort());
});

const examples = listCodeBlocks(page).filter(
  ({ language, marks }) => language === 'yaml' && !marks.includes('norun'),
);

describeWithContainers('examples of docs/executors/container.md', (engine) => {
  beforeAll(() => engine().addImage('docker.io/library/alpine:3'));
  beforeEach(() => void vi.stubEnv('DOCKER_HOST', engine().host));

  it.each(examples)('run: line $line', async ({ text }) => {
    const workingDir = makeTemporaryFolder();
    mkdirSync(join(workingDir, 'texts'));
    writeFileSync(join(workingDir, 'texts/report.txt'), 'three words here\n');
    const view = await new TestEngine().run(`workingDir: ${workingDir}\n${text}`);
    expect(view.steps.map(({ name, error }) => ({ name, error })).filter(({ error }) => error)).toEqual([]);
    expect(view.status).toBe('succeeded');
    expect(await engine().containers()).toEqual([]);
  });
});
