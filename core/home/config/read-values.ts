import { parseDuration } from '../../base/duration.ts';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { findField, getText, type SourceRef } from '../../spec/source.ts';
import type { Role } from '../../contract/operation.ts';
import { logCharsets, type LogCharset } from '../../model/workflow-rules.ts';
import type { ReadValue } from './config-key.ts';

/** A value that is parsed from its string alone. */
export function scalar<Value>(what: string, parse: (text: string) => Value | undefined): ReadValue<Value> {
  return (source, report) => {
    const value = source.node.kind === 'scalar' ? parse(getText(source.node).trim()) : undefined;
    if (value === undefined) report.error(source, `"${source.path}" must be ${what}.`);
    return value;
  };
}

/** An integer within limits. */
export const wholeNumber = (min: number, max: number): ReadValue<number> =>
  scalar(`a whole number from ${min} to ${max}`, (text) => {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  });

/**
 * A duration, converted to seconds: `45`, `30s`, `1h30m`, `7d`.
 * @param min minimum in seconds; 0 is also allowed if `orOff` is set
 */
export function duration(min: number, orOff?: string): ReadValue<number> {
  const off = orOff === undefined ? '' : `, or 0 for ${orOff}`;
  const what = `a duration of at least ${min} seconds, such as 90 or 1h30m${off}`;
  return scalar(what, (text) => {
    const seconds = parseDuration(text);
    if (seconds === undefined || seconds > 100 * 365 * 86_400) return undefined;
    return seconds >= min || (seconds === 0 && orOff !== undefined) ? seconds : undefined;
  });
}

/** `true` or `false`; also `1` and `0`, as in environment variables. */
export const flag: ReadValue<boolean> = scalar('true or false', (text) => {
  if (/^(true|1)$/i.test(text)) return true;
  return /^(false|0)$/i.test(text) ? false : undefined;
});

/** Only `true`, because false would be a restriction that has no effect here. */
export const trueOnly =
  (advice: string): ReadValue<boolean> =>
  (source, report, folder) => {
    const value = flag(source, report, folder);
    if (value !== false) return value;
    report.error(source, `"${source.path}" cannot be false here. ${advice}.`);
    return undefined;
  };

/** One of a set of words. */
export const oneOf = <Word extends string>(...words: readonly Word[]): ReadValue<Word> =>
  scalar(`one of ${words.join(', ')}`, (text) => words.find((word) => word === text));

/** A time zone by its IANA name. */
export const timeZone: ReadValue<string | undefined> = scalar(
  'a time zone such as Europe/Berlin or UTC',
  (text) => {
    try {
      return text === '' ? undefined : Intl.DateTimeFormat('en', { timeZone: text }) && text;
    } catch {
      return undefined;
    }
  },
);

/** A list of values that are read one by one; invalid ones are omitted. */
export function listOf<Value>(example: string, read: ReadValue<Value>): ReadValue<readonly Value[]> {
  return (source, report, folder) => {
    const { node } = source;
    if (node.kind !== 'list') {
      report.error(source, `"${source.path}" must be a list, such as ${example}.`);
      return undefined;
    }
    const items = node.items.map((_, index) => read(findField(source, index) as SourceRef, report, folder));
    return items.filter((item) => item !== undefined);
  };
}

/** A non-empty string. */
export const text: ReadValue<string> = scalar('a string', (written) => written || undefined);

/** A string that is used as written, including spaces at its ends. */
export const literalText: ReadValue<string> = (source, report) => {
  const written = getText(source.node);
  if (written !== '') return written;
  report.error(source, `"${source.path}" must be a string.`);
  return undefined;
};

/**
 * A file path. Relative paths are resolved from the folder of the configuration file, or from the current directory
 * for variables and flags.
 */
export const filePath: ReadValue<string> = (source, report, folder) => {
  const written = text(source, report, folder);
  if (written === undefined) return undefined;
  return resolve(
    folder,
    written.replace(/^~(?=$|[/\\])/, () => homedir()),
  );
};

/** A list of words, or one string with commas or spaces between them, as in variables. */
export const wordList: ReadValue<readonly string[]> = (source, report, folder) => {
  if (source.node.kind === 'list') return listOf('[one, two]', text)(source, report, folder);
  return text(source, report, folder)
    ?.split(/[\s,]+/)
    .filter((word) => word !== '');
};

