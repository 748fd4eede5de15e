import { escapeMarkup } from '../base/text/escape-markup.ts';

/** A text as the content of an XML element; control characters, most of which XML has no way to write, become spaces. */
export const xmlText = (text: string): string => escapeMarkup(text).replaceAll(/\p{Cc}/gu, ' ');
