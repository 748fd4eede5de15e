import { expect, test } from 'vitest';
import { importCrontab } from '../../../../core/edit/import/crontab.ts';
import type { ImportResult } from '../../../../core/edit/import/imported-workflow.ts';
import { importMakefile } from '../../../../core/edit/import/import-makefile.ts';
import { importShellScript } from '../../../../core/edit/import/shell-script.ts';

const crontab = (text: string): ImportResult => importCrontab(text);
const makefile = (text: string): ImportResult => importMakefile({ text });
const script = (text: string): ImportResult =>
  importShellScript({ fileName: 'a.sh', script: text, split: true });

const size = 400_000;

// Each of these took minutes, or exhausted memory, when imports were quadratic in the length of the text.
test.each<[string, (text: string) => ImportResult, string]>([
  ['spaces in a job', crontab, `0 0 * * * a${' '.repeat(size)}b`],
  ['spaces in a value', crontab, `A=b${' '.repeat(size)}c\n0 0 * * * x`],
  ['jobs of one name', crontab, '0 0 * * * x\n'.repeat(2000)],
  ['spaces in no rule', makefile, `a${' '.repeat(size)}b\na:\n\tx`],
  ['spaces before a comment', makefile, `A=b${' '.repeat(size)}c\na:\n\tx`],
  [
    'a chain of rules',
    makefile,
    Array.from({ length: 9000 }, (_, at) => `t${at}: t${at + 1}\n\tx`).join('\n'),
  ],
  [
    'rules without recipes that share prerequisites',
    makefile,
    `${Array.from({ length: 60 }, (_, at) => `a${at} b${at}: a${at + 1} b${at + 1}`).join('\n')}\na60 b60:\n\tx`,
  ],
  ['a continued value', makefile, `A=\\\n${'b\\\n'.repeat(19_000)}c\na:\n\tx`],
  ['a continued recipe', makefile, `a:\n\tx\\\n${'b\\\n'.repeat(19_000)}c`],
  [
    'a rule line by line',
    makefile,
    `${Array.from({ length: 19_000 }, (_, at) => `a: b${at}`).join('\n')}\n\tx`,
  ],
  ['empty lines', script, `#!/bin/sh\n${'\n'.repeat(size)}x`],
  ['sections of one title', script, '\n# s\necho $X\n'.repeat(9000)],
  [
    'sections that set variables',
    script,
    Array.from({ length: 4000 }, (_, at) => `\n# s${at}\nV${at}=1;W=2\necho $X\n`).join(''),
  ],
])('%s', (_, run, text) => {
  expect(run(text)).toMatchObject({ ok: true });
});

test.each<[string, (text: string) => ImportResult, string, string]>([
  ['too many characters', crontab, ' '.repeat(1_048_577), 'The limit is 1048576.'],
  ['too many characters', makefile, ' '.repeat(1_048_577), 'The limit is 1048576.'],
  ['too many characters', script, 'x'.repeat(1_048_577), 'The limit is 1048576.'],
  ['too many jobs', crontab, '0 0 * * * x\n'.repeat(2001), 'The file has 2001 lines. The limit is 2000.'],
  ['too many lines', script, 'x\n'.repeat(20_001), 'The file has 20001 lines. The limit is 20000.'],
  [
    'variables that multiply',
    makefile,
    `${Array.from({ length: 12 }, (_, at) => `V${at} := ${`$(V${at - 1})`.repeat(10)}\n`).join('')}a:\n\techo $(V11)`,
    'The recipe of "a" (line 13) nests variables too deeply.',
  ],
  ['nested functions', makefile, `a:\n\techo ${'$(shell '.repeat(20_000)}`, 'nests variables too deeply'],
  [
    'a head that every step repeats',
    script,
    `A=${'x'.repeat(100_000)}\n${Array.from({ length: 100 }, (_, at) => `\n# s${at}\necho $X\n`).join('')}`,
    'Each of the 100 steps would start with the same 100002 characters.',
  ],
])('%s: rejected with the reason', (_, run, text, reason) => {
  expect(run(text)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
});
