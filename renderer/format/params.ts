import { isWebhookParam } from '../../core/model/workflow/webhook-params.ts';
import type { Parameter } from '../../core/model/workflow/workflow.ts';

/** What of a webhook's parameters tells one run from another; the trigger names the receiver already. */
const tellingParams: ReadonlySet<string> = new Set(['WEBHOOK_EVENT', 'WEBHOOK_ACTION']);

/** As on the command line: `NAME=value`, or the value alone where the parameter has only a place. */
export const formatParam = ({ name, value }: Parameter): string =>
  /^\d+$/.test(name) ? value : `${name}=${value}`;

/** The parameters of a run for a place with room for a few. */
export interface FewParams {
  readonly shown: readonly Parameter[];
  /** How many more there are. */
  readonly more: number;
}

/**
 * The first of the workflow's own parameters, then what a webhook's event was; what identifies a single delivery, or
 * says nothing, is only counted.
 * @param most how many are shown at most
 */
export function pickParams(params: readonly Parameter[], most: number): FewParams {
  const own = params.filter(({ name }) => !isWebhookParam(name));
  const telling = params.filter(({ name, value }) => tellingParams.has(name) && value !== '');
  const shown = [...own, ...telling].slice(0, most);
  return { shown, more: params.length - shown.length };
}
