/** A step into a JSON, composite or array value: a key, or an index (which may be negative). */
export interface JsonStep {
  readonly arrow: '->' | '->>';
  readonly key: string | number;
}

/** A column with an optional JSON path. */
export interface Field {
  readonly column: string;
  readonly json: readonly JsonStep[];
}

export type Aggregate = 'avg' | 'count' | 'max' | 'min' | 'sum';

/** An entry of `select=`. */
export type SelectItem =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'field';
      /** Absent for `count()`. */
      readonly field?: Field;
      readonly alias?: string;
      /** Cast of the field, before an aggregate. */
      readonly cast?: string;
      readonly aggregate?: { readonly function: Aggregate; readonly cast?: string };
    }
  | {
      readonly kind: 'embed';
      /** A relation, a constraint or a foreign key column. */
      readonly target: string;
      readonly alias?: string;
      /** Constraint, column or junction that selects one of several relationships. */
      readonly hint?: string;
      readonly isInner: boolean;
      /** `...target(…)`: its columns become columns of the parent. */
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

/** A test of a field. Values are strings as received, with the `*` of patterns. */
export type Test =
  | { readonly operator: PlainOperator; readonly value: string }
  /** `eq(any).{a,b}`: true for any, or for all of the values. */
  | {
      readonly operator: PlainOperator;
      readonly quantifier: 'any' | 'all';
      readonly values: readonly string[];
    }
  | { readonly operator: SearchOperator; readonly language?: string; readonly value: string }
  | { readonly operator: 'in'; readonly values: readonly string[] }
  | { readonly operator: 'is'; readonly value: 'null' | 'not_null' | 'true' | 'false' | 'unknown' };

/** A filter condition. */
export type Condition =
  | { readonly kind: 'test'; readonly field: Field; readonly isNegated: boolean; readonly test: Test }
  | {
      readonly kind: 'and' | 'or';
      readonly isNegated: boolean;
      readonly conditions: readonly Condition[];
    };

export interface OrderTerm {
  readonly field: Field;
  /** Embedded to-one resource: `order=rel(col)`. */
  readonly relation?: string;
  readonly direction: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last';
}

/** Request parameters of one level of embedded resources; the root has an empty path. */
export interface Level {
  /** Names or aliases of embedded resources, from the root. */
  readonly path: readonly string[];
  readonly conditions: readonly Condition[];
  readonly order: readonly OrderTerm[];
  readonly limit?: number;
  readonly offset?: number;
}

/** A parsed query string. */
export interface Query {
  /** Empty means all columns. */
  readonly select: readonly SelectItem[];
  readonly root: Level;
  readonly embedded: readonly Level[];
  /** `columns=`: body columns to write. */
  readonly columns?: readonly string[];
  /** `on_conflict=`. */
  readonly onConflict?: readonly string[];
  /**
   * Other parameters, decoded, in order: arguments of a function called by GET. A value that parses as an operator is
   * also a filter; `planCall` decides by the parameter names.
   */
  readonly others: readonly { readonly name: string; readonly value: string }[];
}

/** Parsed `Prefer`; absent values were not given. */
export interface Preferences {
  readonly return?: 'minimal' | 'headers-only' | 'representation';
  readonly count?: 'exact' | 'planned' | 'estimated';
  readonly resolution?: 'merge-duplicates' | 'ignore-duplicates';
  readonly missing?: 'default' | 'null';
  readonly handling?: 'strict' | 'lenient';
  readonly tx?: 'commit' | 'rollback';
  readonly timezone?: string;
  readonly maxAffected?: number;
  /** Not part of PostgREST: `unfiltered=allow` permits PATCH or DELETE of all rows without filters. */
  readonly unfiltered?: 'allow';
}

/** Requested format of the response. */
export type ResponseFormat =
  | { readonly kind: 'array' | 'object'; readonly stripsNulls: boolean }
  | { readonly kind: 'csv' }
  | { readonly kind: 'openapi' };

/** A body as JSON text with known keys. Numbers are never parsed. */
export interface Body {
  /** An object or an array of objects; CSV and forms have been converted to objects with strings. */
  readonly json: string;
  readonly isArray: boolean;
  /** Keys of every object; empty for `{}` and `[]`. */
  readonly keys: readonly string[];
  readonly count: number;
}

/** The body of a call as received, and as JSON if it is a JSON object (or an array of objects), CSV or a form. */
export interface CallBody {
  readonly mediaType: 'json' | 'text' | 'xml' | 'bytes';
  /** The whole body; bytes as `\x` and hexadecimal digits. */
  readonly text: string;
  readonly object?: Body;
  /** Form fields; names may repeat. */
  readonly form?: Query['others'];
}
