import { resolve } from 'node:path';
import type { ActionExecutor, ExecutorResult, StepContext, StepTask } from './executor.ts';
import {
  formatErrorResponse,
  formatHead,
  formatJson,
  isSuccess,
  readText,
  reportBytes,
  decodeBody,
  saveBody,
} from './http/response-body.ts';
import { getAuthority } from './http/connect.ts';
import { redactUrl, planRequest, type HttpConfig, type HttpPlan } from './http/plan-request.ts';
import { explainError, HttpFailure } from './http/explain-error.ts';
import { follow, type FinalResponse, openWatch, type Watch } from './http/exchange.ts';

const defaultMaxRedirects = 10;
const defaultMaxBodyBytes = 10 * 1024 * 1024;
/** Maximum length of a body that is stored for an error message, in UTF-16 code units. */
const maxErrorBodyLength = 4096;

/** Sends an HTTP request. Each attempt opens its own connections. */
export const executor: ActionExecutor = {
  async run(context, action, task) {
    try {
      return await request(context, await planRequest(context, action), task);
    } catch (error) {
      if (error instanceof HttpFailure) return { exitCode: 1, error: error.message };
      throw error;
    }
  },
};

async function request(
  context: StepContext,
  plan: HttpPlan,
  { signal, output }: StepTask,
): Promise<ExecutorResult> {
  const { config } = plan;
  const debug = (line: string): void => {
    if (config.debug === true && !signal.aborted) output.stderr(`${line}\n`);
  };
  const watch = openWatch(context.clock, signal, config.timeout ?? 0, debug);
  const travel = {
    maxRedirects: config.maxRedirects ?? defaultMaxRedirects,
    skipTLSVerify: config.skipTLSVerify ?? false,
    env: context.env,
  };
  try {
    watch.signal.throwIfAborted();
    const answer = await follow(plan.request, travel, watch);
    const saveTo = config.saveTo === undefined ? undefined : resolve(context.workingDir, config.saveTo);
    return await report(answer, { config, saveTo, output, watch });
  } catch (error) {
    const reason: unknown = watch.signal.aborted ? watch.signal.reason : error;
    const circumstances = { phase: watch.phase, server: getAuthority(plan.request.url) };
    const { method, url } = plan.request;
    throw new HttpFailure(`${method} ${redactUrl(url)}: ${explainError(reason, circumstances)}`);
  } finally {
    watch.close();
  }
}

interface ResponseContext {
  readonly config: HttpConfig;
  /** Absolute path. */
  readonly saveTo: string | undefined;
  readonly output: StepTask['output'];
  readonly watch: Watch;
}

/** Reads the body and writes the output of the step. */
async function report(answer: FinalResponse, reporting: ResponseContext): Promise<ExecutorResult> {
  const { request: asked, response } = answer;
  const body = reportBytes(decodeBody(asked, response), reporting.watch);
  try {
    if (reporting.saveTo !== undefined && isSuccess(response))
      return await saveAnswer(answer, body, { ...reporting, saveTo: reporting.saveTo });
    const shown = await (reporting.config.json === true ? showJson : showText)(answer, body, reporting);
    if (isSuccess(response)) return { exitCode: 0 };
    throw new HttpFailure(formatErrorResponse(response, shown));
  } finally {
    response.destroy();
  }
}

async function saveAnswer(
  { response }: FinalResponse,
  body: AsyncIterable<Buffer>,
  { config, saveTo, output, watch }: ResponseContext & { readonly saveTo: string },
): Promise<ExecutorResult> {
  const bytes = await saveBody(body, saveTo, watch.signal);
  watch.signal.throwIfAborted();
  if (config.json === true) output.stdout(formatJson(response, undefined, { file: saveTo, bytes }));
  else if (config.silent !== true) output.stdout(formatHead(response));
  output.stderr(`saved ${bytes} bytes to ${saveTo}\n`);
  return { exitCode: 0 };
}

/**
 * Writes the body as it arrives.
 * @returns its start
 */
async function showText(
  { response }: FinalResponse,
  body: AsyncIterable<Buffer>,
  { config, output }: ResponseContext,
): Promise<string> {
  const limit = config.maxBodyBytes ?? defaultMaxBodyBytes;
  let beginning = '';
  if (config.silent !== true) output.stdout(formatHead(response));
  const isCut = await readText(response, body, limit, (text) => {
    if (beginning.length < maxErrorBodyLength) beginning += text.slice(0, maxErrorBodyLength);
    output.stdout(text);
  });
  if (isCut) {
    output.stderr(
      `Response body truncated after ${limit} bytes. Save it with config.saveTo, or raise config.maxBodyBytes.\n`,
    );
  }
  return beginning;
}

/**
 * Writes the response as JSON. A truncated body would be invalid JSON, so the step fails if the body exceeds the
 * limit.
 */
async function showJson(
  { response }: FinalResponse,
  body: AsyncIterable<Buffer>,
  { config, output }: ResponseContext,
): Promise<string> {
  const limit = config.maxBodyBytes ?? defaultMaxBodyBytes;
  const chunks: string[] = [];
  const isCut = await readText(response, body, limit, (text) => void chunks.push(text));
  const text = chunks.join('');
  if (isCut && isSuccess(response)) {
    throw new HttpFailure(
      `the response body exceeds ${limit} bytes, which is too large for "json". Save it with config.saveTo, or raise config.maxBodyBytes`,
    );
  }
  output.stdout(formatJson(response, text));
  return text;
}
