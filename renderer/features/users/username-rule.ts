/** What a user name may be, for the dialogs that ask for one; the engine judges. */
export const usernameRule = 'No spaces and no colon. Capitals do not count.';
