const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as the content of an element, or as the value of an attribute, of HTML and XML alike. */
export const escapeMarkup = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign]!);
