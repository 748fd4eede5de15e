/** Headers, or the first line that is none. */
export type ReadHeaders =
  | { readonly isRead: true; readonly headers: Record<string, string> }
  | { readonly isRead: false; readonly wrong: string };

/** Reads headers as they are typed, `Name: value`, one a line. */
export function readHeaders(text: string): ReadHeaders {
  const headers: [string, string][] = [];
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const match = /^([!#$%&'*+\-.^_`|~\w]+)\s*:\s*(.*)$/.exec(line);
    if (match === null) return { isRead: false, wrong: line };
    headers.push([match[1]!, match[2]!]);
  }
  return { isRead: true, headers: Object.fromEntries(headers) };
}
