/**
 * The text that an attempt ran, when its run has resumed with another text since; null: the text of the run. For SQLite
 * and PostgreSQL. Never edit a released migration; add a new one.
 */
const attemptTextsSql = (integer: string): string => /* sql */ `
ALTER TABLE attempt ADD COLUMN spec_key ${integer} REFERENCES spec (key);
CREATE INDEX attempt_spec ON attempt (spec_key) WHERE spec_key IS NOT NULL;
`;

export const attemptTextsSqliteSql = attemptTextsSql('INTEGER');
export const attemptTextsServerSql = attemptTextsSql('bigint');
