import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import { formatErrorLines, printError } from '../../../core/cli/print-error.ts';
import { makeTemporaryFolder } from '../../harness/resources.ts';
import { openMemoryChannel } from '../../harness/home-and-command.ts';

test('prints an invalid workflow with the lines of each file that has errors', async () => {
  const folder = makeTemporaryFolder();
  const save = (name: string, text: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const workflow = save('mine.yaml', 'steps: [{ comand: x }]\n');
  const base = save('base.yaml', '# for all\nevn: {}\n');
  const place = { severity: 'error', message: 'wrong', column: 1, path: '' } as const;
  const diagnostics = [
    { ...place, file: workflow, line: 1 },
    { ...place, file: base, line: 2 },
  ];
  const [stdout, stderr] = [openMemoryChannel(), openMemoryChannel()];
  const message = `${workflow} is not valid: ${workflow}:1:1: wrong (and 1 more)`;
  const error = new AppError('invalid_spec', message, { details: { diagnostics } });
  const terminal = { stdout, stderr, interactive: false };
  expect(await printError(terminal, error, { json: false, debug: false })).toBe(1);
  expect(stderr.text).toBe(
    [
      `${workflow}:1:1: wrong`,
      '  1 | steps: [{ comand: x }]',
      '    | ^',
      `${base}:2:1: wrong`,
      '  2 | evn: {}',
      '    | ^',
      `engine: ${workflow} is not valid`,
      '',
    ].join('\n'),
  );
  expect(stdout.text).toBe('');
});

test('prints no hint for an error that contains one', () => {
  const message = 'Port 8080 on 127.0.0.1 is already in use. Choose another port with --port.';
  expect(formatErrorLines(new AppError('unavailable', message))).toEqual([`engine: ${message}`]);
});

test('suggests shell options when there is nothing to retry, for every transport', () => {
  expect(formatErrorLines(new AppError('nothing_to_retry', 'No step failed.'))).toEqual([
    'engine: No step failed.',
    '  hint: Use --step NAME to run a step again, and --downstream to include the steps after it.',
  ]);
});