/** A path prefix: `flows`, `/flows/` and `/flows` are the same; `/` is empty. */
export const basePath: ReadValue<string> = scalar('a path such as /flows', (written) => {
  const bare = written.replaceAll(/^\/+|\/+$/g, '');
  if (bare === '') return '';
  const isPath = /^[\w.~-]+(\/[\w.~-]+)*$/.test(bare) && !/(^|\/)\.{1,2}(\/|$)/.test(bare);
  return isPath ? `/${bare}` : undefined;
});

const readAddress = (written: string): string | undefined => {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username;
  return isPlain ? written : undefined;
};

/** An http or https URL without query and fragment, unchanged, because an issuer is compared exactly. */
export const webAddress: ReadValue<string> = scalar('a URL such as https://id.example.com', readAddress);

/** A URL without a trailing slash, so that paths can be appended. */
export const webPrefix: ReadValue<string> = scalar('a URL such as https://flows.example.com', (written) =>
  readAddress(written)?.replace(/\/+$/, ''),
);

/**
 * Reads the URL of a PostgreSQL server.
 * @param otherwise what an absent value means, to follow "or"
 */
export const postgresUrl = (otherwise: string): ReadValue<string> =>
  scalar(
    `a PostgreSQL URL, such as postgres://user:password@host:5432/database (write @ in a password as %40), or ${otherwise}`,
    (written) =>
      /^postgres(ql)?:\/\//.test(written) && URL.canParse(withOneHost(written)) ? written : undefined,
  );

/** A URL may name several hosts: `postgres://a:5432,b:5433/name`. */
const withOneHost = (url: string): string => url.replace(/,[^/?#@]*(?=[/?#]|$)/, '');

/** Names and values of labels: `{gpu: "true"}`, or `gpu=true,region=eu` in variables and flags. */
export const labelPairs: ReadValue<Readonly<Record<string, string>>> = (source, report) => {
  const pairs = listPairs(source);
  const wrong = pairs?.find(([name, value]) => name === '' || value === '');
  if (pairs !== undefined && wrong === undefined) return Object.fromEntries(pairs);
  report.error(
    source,
    `"${source.path}" must be labels, such as {gpu: "true", region: eu} or gpu=true,region=eu.`,
  );
  return undefined;
};

function listPairs({ node }: SourceRef): (readonly [name: string, value: string])[] | undefined {
  if (node.kind === 'map')
    return Array.from(node.entries, ([name, { node: value }]) => [
      name.trim(),
      value.kind === 'scalar' ? getText(value).trim() : '',
    ]);
  if (node.kind === 'list') return undefined;
  return getText(node)
    .split(',')
    .filter((pair) => pair.trim() !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [pair.trim(), ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    });
}

/** The four roles, from least to most privileged. */
export const roleName: ReadValue<Role> = oneOf<Role>('viewer', 'operator', 'manager', 'admin');

/** Role by the value of a claim. */
export type RoleMapping = ReadonlyMap<string, Role>;

/** `{flow-admins: admin}`, or `flow-admins=admin,flow-ops=operator` in variables. */
export const roleMapping: ReadValue<RoleMapping> = (source, report, folder) => {
  const pairs = listRolePairs(source);
  if (pairs === undefined) {
    report.error(
      source,
      `"${source.path}" must be a map of claim values to roles, such as {staff: operator}.`,
    );
    return undefined;
  }
  const mapping = new Map<string, Role>();
  for (const [claimed, roleSource] of pairs) {
    const role = roleName(roleSource, report, folder);
    if (role !== undefined) mapping.set(claimed, role);
  }
  return mapping;
};

function listRolePairs({ node, path }: SourceRef): [string, SourceRef][] | undefined {
  if (node.kind === 'map')
    return Array.from(node.entries, ([name, entry]) => [name, { node: entry.node, path: `${path}.${name}` }]);
  if (node.kind === 'list') return undefined;
  const pairs = getText(node)
    .split(',')
    .map((pair) => pair.split('='));
  if (pairs.some((pair) => pair.length !== 2 || pair[0]!.trim() === '')) return undefined;
  return pairs.map(([name = '', role = '']) => [
    name.trim(),
    { node: { kind: 'scalar', start: node.start, value: role, text: role }, path: `${path}.${name.trim()}` },
  ]);
}

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
