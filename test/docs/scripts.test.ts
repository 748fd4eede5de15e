import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../harness/resources.ts';
import { listCodeBlocks, listPages, root } from './read-page.ts';

const scripts = listPages().flatMap((page) =>
  listCodeBlocks(page)
    .filter(({ language }) => language === 'js')
    .map(({ text, line }) => ({ source: `${page.path}:${line}`, text })),
);

/** Compiler output for a script in a folder where the package and the types of Node are installed. */
function check(text: string): string {
  const folder = makeTemporaryFolder();
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  symlinkSync(root, join(folder, 'node_modules/stepwright'), 'junction');
  for (const types of ['node_modules/@types/node', 'node_modules/undici-types']) {
    symlinkSync(join(root, types), join(folder, types), 'junction');
  }
  writeFileSync(join(folder, 'script.mts'), text);
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2023'];
  const modules = ['--module', 'nodenext', '--types', 'node', '--preserveSymlinks'];
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [compiler, ...options, ...modules, 'script.mts'], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 50_000,
    });
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

describe('scripts in the documentation', () => {
  it.each(scripts)('pass the type checker: $place', ({ text }) => {
    expect(check(text)).toBe('');
  });

  it('may use everything documented for an observer', () => {
    const text = `import { createClient } from 'stepwright/client';
const client = createClient({ url: 'http://here' });
client.follow('events.follow', { after: 0 }, {
  item: ({ event }) => console.log(event.type),
  end: (refusal) => console.log(refusal?.code),
  lost: ({ message }) => console.log(message),
  open: () => console.log('open'),
  drained: () => Promise.resolve(),
});
`;
    expect(check(text)).toBe('');
  });

  it('are checked: a type error is found', () => {
    const faulty = `import { createClient } from 'stepwright/client';
const client = createClient({ url: 'http://here' });
await client.call('dags.start', { fileNam: 'etl' });
await client.call('dags.paint', {});
const { dagRuns } = await client.call('runs.list', { status: ['failed'] });
const id: number = dagRuns[0]!.dagRunId;
console.log(id);
`;
    const lines = check(faulty).match(/script\.mts\(\d+/g);
    expect(lines).toEqual(['script.mts(3', 'script.mts(4', 'script.mts(6']);
  });
});
