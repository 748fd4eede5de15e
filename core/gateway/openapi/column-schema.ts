import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Column, Relation, Relationship } from '../catalog/catalog.ts';

/** What a client meets in one column. Only what every value is: conversions may make any JSON of it. */
export function describeColumn(
  column: Column,
  relation: Relation,
  ways: readonly Relationship[],
): JsonObject {
  const { representation } = column;
  const presents = representation?.response !== undefined || representation?.body !== undefined;
  const description = describeInWords(column, relation, ways);
  return {
    ...(presents ? { format: column.typeSql } : typeSchema(column.baseTypeSql)),
    ...(column.maxLength !== null && !presents && { maxLength: column.maxLength }),
    ...(column.enumValues.length > 0 && !presents && { enum: [...column.enumValues] }),
    ...(column.defaultSql !== null && !presents && { default: readDefault(column) }),
    ...(description !== '' && { description }),
  };
}

const typesOfNumbers: Readonly<Record<string, string>> = {
  smallint: 'integer',
  integer: 'integer',
  bigint: 'integer',
  numeric: 'number',
  real: 'number',
  'double precision': 'number',
  boolean: 'boolean',
};

/** JSON's name for values of a type of PostgreSQL, with that type as the format; JSON itself may be anything. */
export function typeSchema(printed: string): JsonObject {
  // As `format_type` calls a character type without a length.
  const typeSql = printed.replace(/^bpchar\b/, 'character');
  if (typeSql.endsWith('[]'))
    return { format: typeSql, type: 'array', items: itemSchema(typeSql.slice(0, -2)) };
  if (typeSql === 'json' || typeSql === 'jsonb') return { format: typeSql };
  return { format: typeSql, type: typesOfNumbers[typeSql.replace(/\(.*\)$/, '')] ?? 'string' };
}

const itemSchema = (typeSql: string): JsonObject => {
  const { type } = typeSchema(typeSql);
  return type === undefined ? {} : { type };
};

/** A literal as its value, anything else as the SQL that computes it. */
function readDefault({ defaultSql, baseTypeSql }: Column): JsonValue {
  const sql = defaultSql ?? '';
  const text = /^'((?:[^']|'')*)'(?:::[\w ."()[\]]+)?$/.exec(sql)?.[1]?.replaceAll("''", "'") ?? sql;
  const { type } = typeSchema(baseTypeSql);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (type === 'integer' || type === 'number') return readNumber(text);
  return text;
}

/** Text that a number would not keep stays text. */
function readNumber(text: string): JsonValue {
  const number = Number(text);
  const isKept = Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
  return text.trim() !== '' && isKept ? number : text;
}

function describeInWords(column: Column, relation: Relation, ways: readonly Relationship[]): string {
  const notes = [];
  if (relation.primaryKey.includes(column.name)) notes.push('This is a Primary Key.<pk/>');
  for (const { to, columns, isOwned } of ways) {
    const target = columns[0]?.to;
    if (!isOwned || columns.length !== 1 || columns[0]?.from !== column.name || target === undefined)
      continue;
    notes.push(
      `This is a Foreign Key to \`${to.name}.${target}\`.<fk table='${to.name}' column='${target}'/>`,
    );
  }
  if (column.isGenerated) notes.push('The database computes it: it may not be written.');
  const presented = describePresentation(column);
  if (presented !== undefined) notes.push(presented);
  const note = notes.length === 0 ? undefined : ['Note:', ...notes].join('\n');
  return [column.comment, note].filter((part) => part !== null && part !== undefined).join('\n\n');
}

/** Which ways of a value have a format of their own, and which the stored one. */
function describePresentation({ representation, baseTypeSql }: Column): string | undefined {
  if (representation === undefined) return undefined;
  const { domain, response, filter, body } = representation;
  const ways = { 'in responses': response, 'in filters': filter, 'in bodies': body };
  const names = (isConverted: boolean): string =>
    Object.entries(ways)
      .filter(([, conversion]) => (conversion !== undefined) === isConverted)
      .map(([name]) => name)
      .join(', ');
  const native = names(false);
  const rest = native === '' ? '' : `; as the stored ${baseTypeSql} ${native}`;
  return `In the format of the domain ${domain.schema}.${domain.name} ${names(true)}${rest}.`;
}
