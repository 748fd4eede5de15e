import { expect, test } from 'vitest';
import {
  preserveLineBreaks,
  readTextFile,
} from '../../../../renderer/features/new-workflow/dropped-files.tsx';
import { detectSourceKind } from '../../../../renderer/features/new-workflow/new-workflow-button.tsx';

test('reads text unchanged, with its byte order mark and its line endings', async () => {
  const text = '\uFEFFsteps:\r\n  - echo ä\n';
  expect(await readTextFile(new File([text], 'a.yaml'))).toEqual({
    ok: true,
    value: { fileName: 'a.yaml', text },
  });
});

test('rejects a file that is not text, or too large, with the reason', async () => {
  const refuse = async (parts: BlobPart[]) => {
    const read = await readTextFile(new File(parts, 'a.bin'));
    return read.ok ? undefined : read.error;
  };
  expect(await refuse([new Uint8Array([0xff, 0xfe, 0x41])])).toBe(
    'a.bin is not UTF-8 text. Save it as UTF-8.',
  );
  expect(await refuse(['a\0b'])).toBe('a.bin is not a text file.');
  expect(await refuse([new Uint8Array(2_200_000)])).toBe('a.bin is too large (3 MB). Maximum: 2 MB.');
});

test('an edited text keeps the line endings and the byte order mark of the file', () => {
  expect(preserveLineBreaks('a\r\nb\r\n', 'a\nc\n')).toBe('a\r\nc\r\n');
  expect(preserveLineBreaks('a\r\nb\n', 'a\nc\n')).toBe('a\nc\n');
  expect(preserveLineBreaks('\uFEFFa\n', 'b\n')).toBe('\uFEFFb\n');
  expect(preserveLineBreaks('', 'a\r\nb')).toBe('a\nb');
});

test.each([
  ['load.yml', '', 'yaml'],
  ['backup.sh', '', 'shell'],
  ['Makefile', '', 'makefile'],
  ['GNUmakefile', '', 'makefile'],
  ['build.mk', '', 'makefile'],
  ['crontab.txt', '', 'crontab'],
  ['root', '# jobs\n30 6 * * 1-5 backup.sh\n', 'crontab'],
  ['jobs', '@daily backup.sh\n', 'crontab'],
  ['backup', '#!/usr/bin/env bash\nls\n', 'shell'],
  ['workflow', '# mine\nsteps:\n  - ls\n', 'yaml'],
  ['notes.txt', 'Buy milk\n', undefined],
])('detects %s', (fileName, text, way) => {
  expect(detectSourceKind(fileName, text)).toBe(way);
});
