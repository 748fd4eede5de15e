/** What a user name may be, for the dialogs that ask for one; the engine judges. */
export const usernameRule = 'No spaces or colons. Not case-sensitive.';
