/** Parsed headers, or the first invalid line. */
export type ParsedHeaders =
  | { readonly isRead: true; readonly headers: Record<string, string> }
  | { readonly isRead: false; readonly invalidLine: string };

/** Parses headers typed as `Name: value`, one per line; values of repeated headers are joined. */
export function readHeaders(text: string): ParsedHeaders {
  const headers = new Map<string, { name: string; values: string[] }>();
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const match = /^([!#$%&'*+\-.^_`|~\w]+)\s*:\s*(.*)$/.exec(line);
    if (match === null) return { isRead: false, invalidLine: line };
    const [name, value] = [match[1]!, match[2]!];
    const known = headers.get(name.toLowerCase());
    if (known === undefined) headers.set(name.toLowerCase(), { name, values: [value] });
    else known.values.push(value);
  }
  const joined = Array.from(headers.values(), ({ name, values }) => [name, values.join(', ')]);
  return { isRead: true, headers: Object.fromEntries(joined) as Record<string, string> };
}
