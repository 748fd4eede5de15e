import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Step {
  readonly run?: string;
  readonly uses?: string;
}
interface Job {
  readonly 'timeout-minutes'?: number;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, '.github/workflows');

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const workflows = readdirSync(FOLDER).map((name) => {
  const { jobs, permissions } = parse(read(`.github/workflows/${name}`)) as Workflow;
  return { name, jobs: Object.values(jobs), permissions };
});
const setup = parse(read('.github/actions/setup/action.yml')) as { runs: { steps: readonly Step[] } };

/** Scripts of package.json that a command line runs. */
const listScripts = (run: string): string[] =>
  [...run.matchAll(/\bnpm (?:run (\S+)|(test)\b)/g)].map(([, named, test]) => (named ?? test)!);

describe.each(workflows)('the GitHub workflow $name', ({ jobs, permissions }) => {
  const steps = jobs.flatMap((job) => job.steps);

  it('runs only scripts of package.json', () => {
    const named = steps.flatMap(({ run = '' }) => listScripts(run));
    expect(named).not.toEqual([]);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it('pins foreign actions by commit, and references existing local ones', () => {
    const used = [...steps, ...setup.runs.steps].flatMap(({ uses }) => uses ?? []);
    const wrong = used.filter((uses) =>
      uses.startsWith('./') ? !existsSync(join(ROOT, uses, 'action.yml')) : !/@[0-9a-f]{40}$/.test(uses),
    );
    expect(wrong).toEqual([]);
  });

  it('has read-only permissions, and a timeout', () => {
    expect(permissions).toEqual({ contents: 'read' });
    expect(jobs.filter((job) => job['timeout-minutes'] === undefined)).toEqual([]);
  });
});
