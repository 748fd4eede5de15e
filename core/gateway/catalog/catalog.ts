/** A name of the database with its schema, both unquoted. */
export interface QualifiedName {
  readonly schema: string;
  readonly name: string;
}

/** A function that converts between a domain and the format it is presented in. */
export interface Conversion {
  /** Qualified and quoted as SQL, ready to be called: `"reps"."color_json"`. */
  readonly functionSql: string;
  /** Of its one argument, as SQL: bind values with an explicit cast to it. */
  readonly argumentTypeSql: string;
  /** Those that are VOLATILE keep indexes from being used. */
  readonly volatility: 'immutable' | 'stable' | 'volatile';
}

/** The conversions of one domain; each may be missing, and then the native format holds. */
export interface Representation {
  readonly domain: QualifiedName;
  /** domain → json: responses. */
  readonly response?: Conversion;
  /** text → domain: filters. */
  readonly filter?: Conversion;
  /** json → domain: bodies. */
  readonly body?: Conversion;
}

export interface Column {
  readonly name: string;
  /** As `format_type` prints it under an empty search path: safe to be put into SQL. */
  readonly typeSql: string;
  /** Of the type below all domains, in the same form: `integer`, `character varying`. */
  readonly baseTypeSql: string;
  readonly isNullable: boolean;
  /** SQL text of what is stored when nothing is given: of the column, else of its domain. */
  readonly defaultSql: string | null;
  /** Computed by the database: may not be written. */
  readonly isGenerated: boolean;
  readonly maxLength: number | null;
  /** Labels of an enum; empty for other types. */
  readonly enumValues: readonly string[];
  readonly comment: string | null;
  /** The enum below its domain, as SQL: PostgreSQL compares values of a domain over an enum only as those of the enum. */
  readonly comparedAs: string | null;
  /** Only when its exact declared type is a domain with conversions. */
  readonly representation?: Representation;
}

/** What is known of a column that no relation has: of the rows of a function. */
export type ResultColumn = Pick<Column, 'name' | 'typeSql' | 'baseTypeSql' | 'comparedAs' | 'representation'>;

/** What a function makes of a row, which requests name like a column. */
export interface ComputedColumn extends Pick<Column, 'typeSql' | 'comparedAs' | 'representation'> {
  /** Qualified and quoted: to be called with the row. */
  readonly functionSql: string;
}

/** A table, view, materialized view, foreign or partitioned table of an exposed schema. */
export interface Relation extends QualifiedName {
  readonly kind: 'table' | 'view' | 'materialized view' | 'foreign table' | 'partitioned table';
  readonly columns: readonly Column[];
  /** Names of columns; of views as traced to their base tables. Empty without one. */
  readonly primaryKey: readonly string[];
  /** Further unique keys, for `on_conflict`. */
  readonly uniqueKeys: readonly (readonly string[])[];
  readonly isInsertable: boolean;
  readonly isUpdatable: boolean;
  readonly isDeletable: boolean;
  readonly comment: string | null;
}

/** Pairs of columns that a join compares. */
export type JoinColumns = readonly { readonly from: string; readonly to: string }[];

/** A way from one relation to another: of a foreign key, of a junction, or of a function. */
export interface Relationship {
  readonly from: QualifiedName;
  readonly to: QualifiedName;
  readonly cardinality: 'many-to-one' | 'one-to-many' | 'one-to-one' | 'many-to-many';
  /**
   * Of the foreign key; of a junction the one towards `from`, with `junction.constraint` towards `to`. Of a computed
   * one the name of the function, which is the target that a request names.
   */
  readonly constraint: string;
  /** Empty for `many-to-many` and computed ones. */
  readonly columns: JoinColumns;
  readonly junction?: {
    readonly relation: QualifiedName;
    /** Whether it is a view of a junction that is exposed, too: only a hint means it. */
    readonly isView?: true;
    readonly constraint: string;
    /** From `from` to the junction. */
    readonly near: JoinColumns;
    /** From the junction to `to`. */
    readonly far: JoinColumns;
  };
  /** A function from the row type of `from` to rows of `to`, qualified and quoted. */
  readonly computedBy?: string;
  /** Whether `from` holds the foreign key. */
  readonly isOwned: boolean;
}

export interface RoutineParameter {
  readonly name: string;
  readonly typeSql: string;
  readonly isRequired: boolean;
  readonly isVariadic: boolean;
  /** Only when its exact type is a domain with conversions; of VARIADIC ones the type of each value. */
  readonly representation?: Representation;
}

/** A function that can be called at `/rpc/<name>`. */
export interface Routine extends QualifiedName {
  readonly parameters: readonly RoutineParameter[];
  readonly volatility: 'immutable' | 'stable' | 'volatile';
  readonly isSet: boolean;
  /** `void`, one value, or rows. */
  readonly result: 'void' | 'scalar' | 'composite';
  readonly resultTypeSql: string;
  /** Of one value, or of several, whose exact type is a domain with conversions. */
  readonly resultRepresentation?: Representation;
  /** The relation whose rows it returns: its rows are selected, filtered, embedded and presented like those. */
  readonly resultRelation: QualifiedName | null;
  /** Whether rows are of a row type, and not made of parameters for output: one row may then be null as a whole. */
  readonly isRowType: boolean;
  /** Of rows: parameters for output, or what a row type has. Empty for other results. */
  readonly resultColumns: readonly ResultColumn[];
  readonly comment: string | null;
}

/** A role of the database. */
export interface Role {
  readonly name: string;
  readonly isSuperuser: boolean;
  readonly isReplication: boolean;
}

/** What `ALTER ROLE … SET` says of a role that requests are carried out as. */
export interface RoleSettings {
  /** As `set_config` takes them. */
  readonly settings: readonly (readonly [name: string, value: string])[];
  /** For each statement; 0 for no limit. */
  readonly timeoutMs?: number;
  readonly isolation?: 'repeatable read' | 'serializable';
}

/**
 * What the gateway knows of the database: read in one go, never changed afterwards. Only names found here are put
 * into SQL for relations, functions, types and columns of bodies.
 */
export interface Catalog {
  /** Exposed ones; the first is the default profile. */
  readonly schemas: readonly string[];
  /** For error texts and the product's page. */
  readonly relations: readonly Relation[];
  readonly routines: readonly Routine[];
  readonly representations: readonly Representation[];
  /** When it was read, in milliseconds since 1970. */
  readonly readAt: number;
  /** Such as `18.6`. */
  readonly serverVersion: string;
  findRelation(schema: string, name: string): Relation | undefined;
  /** Overloads of one name. */
  findRoutines(schema: string, name: string): readonly Routine[];
  /** Of one relation, to whatever exposed relation they lead; also those of junctions and computed ones. */
  relationshipsFrom(from: QualifiedName): readonly Relationship[];
  /** Computed columns of a relation (functions from its row type to one value), by their names. */
  computedColumns(of: QualifiedName): ReadonlyMap<string, ComputedColumn>;
  findRole(name: string): Role | undefined;
  /** Undefined for a role of which nothing is said. */
  roleSettings(role: string): RoleSettings | undefined;
  /** The SQL of a type that the database has, found by the name a request gave (`::name`); undefined when unknown. */
  findType(name: string): string | undefined;
  /** Names like a given one, nearest first, for hints. */
  nearestRelation(schema: string, name: string): string | undefined;
  nearestRoutine(schema: string, name: string): string | undefined;
}
