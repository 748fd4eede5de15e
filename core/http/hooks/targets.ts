import type { HookKind } from '../../contract/webhooks/events.ts';

/** Something that hooks belong to, and where its hooks are. */
export interface HookTarget {
  readonly kind: HookKind;
  /** Begins every address of its hooks; `:owner` and `:repo` are its name. */
  readonly prefix: string;
  /** There is one hook, at `/hook`: that of the only app here, or of the one that `?slug=` names. */
  readonly isOwn?: true;
}

/** Where the hooks of each kind of owner are. */
export const hookTargets: readonly HookTarget[] = [
  { kind: 'repository', prefix: '/repos/:owner/:repo' },
  { kind: 'organization', prefix: '/orgs/:owner' },
  { kind: 'enterprise', prefix: '/enterprises/:owner' },
  { kind: 'app', prefix: '/apps/:owner' },
  { kind: 'app', prefix: '/app', isOwn: true },
  { kind: 'marketplace', prefix: '/marketplace_listings/:owner' },
  { kind: 'sponsored', prefix: '/sponsors/:owner' },
];

/** Parts of a path of these. */
export interface TargetParams {
  readonly owner?: string;
  readonly repo?: string;
  readonly hookId?: string;
  readonly deliveryId?: string;
}

/** The name of the owner that a path is about. */
export const ownerOf = ({ owner = '', repo }: TargetParams): string =>
  repo === undefined ? owner : `${owner}/${repo}`;
