import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };

interface Step {
  readonly run?: string;
  readonly uses?: string;
}

interface WorkflowFile {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<string, { readonly 'timeout-minutes'?: number; readonly steps: readonly Step[] }>
  >;
}

const folder = path.join(import.meta.dirname, '../../.github/workflows');
const files = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(path.join(folder, name), 'utf8'),
}));

describe.each(files)('$name', ({ text }) => {
  const { permissions, jobs } = parse(text) as WorkflowFile;
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it('runs scripts that exist', () => {
    const scripts = steps.flatMap(({ run = '' }) =>
      Array.from(run.matchAll(/npm run ([\w:-]+)|npm (test)\b/g), ([, named, test]) => (named ?? test)!),
    );
    expect(scripts.length).toBeGreaterThan(0);
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(scripts));
  });

  it('pins actions to a commit', () => {
    for (const { uses } of steps) expect(uses ?? `@${'0'.repeat(40)}`).toMatch(/@[0-9a-f]{40}$/);
  });

  it('may only read the repository, and ends at a time limit', () => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0);
  });
});
