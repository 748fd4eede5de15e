/** JSON with line breaks, out of a JSON body or the `payload` of a form. Undefined for a body that is neither. */
export function layOutBody(body: string): string | undefined {
  const json = body.startsWith('payload=') ? (new URLSearchParams(body).get('payload') ?? '') : body;
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return undefined;
  }
}
