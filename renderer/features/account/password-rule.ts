/** Duplicated from the contract, whose schemas the window does not load. */
export const minLength = 8;

/** The password rule, for display. */
export const passwordRule = `At least ${minLength} characters.`;

export const isLongEnough = (password: string): boolean => password.length >= minLength;
