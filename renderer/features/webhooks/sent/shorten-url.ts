/** An address without its scheme, as a list shows it. */
export const shortenUrl = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/$/, '');
