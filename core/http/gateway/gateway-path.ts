/** Where the gateway is. */
export const gatewayPrefix = '/gateway';

/** Whether an address, with or without its query, belongs to the gateway. */
export const isGatewayPath = (url: string): boolean => /^\/gateway(?:[/?]|$)/.test(url);
