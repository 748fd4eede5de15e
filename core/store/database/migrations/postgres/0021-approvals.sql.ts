/**
 * Questions of steps that wait for a person's answer. Times are epoch milliseconds; lists and maps are JSON. Whether an
 * unanswered question is still open depends on its attempt. For PostgreSQL. Never edit a released migration; add a new
 * one.
 */
export const approvalsSql = /* sql */ `
CREATE TABLE approval (
  id text COLLATE "C" PRIMARY KEY,
  run_key bigint NOT NULL,
  section text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  attempt bigint NOT NULL,
  question text COLLATE "C" NOT NULL,
  details text COLLATE "C",
  inputs text COLLATE "C" NOT NULL,
  required text COLLATE "C" NOT NULL,
  asked_at bigint NOT NULL,
  answered_at bigint,
  decision text COLLATE "C" CHECK (decision IN ('approved', 'rejected')),
  answered_by text COLLATE "C",
  comment text COLLATE "C",
  given text COLLATE "C",
  UNIQUE (run_key, section, name, attempt),
  FOREIGN KEY (run_key, section, name, attempt)
    REFERENCES attempt (run_key, section, name, attempt) ON DELETE CASCADE
);
CREATE INDEX approval_unanswered ON approval (id) WHERE decision IS NULL;
`;
