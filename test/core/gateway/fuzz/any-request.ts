import fc from 'fast-check';
import type { GatewayRequest } from '../../../../core/gateway/service/gateway-service.ts';
import { anyText } from '../query/any-query.ts';
import { base64, hostileText, usually, queryOf, tables } from './likely-query.ts';

const cell = fc.oneof(
  fc.constantFrom(null, 1, true, 'anvil', '#00ff00', 'hGxH//ZLROY4pk93EAAAAQ==', [], { a: [1] }, 1e300),
  hostileText,
  fc.jsonValue({ maxDepth: 2 }),
);

const recordOf = (columns: readonly string[]): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .array(fc.tuple(usually(fc.constantFrom(...columns), hostileText), cell), { maxLength: 3 })
    .map((pairs) => Object.fromEntries(pairs));

const json = (value: unknown): { type: string; text: string } => ({
  type: 'application/json',
  text: JSON.stringify(value),
});

const bodyOf = (columns: readonly string[]): fc.Arbitrary<{ type: string; text: string }> =>
  usually(
    fc.oneof(
      recordOf(columns).map(json),
      recordOf(columns).map((record) => json([record, record])),
      fc
        .constantFrom('name,color\nx,NULL\n', 'a,b\n1,2\n')
        .map((content) => ({ type: 'text/csv', text: content })),
      fc
        .constantFrom('name=x', 'a=1&b=2')
        .map((content) => ({ type: 'application/x-www-form-urlencoded', text: content })),
    ),
    fc.oneof(
      fc.jsonValue().map(json),
      fc
        .tuple(
          fc.constantFrom(
            'text/plain',
            'text/xml',
            'application/octet-stream',
            'application/json',
            'text/csv',
          ),
          anyText,
        )
        .map(([type, content]) => ({ type, text: content })),
    ),
  );

const optional = (values: readonly string[], absence = 3): fc.Arbitrary<string | undefined> =>
  fc.oneof(
    { weight: absence, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: usually(fc.constantFrom(...values), hostileText) },
  );

const headers = fc
  .record({
    prefer: optional([
      ...['return=representation', 'return=headers-only', 'count=exact', 'count=planned', 'count=estimated'],
      ...[
        'resolution=merge-duplicates',
        'resolution=ignore-duplicates, return=representation',
        'missing=default',
      ],
      ...[
        'handling=strict, max-affected=1',
        'handling=strict, foo',
        'unfiltered=allow',
        'timezone=Europe/Berlin',
        'tx=rollback',
      ],
    ]),
    accept: optional([
      'application/json',
      '*/*',
      'text/csv',
      'application/vnd.pgrst.array+json;nulls=stripped',
      'application/vnd.pgrst.object+json',
      'text/html',
    ]),
    range: optional(['0-1', '5-', '3-1', 'x']),
    'accept-profile': optional(['shop', 'vault'], 40),
    'content-profile': optional(['shop', 'vault'], 40),
    cookie: optional(['a=b']),
  })
  .map((each) =>
    Object.fromEntries(
      Object.entries(each).filter((pair): pair is [string, string] => pair[1] !== undefined),
    ),
  );

const method = fc.oneof(
  { weight: 8, arbitrary: fc.constant('GET') },
  { weight: 4, arbitrary: fc.constantFrom('HEAD', 'POST', 'PATCH', 'PUT', 'DELETE') },
  { weight: 1, arbitrary: fc.constantFrom('OPTIONS', 'BREW') },
);

const ofTables = fc
  .constantFrom('items', 'items', 'items', ...Object.keys(tables))
  .chain((table) =>
    fc.record({ method, path: fc.constant([table]), query: queryOf(table), body: bodyOf(tables[table]!) }),
  );

const ofRoutines = fc.record({
  method,
  path: fc
    .constantFrom(
      ...[
        'add',
        'greet',
        'overload',
        'unclear',
        'total',
        'whole',
        'shout',
        'numbers',
        'rows_of',
        'one_item',
        'items_of',
      ],
      ...['darker', 'both_ways', 'mixed', 'nothing'],
    )
    .map((routine) => ['rpc', routine]),
  query: fc
    .tuple(
      fc.constantFrom(
        'a=1&b=2',
        'a=1',
        'name=x',
        'upto=3',
        'numbers=1&numbers=2',
        'shade=%23ff0000',
        'a=x',
        'id=1',
        '',
        `wanted=${encodeURIComponent(base64[0]!)}`,
      ),
      fc.oneof(fc.constant(''), queryOf('items')),
    )
    .map((parts) => parts.filter((part) => part !== '').join('&')),
  body: bodyOf(['a', 'b', 'name', 'id', 'numbers', 'shade']),
});

const ofNothing = fc.record({
  method,
  path: fc.oneof(
    fc.constant([]),
    hostileText.map((each) => [each]),
    hostileText.map((each) => ['rpc', each]),
    fc.array(fc.string(), { maxLength: 3 }),
  ),
  query: queryOf('items'),
  body: bodyOf(['a']),
});

/** A random request of the database `shop`, nearly valid more often than not. */
export const anyRequest: fc.Arbitrary<GatewayRequest> = fc
  .tuple(
    fc.oneof(
      { weight: 8, arbitrary: ofTables },
      { weight: 3, arbitrary: ofRoutines },
      { weight: 1, arbitrary: ofNothing },
    ),
    headers,
  )
  .map(([{ body, ...request }, said]) => ({
    ...request,
    headers: { ...said, 'content-type': body.type },
    body: new TextEncoder().encode(body.text),
    isLoopback: true,
    mount: '/gateway',
  }));
