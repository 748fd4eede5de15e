import type { WebhookKind } from '../../contract/webhooks/events.ts';

/** A kind of hook owner, with the paths of its hooks. */
export interface WebhookTarget {
  readonly kind: WebhookKind;
  /** Path prefix of its hooks; `:owner` and `:repo` are its name. */
  readonly prefix: string;
  /** There is a single hook at `/hook`: of the only app, or of the app in `?slug=`. */
  readonly isOwn?: true;
}

/** Hook paths by kind of owner. */
export const webhookTargets: readonly WebhookTarget[] = [
  { kind: 'repository', prefix: '/repos/:owner/:repo' },
  { kind: 'organization', prefix: '/orgs/:owner' },
  { kind: 'enterprise', prefix: '/enterprises/:owner' },
  { kind: 'app', prefix: '/apps/:owner' },
  { kind: 'app', prefix: '/app', isOwn: true },
  { kind: 'marketplace', prefix: '/marketplace_listings/:owner' },
  { kind: 'sponsored', prefix: '/sponsors/:owner' },
];

/** Path parameters of these. */
export interface TargetParams {
  readonly owner?: string;
  readonly repo?: string;
  readonly hookId?: string;
  readonly deliveryId?: string;
}

/** Returns the owner name of a path. */
export const ownerOf = ({ owner = '', repo }: TargetParams): string =>
  repo === undefined ? owner : `${owner}/${repo}`;
