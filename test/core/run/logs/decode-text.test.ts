import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { logCharsets } from '../../../../core/model/workflow-rules.ts';
import { textDecoder } from '../../../../core/run/logs/read-lines.ts';
import { LogReader } from '../../../../core/run/logs/log-reader.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

test.each([
  ['shift_jis', [0x93, 0xfa, 0x96, 0x7b], '日本'],
  ['euc-jp', [0xc6, 0xfc, 0xcb, 0xdc], '日本'],
  ['iso-8859-1', [0x67, 0xfc, 0x6e], 'gün'],
  ['windows-1252', [0x80, 0x20, 0xe9], '€ é'],
  ['gbk', [0xd6, 0xd0, 0xce, 0xc4], '中文'],
  ['big5', [0xa4, 0xa4, 0xa4, 0xe5], '中文'],
  ['euc-kr', [0xc7, 0xd1, 0xb1, 0xb9], '한국'],
] as const)('decodes a line in %s as well as one in UTF-8', async (charset, bytes, text) => {
  expect(logCharsets).toContain(charset);
  const file = path.join(makeTemporaryFolder(), 'stdout.log');
  writeFileSync(file, Buffer.concat([Buffer.from(bytes), Buffer.from('\r\nçava\n'), Buffer.from(bytes)]));
  const reader = new LogReader({ clock: new FakeClock(), charset });
  const other = new LogReader({ clock: new FakeClock() });
  expect((await reader.lines(file, {}, true)).lines).toEqual([text, 'çava', text]);
  for (const [by, wanted] of [
    [reader, undefined],
    [other, charset],
  ] as const) {
    const followed: string[] = [];
    await new Promise<void>((resolve) => {
      by.followText(
        { file, start: {}, isComplete: () => true, charset: wanted },
        { item: ({ lines }) => void followed.push(...lines), end: () => resolve() },
      );
    });
    expect(followed).toEqual([text, 'çava', text]);
    by.close();
  }
});

test('by default marks invalid UTF-8', () => {
  expect(textDecoder(undefined)(Buffer.from([0x67, 0xfc, 0x6e]))).toBe('g\uFFFDn');
});
