import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkReferences } from '../../../core/library/check-references.ts';
import { readSpecFile } from '../../../core/library/read-spec.ts';
import { formatDiagnostic } from '../../../core/spec/format-diagnostic.ts';
import { makeTemporaryFolder } from '../../rig/temporary-folder.ts';

/** What is missing of a file in a folder with `beside.yaml` and `schema.json`, and a workflow folder with `stored.yml`. */
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
  it('finds sub-workflows in the file, beside it and in the workflow folder', () => {
    const names = ['local', 'beside', './beside.yaml', 'stored', 'stored.yml', '${WHICH}', '`cat name`'];
    const steps = names.map((run) => ({ run }));
    expect(check(`steps: ${JSON.stringify(steps)}\n---\nname: local\nsteps: [a]\n`)).toEqual([]);
  });

  it('warns of a sub-workflow that no file has, with the cure', () => {
    expect(check('steps:\n  - run: make\n')).toEqual([
      '/main.yaml:2:5: warning: Workflow "make" not found in this file, /dags or . To run a program, use "command: make". (run)',
    ]);
  });

  it('names the places in which a parameter schema was looked for', () => {
    expect(check('workingDir: sub\nparams:\n  schema: nope.json\nsteps: [a]\n')).toEqual([
      '/main.yaml:3:11: Parameter schema "nope.json" not found. Searched: /nope.json, /sub/nope.json. (params.schema)',
    ]);
    for (const schema of ['schema.json', 'http://localhost/x.json', '${SCHEMA}'])
      expect(check(`params: { schema: "${schema}" }\nsteps: [a]\n`)).toEqual([]);
  });
});
