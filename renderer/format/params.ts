import { isWebhookParam } from '../../core/model/workflow/webhook-params.ts';
import type { Parameter } from '../../core/model/workflow/workflow.ts';

/** Webhook parameters that distinguish runs; the trigger already names the receiver. */
const descriptiveParams: ReadonlySet<string> = new Set(['WEBHOOK_EVENT', 'WEBHOOK_ACTION']);

/** Formats as on the command line: `NAME=value`, or only the value of a positional parameter. */
export const formatParam = ({ name, value }: Parameter): string =>
  /^\d+$/.test(name) ? value : `${name}=${value}`;

/** The parameters of a run shown in a compact place. */
export interface FewParams {
  readonly shown: readonly Parameter[];
  /** Number of omitted parameters. */
  readonly more: number;
}

/**
 * Picks the workflow's own parameters first, then the webhook event; parameters that identify a single
 * delivery, or are empty, are only counted.
 * @param most maximum number of shown parameters
 */
export function pickParams(params: readonly Parameter[], max: number): FewParams {
  const regularParams = params.filter(({ name }) => !isWebhookParam(name));
  const telling = params.filter(({ name, value }) => descriptiveParams.has(name) && value !== '');
  const shown = [...regularParams, ...telling].slice(0, max);
  return { shown, more: params.length - shown.length };
}
