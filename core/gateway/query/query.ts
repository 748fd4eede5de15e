/** A step into a JSON, composite or array value: a key, or an index (which may be negative). */
export interface JsonStep {
  readonly arrow: '->' | '->>';
  readonly key: string | number;
}

/** A column, and the way into it. */
export interface Field {
  readonly column: string;
  readonly json: readonly JsonStep[];
}

export type Aggregate = 'avg' | 'count' | 'max' | 'min' | 'sum';

/** What one place of `select=` asks for. */
export type SelectItem =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'field';
      /** Absent for `count()`. */
      readonly field?: Field;
      readonly alias?: string;
      /** Of the field, before an aggregate. */
      readonly cast?: string;
      readonly aggregate?: { readonly function: Aggregate; readonly cast?: string };
    }
  | {
      readonly kind: 'embed';
      /** A relation, a constraint or a column of a foreign key. */
      readonly target: string;
      readonly alias?: string;
      /** Constraint, column or junction that tells several ways apart. */
      readonly hint?: string;
      readonly isInner: boolean;
      /** `...target(…)`: its columns become those of the parent. */
      readonly isSpread: boolean;
      readonly items: readonly SelectItem[];
    };

export const comparisonOperators = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'] as const;
export const patternOperators = ['like', 'ilike', 'match', 'imatch'] as const;
export const rangeOperators = ['cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj'] as const;
export const searchOperators = ['fts', 'plfts', 'phfts', 'wfts'] as const;

export type PlainOperator =
  | (typeof comparisonOperators)[number]
  | (typeof patternOperators)[number]
  | (typeof rangeOperators)[number]
  | 'isdistinct';
export type SearchOperator = (typeof searchOperators)[number];

/** One test of one field. Values are texts as they came, with `*` of patterns still in them. */
export type Test =
  | { readonly operator: PlainOperator; readonly value: string }
  /** `eq(any).{a,b}`: holds for any, or for all of the values. */
  | {
      readonly operator: PlainOperator;
      readonly quantifier: 'any' | 'all';
      readonly values: readonly string[];
    }
  | { readonly operator: SearchOperator; readonly language?: string; readonly value: string }
  | { readonly operator: 'in'; readonly values: readonly string[] }
  | { readonly operator: 'is'; readonly value: 'null' | 'not_null' | 'true' | 'false' | 'unknown' };

/** What rows must meet. */
export type Condition =
  | { readonly kind: 'test'; readonly field: Field; readonly isNegated: boolean; readonly test: Test }
  | {
      readonly kind: 'and' | 'or';
      readonly isNegated: boolean;
      readonly conditions: readonly Condition[];
    };

export interface OrderTerm {
  readonly field: Field;
  /** Of an embedded to-one: `order=rel(col)`. */
  readonly relation?: string;
  readonly direction: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last';
}

/** What was asked of one level of the tree of embedded resources; the root has an empty path. */
export interface Level {
  /** Names or aliases of embedded resources, from the root. */
  readonly path: readonly string[];
  readonly conditions: readonly Condition[];
  readonly order: readonly OrderTerm[];
  readonly limit?: number;
  readonly offset?: number;
}

/** The query string of a request, parsed. */
export interface Query {
  /** Empty means all columns. */
  readonly select: readonly SelectItem[];
  readonly root: Level;
  readonly embedded: readonly Level[];
  /** `columns=`: what of a body is written. */
  readonly columns?: readonly string[];
  /** `on_conflict=`. */
  readonly onConflict?: readonly string[];
  /**
   * Whatever else it says, decoded, in order: arguments of a function called by GET. For those, a value that parses
   * as an operator is also a filter; `planCall` decides by the names of the parameters.
   */
  readonly others: readonly { readonly name: string; readonly value: string }[];
}

/** `Prefer`, parsed; absent means that nothing was said. */
export interface Preferences {
  readonly return?: 'minimal' | 'headers-only' | 'representation';
  readonly count?: 'exact' | 'planned' | 'estimated';
  readonly resolution?: 'merge-duplicates' | 'ignore-duplicates';
  readonly missing?: 'default' | 'null';
  readonly handling?: 'strict' | 'lenient';
  readonly tx?: 'commit' | 'rollback';
  readonly timezone?: string;
  readonly maxAffected?: number;
  /** Our own: `unfiltered=allow` lets a PATCH or DELETE without filters touch every row. */
  readonly unfiltered?: 'allow';
}

/** What the response is to look like. */
export type ResponseFormat =
  | { readonly kind: 'array' | 'object'; readonly stripsNulls: boolean }
  | { readonly kind: 'csv' }
  | { readonly kind: 'openapi' };

/** A body as JSON text, never parsed into numbers; its keys are known. */
export interface Body {
  /** An object, or an array of objects; CSV and forms have been made into one with string values. */
  readonly json: string;
  readonly isArray: boolean;
  /** Of every object alike; empty for `{}` and `[]`. */
  readonly keys: readonly string[];
  readonly count: number;
}
