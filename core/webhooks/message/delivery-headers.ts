import { signBody } from '../signature/hub-signature.ts';
import type { EncodedBody } from './encode-body.ts';

/** What the headers of a delivery tell. */
export interface DeliveryFacts {
  readonly hookId: number;
  readonly event: string;
  /** GUID of the event, the same in all its deliveries. */
  readonly guid: string;
  /** Where the webhook was created: `repository`, `organization`, `business`, `integration`, … */
  readonly targetType: string;
  readonly targetId: number;
  /** Name of the event in `X-GitHub-Event`; without one no `X-GitHub-*` header is sent. */
  readonly githubEvent?: string | undefined;
  /** Without one the delivery is not signed. */
  readonly secret?: string | undefined;
}

/** Writes the headers of a delivery, in the order in which GitHub sends them. */
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

/** The prefix is GitHub's, and receivers may look for it; what follows is a constant of ours. */
const userAgent = 'Platform-Hookshot/stepwright';
