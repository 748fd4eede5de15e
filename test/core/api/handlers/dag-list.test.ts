import { describe, expect, test } from 'vitest';
import { type ApiHarness, openApiHarness } from '../../../harness/server.ts';

interface DagPage {
  readonly dags: readonly { readonly fileName: string; readonly nextRun?: string }[];
  readonly total: number;
  readonly nextCursor?: string;
}

const list = async (harness: ApiHarness, query = ''): Promise<DagPage> =>
  (await harness.get(`/dags${query}`)).body as unknown as DagPage;

const names = async (harness: ApiHarness, query = ''): Promise<string[]> =>
  (await list(harness, query)).dags.map(({ fileName }) => fileName);

/** Visits all pages. */
async function walk(harness: ApiHarness, query: string): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(harness, `?${query}&limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    seen.push(...page.dags.map(({ fileName }) => fileName));
    expect(page.dags.length).toBeLessThanOrEqual(2);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return seen;
}

async function openFullHarness(): Promise<ApiHarness> {
  const harness = await openApiHarness();
  harness.write('c', 'name: Etl.load\ntags: [night, big]\ngroup: sales\nsteps: ["true"]');
  harness.write('a', 'tags: [night]\nschedule: "0 12 * * *"\nsteps: ["true"]');
  harness.write('e', 'schedule: "0 3 * * *"\nsteps: ["false"]');
  harness.write('b', 'steps: [');
  harness.write('d', 'schedule: "0 3 * * *"\nsteps: ["true"]');
  return harness;
}

describe('GET /dags', () => {
  test('sorts by name, page by page, with the total', async () => {
    const harness = await openFullHarness();
    expect(await names(harness)).toEqual(['c', 'a', 'b', 'd', 'e']);
    expect(await walk(harness, 'sort=name')).toEqual(['c', 'a', 'b', 'd', 'e']);
    expect(await walk(harness, 'sort=name&order=desc')).toEqual(['e', 'd', 'b', 'a', 'c']);
    expect(await list(harness, '?limit=1')).toMatchObject({ total: 5, nextCursor: expect.any(String) });
  });

  test('by next run: earlier first, unscheduled last, in either order', async () => {
    const harness = await openFullHarness();
    expect(await names(harness, '?sort=nextRun')).toEqual(['d', 'e', 'a', 'c', 'b']);
    expect(await walk(harness, 'sort=nextRun')).toEqual(['d', 'e', 'a', 'c', 'b']);
    expect(await walk(harness, 'sort=nextRun&order=desc')).toEqual(['a', 'e', 'd', 'b', 'c']);
    await harness.send('POST', '/dags/d/suspend', { suspend: true });
    expect(await names(harness, '?sort=nextRun')).toEqual(['e', 'a', 'c', 'b', 'd']);
  });

  test('filters by name, tags, group and the status of the newest run', async () => {
    const harness = await openFullHarness();
    expect(await names(harness, '?name=ETL')).toEqual(['c']);
    expect(await names(harness, '?name=C')).toEqual(['c']);
    expect(await names(harness, '?tags=night')).toEqual(['c', 'a']);
    expect(await list(harness, '?tags=night,big')).toMatchObject({ total: 1, dags: [{ fileName: 'c' }] });
    expect(await names(harness, '?group=sales')).toEqual(['c']);
    await harness.engine.end((await harness.send('POST', '/dags/e/start')).body as never);
    expect(await names(harness, '?status=failed,running')).toEqual(['e']);
    expect(await names(harness, '?status=succeeded')).toEqual([]);
  });

  test.each([
    ['name', 'name=a%20b'],
    ['name', `name=${'x'.repeat(41)}`],
    ['sort', 'sort=size'],
    ['limit', 'limit=0'],
    ['limit', 'limit=1001'],
    ['cursor', 'cursor=nonsense'],
    ['cursor', `cursor=${Buffer.from('["a"]').toString('base64url')}`],
    ['status', 'status=cancelled'],
  ])('rejects an invalid %s: %s', async (field, query) => {
    const harness = await openApiHarness();
    const { status, body } = await harness.get(`/dags?${query}`);
    expect([status, body['code']]).toEqual([400, 'bad_request']);
    expect(JSON.stringify(body['details'])).toContain(field);
  });
});

test('GET /dags/tags lists each tag once', async () => {
  expect((await (await openFullHarness()).get('/dags/tags')).body).toEqual({ tags: ['big', 'night'] });
});

describe('GET /dags/search', () => {
  const text = 'steps:\n  - echo one\n  - echo TWO (2)\n  - echo three\n  - echo four\n';

  test('finds lines by text, with context lines', async () => {
    const harness = await openApiHarness();
    harness.write('a', text);
    harness.write('b', 'steps: ["true"]');
    const found = await harness.get('/dags/search?q=two%20(2)');
    expect(found).toMatchObject({
      status: 200,
      body: {
        results: [{ fileName: 'a', name: 'a', more: false, matches: [{ lineNumber: 3, startLine: 1 }] }],
      },
    });
    const [result] = found.body['results'] as { matches: { lines: string[] }[] }[];
    expect(result!.matches[0]!.lines).toEqual(text.split('\n').slice(0, 5));
    expect((await harness.get('/dags/search?q=nowhere')).body).toEqual({ results: [] });
  });

  test('finds lines by a regular expression, page by page', async () => {
    const harness = await openApiHarness();
    for (const name of ['a', 'b', 'c']) harness.write(name, text);
    const q = encodeURIComponent('^\\s+- echo (two|f\\w+)\\b');
    const first = await harness.get(`/dags/search?regex=true&limit=2&q=${q}`);
    expect(first.body).toMatchObject({
      results: [{ fileName: 'a', matches: [{ lineNumber: 3 }, { lineNumber: 5 }] }, { fileName: 'b' }],
      nextCursor: expect.any(String),
    });
    const second = await harness.get(
      `/dags/search?regex=true&q=${q}&cursor=${String(first.body['nextCursor'])}`,
    );
    expect(second.body).toMatchObject({ results: [{ fileName: 'c' }] });
    expect(second.body).not.toHaveProperty('nextCursor');
  });

  test('shows the first twenty lines of a file, and truncates long ones', async () => {
    const harness = await openApiHarness();
    harness.write('a', Array.from({ length: 21 }, () => `# needle ${'x'.repeat(600)}`).join('\n'));
    const { results } = (await harness.get('/dags/search?q=needle')).body as {
      results: { more: boolean; matches: { lines: string[] }[] }[];
    };
    expect([results[0]!.matches.length, results[0]!.more]).toEqual([20, true]);
    expect(results[0]!.matches[0]!.lines[0]).toHaveLength(501);
  });

  test.each(['', 'q=', `q=${'x'.repeat(201)}`, 'q=(&regex=true', 'q=(?=a)&regex=true', 'q=%5C1&regex=true'])(
    'rejects %s',
    async (query) => {
      const harness = await openApiHarness();
      expect(await harness.get(`/dags/search?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'bad_request' },
      });
    },
  );
});
