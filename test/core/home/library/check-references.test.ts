import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkReferences } from '../../../../core/home/library/check-references.ts';
import { readSpecFile } from '../../../../core/home/library/read-spec.ts';
import { formatDiagnostic } from '../../../../core/spec/format-diagnostic.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

/**
 * Missing references of a file in a directory with `beside.yaml` and `schema.json`, and a workflow directory with
 * `stored.yml`.
 */
function check(text: string): string[] {
  const folder = makeTemporaryFolder();
  const dags = path.join(folder, 'dags');
  mkdirSync(dags);
  const file = path.join(folder, 'main.yaml');
  for (const [name, content] of [
    [file, text],
    [path.join(folder, 'beside.yaml'), 'steps: [a]\n'],
    [path.join(folder, 'schema.json'), '{}'],
    [path.join(dags, 'stored.yml'), 'steps: [a]\n'],
  ] as const)
    writeFileSync(name, content);
  const found = checkReferences(readSpecFile(file), { file, dags, cwd: folder });
  return found.map((diagnostic) => formatDiagnostic(diagnostic).replaceAll(folder, ''));
}

describe('checkReferences', () => {
  it('finds sub-workflows in the file, next to it and in the workflow directory', () => {
    const names = ['local', 'beside', './beside.yaml', 'stored', 'stored.yml', '${WHICH}', '`cat name`'];
    const steps = names.map((run) => ({ run }));
    expect(check(`steps: ${JSON.stringify(steps)}\n---\nname: local\nsteps: [a]\n`)).toEqual([]);
  });

  it('warns of a missing sub-workflow, with a hint', () => {
    expect(check('steps:\n  - run: make\n')).toEqual([
      '/main.yaml:2:5: warning: Workflow "make" not found in this file, /dags or . To run a program, use "command: make". (run)',
    ]);
  });

  it('lists where a parameter schema was searched', () => {
    expect(check('workingDir: sub\nparams:\n  schema: nope.json\nsteps: [a]\n')).toEqual([
      '/main.yaml:3:11: Parameter schema "nope.json" not found. Searched: /nope.json, /sub/nope.json. (params.schema)',
    ]);
    for (const schema of ['schema.json', 'http://localhost/x.json', '${SCHEMA}'])
      expect(check(`params: { schema: "${schema}" }\nsteps: [a]\n`)).toEqual([]);
  });
});
