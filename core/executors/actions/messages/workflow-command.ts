/** A workflow command: `::name key=value,key=value::value`. */
export interface WorkflowCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly value: string;
}

/** Parses a line of output as a workflow command and decodes its escapes. Returns undefined for other lines. */
export function parseCommand(line: string): WorkflowCommand | undefined {
  const text = line.trimStart();
  if (!text.startsWith('::')) return undefined;
  const end = text.indexOf('::', 2);
  if (end < 0) return undefined;
  const head = text.slice(2, end);
  const space = head.indexOf(' ');
  const name = (space < 0 ? head : head.slice(0, space)).trim();
  if (name === '') return undefined;
  const properties = space < 0 ? {} : parseProperties(head.slice(space + 1));
  return { name, properties, value: unescapeValue(text.slice(end + 2)) };
}

function parseProperties(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => {
    const equals = pair.indexOf('=');
    const key = equals < 0 ? pair : pair.slice(0, equals);
    return [key.trim(), equals < 0 ? '' : unescapeProperty(pair.slice(equals + 1))] as const;
  });
  return Object.fromEntries(pairs.filter(([key, value]) => key !== '' && value !== ''));
}

const unescapeValue = (text: string): string =>
  text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');

const unescapeProperty = (text: string): string =>
  unescapeValue(text.replaceAll('%3A', ':').replaceAll('%2C', ','));
