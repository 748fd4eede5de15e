import type { Relation } from '../../catalog/catalog.ts';
import type { Level, SelectItem } from '../../query/query.ts';
import type { Sql } from '../sql.ts';
import type { Source } from './source.ts';

type EmbedItem = Extract<SelectItem, { kind: 'embed' }>;

/** An entry of `select=` that is not an embedded resource. */
export type PlainItem = Exclude<SelectItem, EmbedItem>;

/** One level of the selection: rows of one source with order and limits. */
export interface Node {
  readonly source: Source;
  /** FROM item with the alias of the source. */
  readonly from: Sql;
  /** Join conditions with the parent level. */
  readonly joins: readonly Sql[];
  readonly items: readonly (PlainItem | Child)[];
  readonly level: Level;
  /** Maximum number of rows regardless of the request. */
  readonly maxRows?: number | undefined;
}

/** An embedded resource. */
export interface Child {
  readonly kind: 'child';
  /** Name in filters and orders, and in the response unless spread: the alias, else the target. */
  readonly name: string;
  readonly target: string;
  /** Alias of the lateral query of its rows. */
  readonly alias: string;
  readonly isToMany: boolean;
  readonly isInner: boolean;
  readonly isSpread: boolean;
  readonly relation: Relation;
  readonly node: Node;
}

/** Whether nothing of it is shown: `target()`, or only empty embedded resources. */
export const isEmpty = ({ items }: Node): boolean =>
  items.every((item) => item.kind === 'child' && isEmpty(item.node));

export const childrenOf = (node: Node): readonly Child[] =>
  node.items.filter((item): item is Child => item.kind === 'child');
