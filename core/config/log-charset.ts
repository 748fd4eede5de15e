import { logCharsets, type LogCharset } from '../model/workflow/log-charset.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What systems call some of them, without anything but letters and digits. */
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

const fold = (written: string): string => written.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The encoding that a name means, however it is written; undefined for one that is not known. */
export function findCharset(written: string): LogCharset | undefined {
  const folded = fold(written);
  return logCharsets.find((charset) => fold(charset) === folded) ?? otherNames[folded];
}

/** That of the system's locale, such as `ja_JP.eucJP`; UTF-8 where the locale does not say. */
export function localeCharset(environment: Environment): LogCharset {
  const locale = ['LC_ALL', 'LC_CTYPE', 'LANG'].map((name) => environment[name]).find(Boolean) ?? '';
  const named = /\.([^@]+)/.exec(locale)?.[1];
  return (named === undefined ? undefined : findCharset(named)) ?? 'utf-8';
}
