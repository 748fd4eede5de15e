import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorCodes, type ErrorCode } from '../../../core/base/error-codes.ts';
import { statusRules } from '../../../core/gateway/sql-errors.ts';
import { readCodeSpans, readPage, readTable, root } from '../../docs/read-page.ts';

const page = readPage('docs/gateway-errors.md');

describe('docs/gateway-errors.md', () => {
  it('lists every rule for SQLSTATEs, in order', () => {
    const rows = readTable(page, 'Codes of the database').map(([code, status, meaning]) => [
      readCodeSpans(code!)[0],
      status,
      meaning,
    ]);
    expect(rows).toEqual(
      statusRules.map(({ prefix, status, anonymousStatus, meaning }) => [
        prefix.length < 5 ? `${prefix}*` : prefix,
        anonymousStatus === undefined ? String(status) : `${status}, ${anonymousStatus}`,
        meaning,
      ]),
    );
  });
});

describe('server codes in docs/gateway-errors.md', () => {
  it('are those of the API, with their statuses', () => {
    const rows = readTable(page, 'Codes of the server').map(([code, status]) => [
      readCodeSpans(code!)[0],
      Number(status),
    ]);
    expect(rows).toEqual(rows.map(([code]) => [code, errorCodes[code as ErrorCode].http]));
  });
});

describe('gateway codes in docs/gateway-errors.md', () => {
  const sources = globSync('core/{gateway,http/gateway}/**/*.ts', { cwd: root }).map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );
  const statuses = new Map(
    readTable(page, 'Codes of the gateway').map(([code, status]) => [
      readCodeSpans(code!)[0],
      Number(status),
    ]),
  );

  it('include all that are used', () => {
    const used = sources.flatMap((source) =>
      [...source.matchAll(/'((?:PGRST|STEP)[X\d]\d\d)'/g)].map(([, code]) => code!),
    );
    expect([...new Set(used)].sort()).toEqual([...statuses.keys()]);
  });

  it('have the status they are used with', () => {
    const pairs = sources.flatMap((source) =>
      [...source.matchAll(/new GatewayError\(\s*(\d+),\s*'((?:PGRST|STEP)\w+)'/g)].map(
        ([, status, code]) => [code!, Number(status)] as const,
      ),
    );
    expect(pairs.filter(([code, status]) => statuses.get(code) !== status)).toEqual([]);
  });
});
