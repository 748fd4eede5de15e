/** How many errors there are, in words. */
export const countProblems = (errors: number): string => (errors === 1 ? '1 problem' : `${errors} problems`);
