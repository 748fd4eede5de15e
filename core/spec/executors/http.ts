import { type JsonObject, type JsonValue, explainInvalidJson } from '../../base/json.ts';
import { httpConfig } from '../../model/executor-config.ts';
import type { ExecutorAction } from '../../model/step.ts';
import { type Report, getField, type SourceRef, type SourceNode } from '../source.ts';
import { readConfig } from './read-config.ts';
import { hasReference } from '../parse-template.ts';

/**
 * Parses a script that contains the configuration as JSON. Errors are reported at the script.
 * @returns undefined if it is not a JSON object
 */
export function readHttpScript(script: string, source: SourceRef, report: Report): JsonObject | undefined {
  const parsed = parseObject(script);
  if (typeof parsed === 'string') {
    report.error(source, `"script" must be a JSON object with the fields of "config": ${parsed}`);
    return undefined;
  }
  const node = toNode(parsed, source.node.start);
  return readConfig(httpConfig, { node, path: source.path }, source, report);
}

/** Checks a step of type `http`. */
export function checkHttpStep(action: ExecutorAction, step: SourceRef, report: Report): void {
  checkCommand(action, getField(step, 'command'), report);
  const config = getField(
    step.node.kind === 'map' && step.node.entries.has('config') ? step : getField(step, 'type'),
    'config',
  );
  checkConfig(action.config as JsonObject, config, report);
  const { script } = action;
  if (script === undefined || script.trim() === '') return;
  // A script that is valid JSON only after expansion is parsed when the step starts.
  if (hasReference(script) && typeof parseObject(script) === 'string') return;
  const field = getField(step, 'script');
  const scripted = readHttpScript(script, field, report);
  if (scripted !== undefined) checkConfig(scripted, field, report);
}

function checkCommand({ command, argv }: ExecutorAction, source: SourceRef, report: Report): void {
  const words = argv ?? [command ?? ''];
  if (words.some(hasReference)) return;
  const line = readRequestLine(words.join(' '));
  if ('fault' in line) report.error(source, line.fault);
}

/** Checks the numbers of the configuration. Strings are expressions whose value is not known yet. */
function checkConfig(config: JsonObject, source: SourceRef, report: Report): void {
  if (config['body'] !== undefined && config['bodyFile'] !== undefined)
    report.error(
      getField(source, 'bodyFile'),
      '"body" and "bodyFile" cannot be used together. Keep one of them.',
    );
  for (const name of ['timeout', 'maxRedirects', 'maxBodyBytes']) {
    const value = config[name];
    if (typeof value !== 'number') continue;
    const problem = formatNumberError(name, value);
    if (problem !== undefined) report.error(getField(source, name), `"${name}" ${problem}.`);
  }
}

/**
 * Describes what is wrong with a number of the configuration, to follow its name. Returns undefined if it is valid.
 */
export function formatNumberError(name: string, value: number): string | undefined {
  if (name === 'timeout') return value < 0 ? 'must be a number of seconds, 0 or more' : undefined;
  return Number.isSafeInteger(value) && value >= 0 ? undefined : 'must be a whole number, 0 or more';
}

/** Returns the object, or an error message. */
function parseObject(text: string): JsonObject | string {
  try {
    const value = JSON.parse(text) as JsonValue;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    return 'the JSON is not an object.';
  } catch {
    return `${explainInvalidJson(text)}.`;
  }
}

/** Converts JSON to source nodes, so that it passes the same checks as YAML; all nodes have the same position. */
function toNode(value: JsonValue, start: number): SourceNode {
  if (value === null || typeof value !== 'object')
    return { kind: 'scalar', start, value, text: value === null ? '' : String(value) };
  if (Array.isArray(value)) return { kind: 'list', start, items: value.map((item) => toNode(item, start)) };
  const entries = Object.entries(value).map(
    ([key, item]) => [key, { keyStart: start, node: toNode(item, start) }] as const,
  );
  return { kind: 'map', start, entries: new Map(entries) };
}

/** The method and URL of a request, or an error message. */
export type RequestLine = { readonly method: string; readonly url: string } | { readonly fault: string };

/** Characters of a token (RFC 9110, 5.6.2). */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Parses `METHOD URL`. Only the scheme and host of the URL are validated. */
export function readRequestLine(text: string): RequestLine {
  const [method = '', ...rest] = text.trim().split(/\s+(.*)/s);
  const url = rest.join('').trim();
  if (url === '') {
    const hint = /^https?:/i.test(method) ? `Write "GET ${method}".` : 'Example: GET https://example.com/.';
    return { fault: `"command" must be a method and a URL. ${hint}` };
  }
  if (!token.test(method))
    return { fault: `Unknown HTTP method "${method.slice(0, 40)}". Use a method such as GET or POST.` };
  if (!/^https?:\/\/[^/?#\s]/i.test(url)) {
    return {
      fault: `Invalid URL "${url.slice(0, 200)}". Use an absolute URL with http:// or https://.`,
    };
  }
  return { method: method.toUpperCase(), url };
}
