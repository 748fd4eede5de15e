/** Headers of message framing and connection handling, which SQL must not set. */
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

/** Returns why a header from SQL cannot be sent; undefined if it can. */
export function findHeaderError(name: string, value: string): string | undefined {
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    return `${JSON.stringify(name)} or its value contains characters that are not allowed in headers.`;
  return ofTransport.has(name.toLowerCase()) ? `${name} cannot be set.` : undefined;
}
