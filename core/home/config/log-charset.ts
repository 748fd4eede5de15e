import { logCharsets, type LogCharset } from '../../model/workflow-rules.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** System names of some charsets, reduced to letters and digits. */
const otherNames: Readonly<Record<string, LogCharset>> = {
  sjis: 'shift_jis',
  ujis: 'euc-jp',
  latin1: 'iso-8859-1',
  cp1252: 'windows-1252',
  gb2312: 'gbk',
  euccn: 'gbk',
  cp936: 'gbk',
  cp949: 'euc-kr',
};

const normalizeCharset = (written: string): string => written.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Returns the encoding of a name in any spelling; undefined if it is unknown. */
export function findCharset(written: string): LogCharset | undefined {
  const folded = normalizeCharset(written);
  return logCharsets.find((charset) => normalizeCharset(charset) === folded) ?? otherNames[folded];
}

/** Returns the encoding of the system's locale, such as `ja_JP.eucJP`; UTF-8 if the locale has none. */
export function localeCharset(environment: Environment): LogCharset {
  const locale = ['LC_ALL', 'LC_CTYPE', 'LANG'].map((name) => environment[name]).find(Boolean) ?? '';
  const named = /\.([^@]+)/.exec(locale)?.[1];
  return (named === undefined ? undefined : findCharset(named)) ?? 'utf-8';
}
