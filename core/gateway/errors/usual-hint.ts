const hints: Readonly<Record<string, string>> = {
  PGRST000:
    'See to it that the database can be reached; gateway.databaseUrl names it, unless it is the embedded one.',
  PGRST101: 'Call a function by POST, or by GET when it only reads.',
  PGRST103: 'Ask for rows that there are; Prefer: count=exact tells their number in Content-Range.',
  PGRST115: 'Give the primary key the same values in the body as in the address.',
  PGRST116: 'Name one row by filters, or accept application/json, which gives a list.',
  PGRST117: 'Use one of the methods that the header Allow names.',
  PGRST118: 'Order the embedded rows themselves, as in author.order=name.',
  PGRST122: 'Correct the preference, leave it out, or leave out handling=strict.',
  PGRST124: 'Narrow the filters, or raise max-affected.',
  PGRST200: 'A foreign key that was just made is known after a reload of the schema cache.',
  PGRST204: 'A column that was just added is known after a reload of the schema cache.',
  PGRST301: 'Send a token that gateway.jwtKey proves.',
  PGRST303: 'Get a new token, for this gateway and for a role of the database.',
};

/** What a database says so without telling what to do. */
const patterns: readonly (readonly [code: string, message: RegExp, hint: string])[] = [
  [
    '25006',
    /read-only transaction/,
    'What writes is sent by POST, PATCH, PUT or DELETE, and a function that writes is VOLATILE and called by POST.',
  ],
  [
    '42501',
    /^permission denied to set role/,
    'GRANT the role to that of the connection, or name another in the token.',
  ],
  [
    '42501',
    /^permission denied/,
    'GRANT the right to the role of the request, or send a token of a role that has it.',
  ],
  ['22023', /^role .* does not exist$/, 'Name a role of the database in the token, or create this one.'],
  [
    '57014',
    /statement timeout/,
    'Let the statement do less, or raise gateway.statementTimeout or the statement_timeout of the role.',
  ],
];

/** What to do about a refusal that does not say so itself; undefined where nothing can be said. */
export const findUsualHint = (code: string, message: string): string | undefined =>
  Object.hasOwn(hints, code)
    ? hints[code]
    : patterns.find(([of, pattern]) => of === code && pattern.test(message))?.[2];
