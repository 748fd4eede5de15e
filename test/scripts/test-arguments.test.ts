import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseTestArguments, readProjects } from '../../scripts/setup/test-selection.mjs';

describe('readProjects', () => {
  it('finds the projects of both runners', () => {
    expect(readProjects()).toEqual({
      vitest: ['unit', 'engine', 'parts', 'renderer', 'built', 'containers', 'faults'],
      playwright: ['desktop', 'browser'],
    });
  });
});

describe('parseTestArguments', () => {
  it('runs everything without paths and projects', async () => {
    expect(await parseTestArguments(['--checks'])).toEqual({
      checks: true,
      long: false,
      all: true,
      vitest: [],
      playwright: [],
    });
  });

  it('passes each path to the runners with matching files', async () => {
    const words = ['./test/core/spec/plan', 'compare.spec.ts:12', 'test/electron-standin/'];
    expect(await parseTestArguments(words)).toMatchObject({
      all: false,
      vitest: ['test/core/spec/plan'],
      playwright: ['compare.spec.ts:12', 'test/electron-standin/'],
    });
    const absolute = join(import.meta.dirname, '../core/spec/plan/graph.test.ts');
    expect(await parseTestArguments([absolute])).toMatchObject({
      vitest: ['test/core/spec/plan/graph.test.ts'],
      playwright: undefined,
    });
    expect(await parseTestArguments(['test'])).toMatchObject({ vitest: ['test'], playwright: ['test'] });
  });

  it('passes each project to its runner', async () => {
    expect(await parseTestArguments(['--project', 'unit', '--project=engine'])).toMatchObject({
      all: false,
      vitest: ['--project=unit', '--project=engine'],
      playwright: undefined,
    });
    expect(await parseTestArguments(['--project=desktop', 'test/e2e'])).toMatchObject({
      vitest: undefined,
      playwright: ['test/e2e', '--project=desktop'],
    });
  });

  it('passes a name pattern to both runners', async () => {
    expect(await parseTestArguments(['test/core/spec/plan', 'test/e2e', '-t', 'a queue'])).toMatchObject({
      all: false,
      vitest: ['test/core/spec/plan', '-t', 'a queue'],
      playwright: ['test/e2e', '-g', 'a queue'],
    });
  });

  it.each([
    [
      ['test/cor/spec/plan'],
      'No test file matches "test/cor/spec/plan". Did you mean "test/core/spec/plan"?',
    ],
    [
      ['core/spec/plan/graph.ts'],
      'No test file matches "core/spec/plan/graph.ts". Did you mean "test/core/spec/plan/graph.test.ts"?',
    ],
    [['test/qqqqqqqqqqqq'], 'No test file matches "test/qqqqqqqqqqqq". Test files are in the folder test.'],
    [['--project=enigne'], 'Unknown test project "enigne". Did you mean "engine"?'],
    [['--project=qqqqqqqq'], /^Unknown test project "qqqqqqqq"\. Known: unit, engine, .*, browser\.$/],
    [['--chekcs'], /^Unknown option '--chekcs'\. Usage: npm test -- /],
  ])('rejects %j', async (words, message) => {
    await expect(parseTestArguments(words)).rejects.toThrow(message);
  });
});
