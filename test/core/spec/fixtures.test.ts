import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { Workflow } from '../../../core/model/workflow.ts';
import { formatDiagnostic } from '../../../core/spec/format-diagnostic.ts';
import { loadSpec } from '../../../core/spec/load.ts';

const folder = join(import.meta.dirname, '../../fixtures/workflows');

function list(kind: 'valid' | 'invalid'): string[] {
  return readdirSync(join(folder, kind)).filter((name) => name.endsWith('.yaml'));
}

function load(kind: 'valid' | 'invalid', name: string) {
  return loadSpec({ text: readFileSync(join(folder, kind, name), 'utf8'), file: name });
}

describe('valid files', () => {
  it.each(list('valid'))('%s loads without an error and matches the model', (name) => {
    const { workflows, diagnostics } = load('valid', name);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(workflows.length).toBeGreaterThan(0);
    for (const workflow of workflows) {
      expect([...Value.Errors(Workflow, JSON.parse(JSON.stringify(workflow)))]).toEqual([]);
    }
  });
});

/** Next to each file, its diagnostics: `NAME.txt`, one line each. */
describe('invalid files', () => {
  it.each(list('invalid'))('%s is rejected with the diagnostics next to it', (name) => {
    const { workflows, diagnostics } = load('invalid', name);
    const expected = readFileSync(join(folder, 'invalid', name.replace(/yaml$/, 'txt')), 'utf8');
    expect(diagnostics.map((diagnostic) => `${formatDiagnostic(diagnostic)}\n`).join('')).toBe(expected);
    expect(workflows).toEqual([]);
    expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
  });
});
