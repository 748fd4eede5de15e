import { signBody } from '../signature/hub-signature.ts';
import type { EncodedBody } from './encode-body.ts';

/** Header values of a delivery. */
export interface DeliveryFacts {
  readonly hookId: number;
  readonly event: string;
  /** GUID of the event, the same in all its deliveries. */
  readonly guid: string;
  /** Where the webhook was created: `repository`, `organization`, `business`, `integration`, … */
  readonly targetType: string;
  readonly targetId: number;
  /** Event name for `X-GitHub-Event`; if absent, no `X-GitHub-*` headers are sent. */
  readonly githubEvent?: string | undefined;
  /** If absent, the delivery is not signed. */
  readonly secret?: string | undefined;
}

/** Returns the headers of a delivery, in GitHub's order. */
export function deliveryHeaders(facts: DeliveryFacts, body: EncodedBody): Record<string, string> {
  const { githubEvent } = facts;
  return {
    Accept: '*/*',
    'Content-Type': body.contentType,
    'Content-Length': String(body.bytes.length),
    'User-Agent': userAgent,
    ...describe('X-Platform', facts),
    ...(githubEvent !== undefined && describe('X-GitHub', { ...facts, event: githubEvent })),
    ...(facts.secret !== undefined && facts.secret !== '' && signBody(body.bytes, facts.secret)),
  };
}

const describe = (prefix: 'X-Platform' | 'X-GitHub', facts: DeliveryFacts): Record<string, string> => ({
  [`${prefix}-Delivery`]: facts.guid,
  [`${prefix}-Event`]: facts.event,
  [`${prefix}-Hook-ID`]: String(facts.hookId),
  [`${prefix}-Hook-Installation-Target-ID`]: String(facts.targetId),
  [`${prefix}-Hook-Installation-Target-Type`]: facts.targetType,
});

/** The prefix is GitHub's, because receivers may check for it. */
const userAgent = 'Platform-Hookshot/stepwright';
