import { escapeMarkup } from '../base/text/escape-markup.ts';

/** Escapes a string as XML content; control characters, most of which XML cannot represent, become spaces. */
export const escapeXml = (text: string): string => escapeMarkup(text).replaceAll(/\p{Cc}/gu, ' ');
