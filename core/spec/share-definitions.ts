/** A JSON Schema object, or `true`/`false` where the keyword allows it. */
type Schema = Readonly<Record<string, unknown>>;

const SINGLE_KEYWORDS = new Set([
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
]);
const LIST_KEYWORDS = new Set(['anyOf', 'oneOf', 'allOf']);
const MAP_KEYWORDS = new Set(['properties', 'patternProperties']);

/** Schemas whose JSON is shorter than this are repeated instead of shared. */
const SHORTEST_SHARED = 40;

/**
 * Moves each repeated part of a JSON Schema to `$defs`. The result accepts the same values and reports the same
 * errors; only descriptions and examples are removed. A compiler generates one function per definition, but one per
 * occurrence of a repeated part. For the authored shape, which nests steps and handlers, this reduces code and time to
 * a tenth.
 */
export function extractDefinitions(schema: object): Schema {
  const plain = dropDescriptions(JSON.parse(JSON.stringify(schema)) as Schema);
  const occurrences = countSubschemas(plain);
  const names = new Map<string, string>();
  const definitions: Record<string, Schema> = {};
  const replaceShared = (part: Schema): Schema => {
    const text = JSON.stringify(part);
    if (text.length < SHORTEST_SHARED || occurrences.get(text) === 1)
      return mapSubschemas(part, replaceShared);
    const name = names.get(text) ?? `shared${names.size}`;
    if (!names.has(text)) {
      names.set(text, name);
      definitions[name] = mapSubschemas(part, replaceShared);
    }
    return { $ref: `#/$defs/${name}` };
  };
  return { ...mapSubschemas(plain, replaceShared), $defs: definitions };
}

function dropDescriptions(schema: Schema): Schema {
  const { description: _, examples: __, enumDescriptions: ___, ...rest } = schema;
  return mapSubschemas(rest, dropDescriptions);
}

/** Counts the occurrences of each part of a schema, by its JSON. */
function countSubschemas(schema: Schema): Map<string, number> {
  const occurrences = new Map<string, number>();
  const count = (part: Schema): Schema => {
    const text = JSON.stringify(part);
    occurrences.set(text, (occurrences.get(text) ?? 0) + 1);
    return mapSubschemas(part, count);
  };
  mapSubschemas(schema, count);
  return occurrences;
}

/** Copies a schema and replaces every schema directly inside it. */
function mapSubschemas(schema: Schema, replace: (part: Schema) => Schema): Schema {
  const visit = (part: unknown): unknown =>
    typeof part === 'object' && part ? replace(part as Schema) : part;
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (SINGLE_KEYWORDS.has(keyword)) return [keyword, visit(value)];
    if (LIST_KEYWORDS.has(keyword)) return [keyword, (value as unknown[]).map(visit)];
    if (MAP_KEYWORDS.has(keyword)) {
      return [
        keyword,
        Object.fromEntries(Object.entries(value as Schema).map(([name, part]) => [name, visit(part)])),
      ];
    }
    return [keyword, value];
  });
  return Object.fromEntries(entries) as Schema;
}
