import { signBody } from '../signature/hub-signature.ts';
import type { EncodedBody } from './encode-body.ts';

/** Header values of a delivery. */
export interface DeliveryInfo {
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
export function deliveryHeaders(info: DeliveryInfo, body: EncodedBody): Record<string, string> {
  const { githubEvent } = info;
  return {
    Accept: '*/*',
    'Content-Type': body.contentType,
    'Content-Length': String(body.bytes.length),
    'User-Agent': userAgent,
    ...describe('X-Platform', info),
    ...(githubEvent !== undefined && describe('X-GitHub', { ...info, event: githubEvent })),
    ...(info.secret !== undefined && info.secret !== '' && signBody(body.bytes, info.secret)),
  };
}

const describe = (prefix: 'X-Platform' | 'X-GitHub', info: DeliveryInfo): Record<string, string> => ({
  [`${prefix}-Delivery`]: info.guid,
  [`${prefix}-Event`]: info.event,
  [`${prefix}-Hook-ID`]: String(info.hookId),
  [`${prefix}-Hook-Installation-Target-ID`]: String(info.targetId),
  [`${prefix}-Hook-Installation-Target-Type`]: info.targetType,
});

/** The prefix is GitHub's, because receivers may check for it. */
const userAgent = 'Platform-Hookshot/stepwright';
