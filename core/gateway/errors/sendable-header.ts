/** Those that say where a message ends or who carries it on: not for SQL to decide. */
const ofTransport = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Why a header that SQL has made cannot be sent; undefined when it can. */
export function findHeaderFault(name: string, value: string): string | undefined {
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    return `${JSON.stringify(name)} or its value contains characters that are not allowed in headers.`;
  return ofTransport.has(name.toLowerCase()) ? `${name} cannot be set.` : undefined;
}
