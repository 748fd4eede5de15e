import { homedir } from 'node:os';
import path from 'node:path';
import { textOf } from '../../../spec/source/source-node.ts';
import type { ReadValue } from '../config-key.ts';
import { listOf, scalar } from './read-values.ts';

/** A non-empty string. */
export const text: ReadValue<string> = scalar('a string', (written) => written || undefined);

/** A string that is used as written, including spaces at its ends. */
export const literalText: ReadValue<string> = (source, report) => {
  const written = textOf(source.node);
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
  return path.resolve(
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
