/** As the contract has it, whose schemas the window does without. */
export const leastLength = 8;

/** What a new password must be, for people. */
export const passwordRule = `At least ${leastLength} characters.`;

export const isLongEnough = (password: string): boolean => password.length >= leastLength;
