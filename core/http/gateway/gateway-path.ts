/** Path of the gateway. */
export const gatewayPrefix = '/gateway';

/** Whether a URL path, with or without query, belongs to the gateway. */
export const isGatewayPath = (url: string): boolean => /^\/gateway(?:[/?]|$)/.test(url);
