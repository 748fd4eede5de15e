import { describe, expect, it } from 'vitest';
import { loadSpec } from '../../../core/spec/load.ts';

const load = (text: string) => loadSpec({ text });
const getStep = (fields: string) => load(`steps:\n  - command: ./train\n    ${fields}\n`);

describe('worker fields of a step', () => {
  it('are loaded into the model, a string as a list of one', () => {
    const { workflows, diagnostics } = getStep(
      'inputFiles: model.bin\n    outputFiles: [report.html, "plots/*.png"]\n    onPartition: stop\n    workerSelector: {gpu: true}',
    );
    expect(diagnostics).toEqual([]);
    expect(workflows[0]!.steps[0]).toMatchObject({
      inputFiles: ['model.bin'],
      outputFiles: ['report.html', 'plots/*.png'],
      onPartition: 'stop',
      workerSelector: { gpu: 'true' },
    });
  });

  it('warn of an extended glob', () => {
    expect(getStep('outputFiles: "+(a|b).txt"').diagnostics).toEqual([
      expect.objectContaining({
        severity: 'warning',
        message:
          '"+(a|b).txt" in "outputFiles" contains an extended glob, "+(…)", which is matched literally. Use braces for alternatives, such as "{a,b}".',
      }),
    ]);
  });

  it('apply to every type of step: a selector of a command is valid', () => {
    expect(getStep('workerSelector: {gpu: true}').diagnostics).toEqual([]);
  });

  it.each([
    [
      'inputFiles: [ok.txt, /etc/passwd]',
      { line: 3, column: 26, path: 'steps[0].inputFiles[1]' },
      'relative',
    ],
    [
      'outputFiles: ../secrets',
      { line: 3, column: 18, path: 'steps[0].outputFiles' },
      '"../secrets" in "outputFiles" points outside the directory of the step. Remove "." and "..", and empty names.',
    ],
    [
      'outputFiles: "{1..101}"',
      { line: 3, column: 18, path: 'steps[0].outputFiles' },
      '"{1..101}" in "outputFiles" has 101 brace alternatives. The limit is 100; use "*", or several globs.',
    ],
    ['outputFiles: [""]', { line: 3, column: 19, path: 'steps[0].outputFiles[0]' }, 'is empty'],
    ['inputFiles: "~/model"', { line: 3, column: 17, path: 'steps[0].inputFiles' }, 'relative'],
    ['onPartition: wait', { line: 3, column: 18, path: 'steps[0].onPartition' }, 'continue'],
  ])('are rejected when invalid: %s', (fields, place, words) => {
    const { diagnostics } = getStep(fields);
    expect(diagnostics).toMatchObject([{ severity: 'error', ...place }]);
    expect(diagnostics[0]!.message).toContain(words);
  });

  it('have no files where it runs a workflow', () => {
    const { diagnostics } = load(
      'steps:\n  - run: child\n    outputFiles: a\n---\nname: child\nsteps: [a]\n',
    );
    expect(diagnostics).toMatchObject([{ severity: 'error', line: 3, path: 'steps[0].outputFiles' }]);
    expect(diagnostics[0]!.message).toContain('runs a workflow');
  });
});
