import { dagNamePattern, fileNamePattern, runIdPattern } from '../../core/base/ids.ts';

/** The scheme of links into the app. */
export const linkScheme = 'stepwright';

/** Target of a link: an address of the window, or why the link is invalid. */
export type DeepLinkTarget =
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** Links are untrusted; longer ones are rejected without parsing. */
const maxLinkLength = 2048;
const maxStepNameLength = 1000;

/** Prefix of a handler's name, since a step may have the same name as a handler. */
const handlerMark = 'handler:';

/**
 * Parses a link into the app (docs/desktop.md):
 * - `stepwright://run/NAME/RUN-ID[/STEP][#L120]`, where a handler is written `handler:onExit`
 * - `stepwright://dag/FILE[#L12]`
 *
 * Links only open pages. Every part must be a valid name of the engine, so that a link cannot lead elsewhere.
 */
export function readDeepLink(link: string): DeepLinkTarget {
  if (link.length > maxLinkLength) return invalidLink('the link is too long');
  const match = /^stepwright:\/\/([a-z]+)\/([^?#]*)(?:#(.*))?$/i.exec(link);
  if (!match) return invalidLink('unknown link type');
  const [, kind = '', path = '', fragment] = match;
  const segments = decodeSegments(path);
  const line = readLine(fragment);
  if (segments === undefined || line === null) return invalidLink('the link is malformed');
  if (kind === 'run') return readRunLink(segments, line);
  if (kind === 'dag') return readDagLink(segments, line);
  return invalidLink(`unknown link target "${kind}"`);
}

const invalidLink = (reason: string): DeepLinkTarget => ({ kind: 'refused', reason });

function decodeSegments(path: string): readonly string[] | undefined {
  try {
    return path.replace(/\/$/, '').split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** Returns undefined without a fragment, null for an invalid one. */
function readLine(fragment: string | undefined): number | undefined | null {
  if (fragment === undefined || fragment === '') return undefined;
  const [, line] = /^L([1-9]\d{0,8})$/.exec(fragment) ?? [];
  return line === undefined ? null : Number(line);
}

function readRunLink(segments: readonly string[], line: number | undefined): DeepLinkTarget {
  const [name = '', dagRunId = '', step, ...rest] = segments;
  if (rest.length > 0 || !fits(name, dagNamePattern) || !fits(dagRunId, runIdPattern))
    return invalidLink('no valid run');
  if (step !== undefined && (step === '' || step.length > maxStepNameLength || /\p{Cc}/u.test(step)))
    return invalidLink('no valid step');
  const query = new URLSearchParams();
  if (step?.startsWith(handlerMark) === true) query.set('handler', step.slice(handlerMark.length));
  else if (step !== undefined) query.set('step', step);
  if (step !== undefined && line !== undefined) query.set('line', String(line));
  return address(`/runs/${encodeURIComponent(name)}/${encodeURIComponent(dagRunId)}`, query);
}

function readDagLink(segments: readonly string[], line: number | undefined): DeepLinkTarget {
  const [file = '', ...rest] = segments;
  const name = file.replace(/\.ya?ml$/i, '');
  if (rest.length > 0 || !fits(name, fileNamePattern)) return invalidLink('no valid workflow');
  const query = new URLSearchParams(line === undefined ? {} : { line: String(line) });
  return address(`/dags/${encodeURIComponent(name)}${line === undefined ? '' : '/edit'}`, query);
}

/** A name that consists only of dots would be a directory. */
const fits = (text: string, pattern: string): boolean =>
  new RegExp(pattern).test(text) && !/^\.+$/.test(text);

const address = (path: string, query: URLSearchParams): DeepLinkTarget => ({
  kind: 'address',
  address: `#${path}${query.size === 0 ? '' : `?${query.toString()}`}`,
});
