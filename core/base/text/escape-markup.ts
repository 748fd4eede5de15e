const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a string for element content and attribute values of HTML and XML. */
export const escapeMarkup = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign]!);
