const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as the content of an XML element; control characters, most of which XML has no way to write, become spaces. */
export const xmlText = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (each) => entities[each]!).replaceAll(/\p{Cc}/gu, ' ');
