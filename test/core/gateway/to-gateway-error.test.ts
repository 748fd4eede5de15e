import { describe, expect, it } from 'vitest';
import { DatabaseError, DatabaseUnavailable } from '../../../core/store/sql/database.ts';
import { toGatewayError } from '../../../core/gateway/sql-errors.ts';
import type { GatewayError } from '../../../core/gateway/gateway-error.ts';

const known = { isAuthenticated: true };
const anonymous = { isAuthenticated: false };

const convert = (code: string, message = 'wrong'): GatewayError =>
  toGatewayError(new DatabaseError(message, { code }), known);

describe('database error', () => {
  it.each([
    ...[
      ['08006', 503],
      ['09000', 500],
      ['0LP01', 403],
      ['0P000', 403],
      ['23503', 409],
      ['23505', 409],
    ],
    ...[
      ['25006', 405],
      ['21000', 500],
      ['22023', 400],
      ['25P02', 500],
      ['28000', 403],
      ['2D000', 500],
    ],
    ...[
      ['38000', 500],
      ['39P01', 500],
      ['3B001', 500],
      ['40001', 500],
      ['53400', 500],
      ['53300', 503],
    ],
    ...[
      ['54001', 500],
      ['54000', 400],
      ['54011', 400],
      ['54023', 400],
      ['55000', 500],
      ['57P01', 503],
      ['57014', 500],
      ['58000', 500],
      ['F0000', 500],
    ],
    ...[
      ['HV000', 500],
      ['P0001', 400],
      ['P0002', 500],
      ['XX000', 500],
      ['42883', 404],
      ['42P01', 404],
    ],
    ...[
      ['42P17', 500],
      ['42501', 403],
      ['22P02', 400],
      ['23502', 400],
      ['23514', 400],
      ['42703', 400],
    ],
    ...[
      ['42704', 400],
      ['42601', 400],
      ['PT402', 402],
      ['PT599', 599],
      ['PTabc', 500],
      ['PT100', 500],
      ['PT600', 500],
    ],
  ] as [string, number][])('%s is a %i', (code, status) => {
    expect(convert(code)).toMatchObject({ status, code });
  });

  it.each([
    ['21000', 'UPDATE requires a WHERE clause', 400],
    ['21000', 'ON CONFLICT DO UPDATE command cannot affect row a second time', 400],
    ['22023', 'role "nobody" does not exist', 401],
    ['22023', 'role "a\nb" does not exist', 401],
    ['55000', 'cannot insert into view "dozens"', 405],
    ['42883', 'function xmlagg(json) does not exist', 406],
  ])('%s with the message %j is a %i', (code, message, status) => {
    expect(convert(code, message).status).toBe(status);
  });

  it('of insufficient privilege is a 401 for anonymous callers', () => {
    const error = new DatabaseError('permission denied for table t', { code: '42501' });
    expect(toGatewayError(error, anonymous).status).toBe(401);
    expect(toGatewayError(error, known).status).toBe(403);
  });

  it('keeps the database’s message', () => {
    const error = new DatabaseError('no', {
      code: '23505',
      detail: 'Key (id)=(1) already exists.',
      hint: 'h',
    });
    expect(toGatewayError(error, known)).toMatchObject({
      message: 'no',
      details: 'Key (id)=(1) already exists.',
      hint: 'h',
    });
  });
});

describe('error raised in SQL', () => {
  const raise = (message: string, detail: string | null): GatewayError =>
    toGatewayError(new DatabaseError(message, { code: 'PGRST', detail }), known);

  it('has the status, body and headers it sets', () => {
    const message = '{"code":"123","message":"ABC","details":"DEF","hint":"XYZ"}';
    const detail = '{"status":332,"status_text":"Unused","headers":{"X-Custom":"x","Retry-After":"60"}}';
    expect(raise(message, detail)).toMatchObject({
      status: 332,
      code: '123',
      message: 'ABC',
      details: 'DEF',
      hint: 'XYZ',
      headers: { 'x-custom': 'x', 'retry-after': '60' },
    });
    expect(raise('{"code":"1","message":"m"}', '{"status":400}')).toMatchObject({
      details: null,
      hint: null,
      headers: {},
    });
  });

  const good = '{"code":"1","message":"m"}';

  it.each([
    ['INVALID', '{"status":400}', 'MESSAGE'],
    ['{"code":1,"message":"m"}', '{"status":400}', 'MESSAGE'],
    ['[]', '{"status":400}', 'MESSAGE'],
    [good, null, 'DETAIL'],
    [good, '{}', 'DETAIL'],
    [good, '{"status":"400"}', 'DETAIL'],
    [good, '{"status":99}', 'DETAIL'],
    [good, '{"status":400,"headers":[]}', 'DETAIL'],
    [good, '{"status":400,"headers":{"a":1}}', 'DETAIL'],
    [good, '{"status":400,"headers":{"a":"x\\r\\ny: z"}}', 'DETAIL'],
    [good, '{"status":400,"headers":{"Content-Length":"7"}}', 'DETAIL'],
  ])('is PGRST121 when it cannot be parsed: %s %s', (message, detail, part) => {
    expect(raise(message, detail)).toMatchObject({
      status: 500,
      code: 'PGRST121',
      details: `Invalid JSON value for ${part}: '${part === 'MESSAGE' ? message : (detail ?? '')}'`,
    });
  });
});

describe('unavailable database', () => {
  it.each([
    ['unreachable', 503, 'PGRST000'],
    ['closed', 503, 'PGRST001'],
    ['lost', 503, 'PGRST001'],
    ['busy', 504, 'PGRST003'],
  ] as const)('because it is %s', (reason, status, code) => {
    const error = toGatewayError(new DatabaseUnavailable('connection refused', reason), known);
    expect(error).toMatchObject({ status, code, details: 'connection refused' });
  });
});

describe('hint of an error', () => {
  it.each([
    [
      '25006',
      'cannot execute UPDATE in a read-only transaction',
      'Functions that write must be VOLATILE and called with POST',
    ],
    ['42501', 'permission denied to set role "web"', 'GRANT the role to the role of the connection'],
    ['42501', 'permission denied for table books', 'GRANT the privilege'],
    ['22023', 'role "web" does not exist', 'create this role'],
    ['57014', 'canceling statement due to statement timeout', 'gateway.statementTimeout'],
  ])('is added where the database has none: %s, %s', (code, message, hint) => {
    expect(convert(code, message).hint).toContain(hint);
  });

  it('is left to SQL that raises its own error', () => {
    expect(convert('42501', 'only on weekdays').hint).toBeNull();
    const raised = new DatabaseError('permission denied', { code: '42501', hint: 'Ask Ada.' });
    expect(toGatewayError(raised, known).hint).toBe('Ask Ada.');
  });
});
