import { apiPrefix } from '../core/contract/transport/http-wire.ts';
import {
  describeApi,
  describeShapeEntries,
  type FieldEntry,
  type OperationEntry,
} from '../core/contract/reference/api-reference.ts';

/** `docs/api-reference.md`: every operation in the words of the table. */
export function buildApiReferencePage(): string {
  const groups = describeApi();
  const sections = groups.map(({ title, description, entries }) =>
    [`## ${title}`, description, ...entries.map(describeEntry)].join('\n\n'),
  );
  return `${[introduction, ...sections, describeShapes()].join('\n\n')}\n`;
}

const introduction = `# API reference

<!-- Made by \`npm run generate\` from the table of operations; changes belong there. -->

Every operation of the [HTTP API](api.md), below \`/api/v2\` where the path does not begin with another one. The app shows the same, to search through, at **API reference**; programs read \`/api/v2/openapi.json\`. \`$API\` stands for the address of the API, as in \`http://127.0.0.1:8080/api/v2\`.

Each operation may also be refused with \`bad_request\`, \`unauthorized\`, \`forbidden\`, \`internal_error\` or \`unavailable\`: [all codes](errors.md).`;

function describeEntry(entry: OperationEntry): string {
  const { name, method, path, mount, summary, role, isStream } = entry;
  const who = role === undefined ? 'Without credentials.' : `Role: ${role}.`;
  const parts = [
    `### ${name}`,
    `\`${method} ${mount === apiPrefix ? '' : mount}${path}\``,
    `${summary}. ${isStream ? 'Server-sent events. ' : ''}${who}`,
    ...(entry.input.length === 0 ? [] : [listFields(entry.input, 'Field')]),
    describeAnswer(entry),
    ...(entry.refusals.length === 0
      ? []
      : [`Refusals: ${entry.refusals.map(({ code, http }) => `\`${code}\` (${http})`).join(', ')}.`]),
    `\`\`\`sh\n${entry.curl('$API')}\n\`\`\``,
  ];
  return parts.join('\n\n');
}

function describeAnswer({ output, outputShape, isStream }: OperationEntry): string {
  const what = isStream ? 'Each item' : 'The answer';
  if (outputShape !== undefined) return `${what}: ${linkTypes(outputShape)}.`;
  return output.length === 0 ? `${what}: \`{}\`.` : listFields(output, what);
}

function listFields(fields: readonly FieldEntry[], head: string): string {
  const rows = fields.map(({ name, place, type, required, meaning }) => {
    const kind = `${linkTypes(type)}${required ? '' : ', optional'}${place === undefined ? '' : `; ${place}`}`;
    return `| \`${name}\` | ${kind} | ${escapeCell(meaning)} |`;
  });
  return [`| ${head} | Type | Means |`, '|---|---|---|', ...rows].join('\n');
}

function describeShapes(): string {
  const shapes = describeShapeEntries().map(({ name, type, fields }) =>
    [
      `### ${name}`,
      fields.length === 0 ? `${type[0]!.toUpperCase()}${type.slice(1)}.` : listFields(fields, 'Field'),
    ].join('\n\n'),
  );
  return ['## Shapes', 'What several answers have in common.', ...shapes].join('\n\n');
}

/** Names of shapes lead to their sections. */
const linkTypes = (type: string): string =>
  escapeCell(type).replaceAll(/\b[A-Z]\w+\b/g, (name) =>
    shapeNames.has(name) ? `[${name}](#${name.toLowerCase()})` : name,
  );

const shapeNames = new Set(describeShapeEntries().map(({ name }) => name));

const escapeCell = (text: string): string => text.replaceAll('|', '\\|');
