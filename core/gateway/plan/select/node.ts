import type { Relation } from '../../catalog/catalog.ts';
import type { Level, SelectItem } from '../../query/query.ts';
import type { Sql } from '../sql.ts';
import type { Source } from './source.ts';

type EmbedItem = Extract<SelectItem, { kind: 'embed' }>;

/** One place of `select=` that is not an embedded resource. */
export type PlainItem = Exclude<SelectItem, EmbedItem>;

/** One level of what is selected: rows of one source, in the order and within the bounds that were asked for. */
export interface Node {
  readonly source: Source;
  /** What stands in FROM, with the alias of the source. */
  readonly from: Sql;
  /** What joins it with the level above. */
  readonly joins: readonly Sql[];
  readonly items: readonly (PlainItem | Child)[];
  readonly level: Level;
  /** Rows at most, whatever was asked for. */
  readonly maxRows?: number | undefined;
}

/** An embedded resource. */
export interface Child {
  readonly kind: 'child';
  /** What filters and orders call it, and the response unless it is spread: its alias, else its target. */
  readonly name: string;
  readonly target: string;
  /** Of the lateral query that gives its rows, beside the source above it. */
  readonly alias: string;
  readonly isToMany: boolean;
  readonly isInner: boolean;
  readonly isSpread: boolean;
  readonly relation: Relation;
  readonly node: Node;
}

/** Whether nothing of it is shown: `target()`, and what embeds nothing else. */
export const isEmpty = ({ items }: Node): boolean =>
  items.every((item) => item.kind === 'child' && isEmpty(item.node));

export const childrenOf = (node: Node): readonly Child[] =>
  node.items.filter((item): item is Child => item.kind === 'child');
