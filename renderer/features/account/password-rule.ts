/** Duplicated from the contract, whose schemas the window does not load. */
export const leastLength = 8;

/** The password rule, for display. */
export const passwordRule = `At least ${leastLength} characters.`;

export const isLongEnough = (password: string): boolean => password.length >= leastLength;
