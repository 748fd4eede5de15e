import { expect, test } from 'vitest';
import { findCharset, localeCharset } from '../../../../core/home/config/read-values.ts';

test.each([
  [{ LANG: 'ja_JP.eucJP' }, 'euc-jp'],
  [{ LANG: 'ja_JP.SJIS', LC_CTYPE: '' }, 'shift_jis'],
  [{ LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.ISO-8859-1@euro' }, 'iso-8859-1'],
  [{ LANG: 'en_US.UTF-8', LC_CTYPE: 'zh_CN.GBK' }, 'gbk'],
  [{ LANG: 'zh_TW.Big5' }, 'big5'],
  [{ LANG: 'ko_KR.eucKR' }, 'euc-kr'],
  [{ LANG: 'en_US.CP1252' }, 'windows-1252'],
  [{ LANG: 'C' }, 'utf-8'],
  [{ LANG: 'xx.unheard-of' }, 'utf-8'],
  [{}, 'utf-8'],
])('log encoding follows the locale: %j means %s', (environment, charset) => {
  expect(localeCharset(environment)).toBe(charset);
});

test('accepts encoding names in any spelling', () => {
  expect(['UTF8', 'Shift-JIS', 'Windows1252', 'latin1'].map(findCharset)).toEqual([
    'utf-8',
    'shift_jis',
    'windows-1252',
    'iso-8859-1',
  ]);
});
