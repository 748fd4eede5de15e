/** The rule for user names, for dialogs; the engine validates. */
export const usernameRule = 'No spaces or colons. Not case-sensitive.';
