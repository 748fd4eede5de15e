/** Returns an address without its scheme, for lists. */
export const shortenUrl = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/$/, '');
