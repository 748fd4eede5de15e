import type { StepAction } from './step.ts';

/** Lifecycle handlers in the order in which they may run. */
export const handlerNames = ['init', 'success', 'failure', 'abort', 'exit'] as const;

export type HandlerName = (typeof handlerNames)[number];

/** Types of a parameter, in the words of JSON Schema. */
export const paramTypes = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;

/** Longest spans of the calendars of runs and of schedules, in days. */
export const maxCalendarDays = { runs: 400, schedules: 35, statistics: 90 } as const;

/** Nicknames of expressions, as in cron; `@reboot` has no fields. */
export const cronNicknames: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** The schedule entry that starts a workflow when the scheduler starts. It has no next time. */
export const engineStart = '@reboot';

/** A schedule entry for a single run: a local date and time, such as `2026-12-01T14:00`. */
export const oneTimePattern = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2})?$/;

// The rule of Vixie cron and its descendants (Debian's cron, cronie).
/**
 * Whether a cron expression requires both the day of the month and the day of the week to match: this is so when either
 * field starts with a star, with or without a step; otherwise one is enough. A day of the week that starts with `+`
 * also requires both.
 * @param fields five or six fields, without a time zone
 */
export function needsBothDays(fields: string): boolean {
  const fieldTexts = fields.trim().split(/\s+/);
  const [day = '', weekday = ''] = [fieldTexts.at(-3), fieldTexts.at(-1)];
  return /^[*]/.test(day) || /^[*+]/.test(weekday);
}

/** Encodings of logs, by their labels in the Encoding Standard. */
export const logCharsets = [
  'utf-8',
  'shift_jis',
  'euc-jp',
  'iso-8859-1',
  'windows-1252',
  'gbk',
  'big5',
  'euc-kr',
] as const;

export type LogCharset = (typeof logCharsets)[number];

/** Parses a port; returns undefined when the string is not a port. */
export function readMailPort(text: string): number | undefined {
  const port = Number(text);
  return /^[0-9]{1,5}$/.test(text) && port > 0 && port < 65_536 ? port : undefined;
}

/** The URL for traces, or the problem as the second half of a sentence. */
export type OtelEndpoint = { readonly url: string } | { readonly fault: string };

const tracesPath = '/v1/traces';

const addressPattern = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/?#]+)([^?#]*)(\?[^#]*)?(?:#.*)?$/i;

/**
 * Returns the URL of `otel.endpoint`. Without a path it gets the path of OTLP over HTTP; without a scheme https, or
 * http when `insecure` is set.
 */
export function readOtelEndpoint(text: string, insecure: boolean): OtelEndpoint {
  const [, scheme, authority, path = '', query = ''] = addressPattern.exec(text.trim()) ?? [];
  if (authority === undefined) return { fault: 'not a URL such as http://localhost:4318' };
  const known = scheme?.toLowerCase() ?? (insecure ? 'http' : 'https');
  const hasPath = path !== '' && path !== '/';
  if (known !== 'http' && known !== 'https')
    return { fault: `"${known}" is not supported: traces are sent with OTLP over HTTP. ${adviceForHttp}` };
  if (authority.endsWith(':4317') && !hasPath)
    return { fault: `port 4317 is OTLP over gRPC, which is not supported. ${adviceForHttp}` };
  return { url: `${known}://${authority}${hasPath ? path : tracesPath}${query}` };
}

const adviceForHttp = 'Use the OTLP/HTTP endpoint of the collector, usually port 4318: http://localhost:4318';

/** Labels that a worker must have, by name, with exactly these values. */
export type WorkerSelector = Readonly<Record<string, string>>;

/**
 * Combines selectors; later ones override earlier ones. Returns undefined when no labels are required, which every host
 * matches.
 */
export function joinSelectors(
  ...selectors: readonly (WorkerSelector | undefined)[]
): WorkerSelector | undefined {
  const joined: WorkerSelector = Object.assign({}, ...selectors);
  return Object.keys(joined).length === 0 ? undefined : joined;
}

/** `gpu=yes, region=eu` */
export const formatLabels = (selector: WorkerSelector): string =>
  Object.entries(selector)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');

/** `no worker matches gpu=yes, region=eu` */
export const formatNoWorker = (selector: WorkerSelector): string =>
  `no worker matches ${formatLabels(selector)}`;

/**
 * Whether only hosts can run the action, even in a run with workers: a run of another workflow, a question to a person.
 */
export const isHostsAction = (action: StepAction): boolean => action.kind === 'dag' || isApproval(action);

/** Whether it waits for a person's answer. */
export const isApproval = (action: StepAction): boolean =>
  action.kind === 'executor' && action.type === 'approval';
