import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { DotenvError, readDotenv } from '../../../../core/run/values/dotenv.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

/** A working directory and the directory of a workflow's file, both with these dotenv files. */
function prepare(working: Record<string, string | Buffer>, beside: Record<string, string> = {}) {
  const root = makeTemporaryFolder();
  const [workingDir, fileDir] = [path.join(root, 'work'), path.join(root, 'dags')];
  for (const [folder, files] of [
    [workingDir, working],
    [fileDir, beside],
  ] as const) {
    mkdirSync(folder);
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  }
  const warnings: string[] = [];
  const known: Record<string, string> = { STAGE: 'prod', HOST: 'example' };
  const read = (files?: readonly string[]) =>
    readDotenv({
      files,
      workingDir,
      fileDir,
      lookup: (name) => known[name],
      warn: (message) => warnings.push(message),
    });
  return { read, workingDir, fileDir, warnings };
}

describe('lookup of the dotenv file', () => {
  test('uses .env of the working directory by default', () => {
    const { read, workingDir } = prepare({ '.env': 'A=1' }, { '.env': 'A=2' });
    expect(read()).toEqual({ file: path.join(workingDir, '.env'), variables: { A: '1' } });
  });

  test("else uses that of the file's directory, else none", () => {
    const { read, fileDir } = prepare({}, { '.env': 'A=2' });
    expect(read()).toMatchObject({ file: path.join(fileDir, '.env') });
    expect(prepare({}).read()).toBeUndefined();
  });

  test.each([
    { files: ['prod.env'], value: 'prod' },
    { files: ['none.env', 'test.env', 'prod.env'], value: 'test' },
    { files: ['${STAGE}.env'], value: 'prod' },
    { files: ['beside.env'], value: 'beside' },
    { files: ['none.env'], value: 'daily' },
    { files: ['.env', 'prod.env'], value: 'daily' },
    { files: ['${NONE}', 'prod.env'], value: 'prod' },
  ])('of $files uses the first that exists, and .env after them', ({ files, value }) => {
    const texts = { '.env': 'A=daily', 'prod.env': 'A=prod', 'test.env': 'A=test' };
    const { read } = prepare(texts, { 'beside.env': 'A=beside' });
    expect(read(files)?.variables).toEqual({ A: value });
  });

  test('supports absolute paths, and the home directory', () => {
    const { read, fileDir } = prepare({}, { 'my.env': 'A=1' });
    const file = path.join(fileDir, 'my.env');
    expect(read([file])?.file).toBe(file);
    const fromHome = path.relative(homedir(), file);
    expect(read([`~/${fromHome}`])?.file).toBe(file);
  });

  test('uses none for an empty list', () => {
    expect(prepare({ '.env': 'A=1' }).read([])).toBeUndefined();
  });

  test('skips a directory .env', () => {
    const { read, workingDir } = prepare({}, { '.env': 'A=2' });
    mkdirSync(path.join(workingDir, '.env'));
    expect(read()?.variables).toEqual({ A: '2' });
  });
});

describe('dotenv variables', () => {
  test('are expanded against earlier ones, then against known ones; nothing is run', () => {
    const text = [
      '\uFEFFROOT=/srv # where it is',
      'export DATA="${ROOT}/data"',
      'URL=https://$HOST:${PORT:-80}',
      'PART=${HOST:0:4}',
      'LATE=[${LATER}]',
      'LATER=x',
      'HOST=own',
      'NOW="at `date`"',
      "PASSWORD='pa$$word ${ROOT}'",
      "LINES='a $ROOT\r\nb'",
      'EMPTY=',
    ];
    const { read, warnings } = prepare({ '.env': text.join('\r\n') });
    expect(read()?.variables).toEqual({
      ROOT: '/srv',
      DATA: '/srv/data',
      URL: 'https://example:80',
      PART: 'exam',
      LATE: '[]',
      LATER: 'x',
      HOST: 'own',
      NOW: 'at `date`',
      PASSWORD: 'pa$$word ${ROOT}',
      LINES: 'a $ROOT\nb',
      EMPTY: '',
    });
    expect(warnings).toEqual([]);
  });

  test('come in file order, and text within a value is not an assignment', () => {
    const { read } = prepare({ '.env': 'Z=1\nTEXT="\nM=3\n"\nA=$Z\nM=$A\nZ=2' });
    expect(Object.entries(read()!.variables)).toEqual([
      ['Z', '2'],
      ['TEXT', '\nM=3\n'],
      ['A', '2'],
      ['M', '2'],
    ]);
  });

  test('without a valid name are omitted with a warning', () => {
    const { read, warnings, workingDir } = prepare({
      '.env': '1A=x\nB-C=y\nOK=z\n__proto__=x\nno assignment',
    });
    expect(read()?.variables).toEqual({ OK: 'z' });
    expect(warnings.toSorted()).toEqual(
      ['1A', 'B-C'].map(
        (name) =>
          `${path.join(workingDir, '.env')}: invalid variable name "${name}", skipped. ` +
          'Use letters, digits and "_", and start with a letter or "_".',
      ),
    );
  });
});

describe('a dotenv file is rejected', () => {
  const remedy = ', or set another file in "dotenv" ("dotenv: []" for none).';

  test.each([
    {
      why: 'too large',
      bytes: Buffer.alloc(1024 * 1024 + 1, 'A'),
      says: 'is larger than 1 MiB. Use a smaller file',
    },
    {
      why: 'not UTF-8',
      bytes: Buffer.from([65, 61, 0xff]),
      says: 'is not valid UTF-8. Save it in UTF-8 encoding',
    },
    {
      why: 'binary',
      bytes: Buffer.from('A=\0'),
      says: 'is a binary file: it contains a NUL byte. Use a text file',
    },
  ])('that is $why', ({ bytes, says }) => {
    const { read, workingDir } = prepare({ '.env': bytes });
    const file = path.join(workingDir, '.env');
    expect(() => read()).toThrow(new DotenvError(`Dotenv file ${file} ${says}${remedy}`));
  });

  test('except when it is exactly as large as allowed', () => {
    const text = `A=${'x'.repeat(1024 * 1024 - 2)}`;
    expect(prepare({ '.env': text }).read()?.variables['A']).toHaveLength(1024 * 1024 - 2);
  });

  test('that is listed and is a directory', () => {
    const { read, workingDir } = prepare({});
    mkdirSync(path.join(workingDir, 'my.env'));
    expect(() => read(['my.env'])).toThrow(
      /is not a file\. Use a file, or set another file in "dotenv" \("dotenv: \[\]" for none\)\./,
    );
  });

  // Windows has no named pipes in directories, and lets its users read what they must not.
  if (process.platform !== 'win32') {
    test('that is a pipe, at once', () => {
      const { read, workingDir } = prepare({});
      execFileSync('mkfifo', [path.join(workingDir, 'my.env')]);
      expect(() => read(['my.env'])).toThrow(DotenvError);
    });

    test('that is a link to itself', () => {
      const { read, workingDir } = prepare({});
      execFileSync('ln', ['-s', '.env', path.join(workingDir, '.env')]);
      expect(() => read()).toThrow(
        /cannot be read: too many levels of symbolic links; fix the links, or set another file in "dotenv" \("dotenv: \[\]" for none\)\./,
      );
    });
  }
});
