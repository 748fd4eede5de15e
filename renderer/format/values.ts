import type { VersionView } from '../../core/contract/dag-files.ts';
import { isWebhookParam } from '../../core/model/webhook.ts';
import type { Parameter } from '../../core/model/workflow.ts';
import type { StepRunView } from '../../core/contract/run-views.ts';

/** Shorter ids are shown completely. */
const maxShownLength = 13;
const tailLength = 6;

/** Shortens a run id for tables. Runs differ in the end of a generated id; its beginning is the time. */
export const shortenRunId = (dagRunId: string): string =>
  dagRunId.length <= maxShownLength ? dagRunId : `…${dagRunId.slice(-tailLength)}`;

const generatedId = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g;

/** Shortens generated run ids in a sentence, and prevents line breaks inside them. */
export const shortenRunIds = (text: string): string =>
  text.replaceAll(generatedId, (id) => shortenRunId(id).replace('…', '…\u2060'));

/** Label of each kind of version. */
export const versionLabel: Readonly<Record<VersionView['kind'], string>> = {
  created: 'Created',
  saved: 'Saved',
  restored: 'Restored',
  found: 'Changed on disk',
  renamed: 'Renamed',
  unsaved: 'Draft of a deleted file',
  deleted: 'Deleted',
};

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
 * @param max maximum number of shown parameters
 */
export function pickParams(params: readonly Parameter[], max: number): FewParams {
  const regularParams = params.filter(({ name }) => !isWebhookParam(name));
  const telling = params.filter(({ name, value }) => descriptiveParams.has(name) && value !== '');
  const shown = [...regularParams, ...telling].slice(0, max);
  return { shown, more: params.length - shown.length };
}

/** Describes a maximum number of repetitions: `up to 3 times`. @param limit a number, or an expression */
export const formatLimit = (limit: number | string): string =>
  `up to ${limit} ${Number(limit) === 1 ? 'time' : 'times'}`;

/** Label of a step that waits for approval; its status stays running. */
export const askingLabels = 'Waiting for approval';

/** Whether a step waits for approval. */
export const isAsking = ({ approval }: Pick<StepRunView, 'approval'>): boolean =>
  approval !== undefined && approval.decision === undefined && approval.endedAt === undefined;
