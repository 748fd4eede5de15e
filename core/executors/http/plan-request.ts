import { stat } from 'node:fs/promises';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { resolve } from 'node:path';
import { isJson, type JsonObject } from '../../base/json.ts';
import { formatFsError } from '../../base/errors.ts';
import { type ConfigOf, httpConfig } from '../../model/executor-config.ts';
import type { ExecutorAction } from '../../model/step.ts';
import { readTraceContext, traceHeaders } from '../../model/trace-context.ts';
import { formatNumberError, readHttpScript, readRequestLine } from '../../spec/executors/http.ts';
import { createReport } from '../../spec/source.ts';
import { evaluateConfig } from '../evaluate-config.ts';
import type { StepContext } from '../executor.ts';
import type { HttpRequest } from './exchange.ts';
import { HttpFailure } from './explain-error.ts';

export type HttpConfig = ConfigOf<typeof httpConfig>;

/** The expanded configuration of a step. */
export interface HttpPlan {
  readonly config: HttpConfig;
  readonly request: HttpRequest;
}

/**
 * Evaluates a step when it starts.
 * @throws HttpFailure or ConfigError naming the field
 */
export async function planRequest(context: StepContext, action: ExecutorAction): Promise<HttpPlan> {
  const words = action.argv ?? [action.command ?? ''];
  const expanded: string[] = [];
  for (const word of words) expanded.push(await context.expand(word));
  const line = readRequestLine(expanded.join(' '));
  if ('fault' in line) throw new HttpFailure(line.fault);
  const config = await readConfig(context, action);
  const request: HttpRequest = {
    method: line.method,
    url: buildUrl(line.url, config.query ?? {}),
    headers: readHeaders(config.headers ?? {}, context.env),
    body: await readBody(config, context.workingDir),
  };
  return { config, request };
}

async function readConfig(context: StepContext, action: ExecutorAction): Promise<HttpConfig> {
  const { script } = action;
  const written = action.config as JsonObject;
  const scripted = script === undefined || script.trim() === '' ? {} : await readScript(script, context);
  const config = await evaluateConfig(httpConfig, { ...written, ...scripted }, context.expand);
  for (const name of ['timeout', 'maxRedirects', 'maxBodyBytes'] as const) {
    const value = config[name];
    const problem = value === undefined ? undefined : formatNumberError(name, value);
    if (problem !== undefined) throw new HttpFailure(`config.${name} is ${value}, but ${problem}`);
  }
  if (config.body !== undefined && config.bodyFile !== undefined)
    throw new HttpFailure('config.body and config.bodyFile cannot be used together. Keep one of them');
  return config;
}

/**
 * Expands a JSON script string by string, so that no value can break its syntax. Other scripts are expanded as a
 * whole.
 */
async function readScript(script: string, { expand }: StepContext): Promise<JsonObject> {
  const text = isJson(script) ? script : await expand(script);
  const report = createReport(text, '');
  const config = readHttpScript(
    text,
    { node: { kind: 'scalar', start: 0, value: text, text }, path: 'script' },
    report,
  );
  const [problem] = report.list();
  if (config !== undefined && problem === undefined) return config;
  throw new HttpFailure(
    `${problem?.message ?? 'the script is not a valid configuration'} (${problem?.path ?? 'script'})`,
  );
}

function buildUrl(written: string, query: Readonly<Record<string, string>>): URL {
  if (!URL.canParse(written))
    throw new HttpFailure(`invalid URL ${JSON.stringify(written.slice(0, 200))}. Check the host and port`);
  const url = new URL(written);
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
  return url;
}

/** Header fields that the engine sets itself because it knows the length of the body. */
const framing = ['content-length', 'transfer-encoding', 'connection'];

function readHeaders(
  written: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(written)) {
    checkHeader(name, value);
    if (!framing.includes(name.toLowerCase())) headers[name.toLowerCase()] = value;
  }
  // Pass the trace context of the run to the server (W3C Trace Context).
  const context = readTraceContext({ traceparent: env['TRACEPARENT'], tracestate: env['TRACESTATE'] });
  if ('traceparent' in headers || context === undefined) return headers;
  return { ...traceHeaders(context), ...headers };
}

function checkHeader(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw new HttpFailure(
      `invalid header ${JSON.stringify(name.slice(0, 60))} in config.headers. Names allow letters, digits and hyphens; values allow no line breaks and only Latin-1 characters`,
    );
  }
}

async function readBody({ body, bodyFile }: HttpConfig, workingDir: string): Promise<HttpRequest['body']> {
  if (body !== undefined) return Buffer.from(body);
  if (bodyFile === undefined) return undefined;
  const file = resolve(workingDir, bodyFile);
  try {
    const stats = await stat(file);
    if (stats.isFile()) return { file, size: stats.size };
  } catch (error) {
    throw new HttpFailure(`cannot read the file of config.bodyFile, ${file}: ${formatFsError(error)}`);
  }
  throw new HttpFailure(`the file of config.bodyFile is not a regular file: ${file}`);
}

/**
 * Whether a header field probably contains a credential, by standard and common names. These fields are not sent to
 * other servers on a redirect, and not logged.
 */
export const isCredential = (name: string): boolean =>
  /auth|cookie|token|secret|password|session|(?:^|[-_])key$|apikey/i.test(name);

/** Returns the URL without its user name and password. */
export function redactUrl(url: URL): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return shown.href;
}

/** Returns an `Authorization` field for the user name and password of a URL, or undefined if it has none. */
export function basicAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const pair = `${decode(username)}:${decode(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** Decodes percent escapes. An invalid escape is left as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
