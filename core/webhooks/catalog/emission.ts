import type { JsonObject } from '../../base/json.ts';
import { readPayloadValue } from '../message/read-payload-value.ts';

/** Limits above which no event is emitted. */
const limits = { tags: 3, branches: 5000, statusBranches: 10 } as const;

/** Something that has happened, before the emission rules are applied. */
export interface Occurrence {
  readonly event: string;
  readonly payload: JsonObject;
  /** Number of refs of the same kind created, deleted or pushed together. Default: 1. */
  readonly refsAtOnce?: number | undefined;
}

/** The payload to send, or why no event is emitted. */
export type Emission =
  | { readonly emitted: true; readonly payload: JsonObject }
  | { readonly emitted: false; readonly reason: string };

/** Applies GitHub's emission rules. */
export function emit({ event, payload, refsAtOnce = 1 }: Occurrence): Emission {
  const reason = findSkipReason(event, payload, refsAtOnce);
  if (reason !== undefined) return { emitted: false, reason };
  return { emitted: true, payload: event === 'status' ? shortenBranches(payload) : payload };
}

function findSkipReason(event: string, payload: JsonObject, refsAtOnce: number): string | undefined {
  if (isTagEvent(event, payload) && refsAtOnce > limits.tags) {
    return `\`${event}\` is not sent if more than ${limits.tags} tags are pushed at once (here: ${refsAtOnce}).`;
  }
  if (event === 'push' && !isTagEvent(event, payload) && refsAtOnce > limits.branches) {
    return `\`push\` is not sent if more than ${limits.branches} branches are pushed at once (here: ${refsAtOnce}).`;
  }
  if (
    event === 'deployment_status' &&
    readPayloadValue(payload, 'deployment_status', 'state') === 'inactive'
  ) {
    return '`deployment_status` is not sent for the state `inactive`.';
  }
  return undefined;
}

function isTagEvent(event: string, payload: JsonObject): boolean {
  if (event === 'create' || event === 'delete') return payload['ref_type'] === 'tag';
  const { ref } = payload;
  return event === 'push' && typeof ref === 'string' && ref.startsWith('refs/tags/');
}

function shortenBranches(payload: JsonObject): JsonObject {
  const branches = payload['branches'];
  return Array.isArray(branches) && branches.length > limits.statusBranches
    ? { ...payload, branches: branches.slice(0, limits.statusBranches) }
    : payload;
}
