import { homedir } from 'node:os';
import path from 'node:path';
import { textOf } from '../../../spec/source/source-node.ts';
import type { ReadValue } from '../config-key.ts';
import { listOf, scalar } from './read-values.ts';

/** A text that is not empty. */
export const text: ReadValue<string> = scalar('a string', (written) => written || undefined);

/** A text that is kept as it is written, blanks at its ends too. */
export const exactText: ReadValue<string> = (place, report) => {
  const written = textOf(place.node);
  if (written !== '') return written;
  report.error(place, `"${place.path}" must be a string.`);
  return undefined;
};

/** A file; relative paths count from the place of the configuration file, of variables and flags from where one is. */
export const filePath: ReadValue<string> = (place, report, folder) => {
  const written = text(place, report, folder);
  if (written === undefined) return undefined;
  return path.resolve(
    folder,
    written.replace(/^~(?=$|[/\\])/, () => homedir()),
  );
};

/** Words in a list, or in one text with commas or blanks between them, as variables have them. */
export const words: ReadValue<readonly string[]> = (place, report, folder) => {
  if (place.node.kind === 'list') return listOf('[one, two]', text)(place, report, folder);
  return text(place, report, folder)
    ?.split(/[\s,]+/)
    .filter((word) => word !== '');
};

/** What a proxy puts before every path: `flows`, `/flows/` and `/flows` are the same; `/` is none. */
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

/** An address of the web without query and fragment, as it is written: an issuer is compared letter by letter. */
export const webAddress: ReadValue<string> = scalar('a URL such as https://id.example.com', readAddress);

/** The same without a slash at its end, so that paths can be put behind it. */
export const webPrefix: ReadValue<string> = scalar('a URL such as https://flows.example.com', (written) =>
  readAddress(written)?.replace(/\/+$/, ''),
);
