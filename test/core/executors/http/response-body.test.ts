import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { namePartFile, removeStaleParts } from '../../../../core/executors/http/response-body.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

it('removes leftovers of a killed engine, and nothing else', async () => {
  const folder = makeTemporaryFolder();
  const path = join(folder, 'report.pdf');
  const own = namePartFile(path);
  const { pid } = spawnSync('true');
  const left = own.replace(`-${process.pid}-`, `-${pid}-`);
  const kept = [
    own,
    left.replace('report.pdf', 'other.pdf'),
    join(folder, basename(left).replace(/-\d+-/, '-x-')),
    join(folder, '.report.pdf.part'),
    path,
  ];
  for (const file of [left, ...kept]) writeFileSync(file, 'half');
  await removeStaleParts(path);
  expect(readdirSync(folder).sort()).toEqual(kept.map((file) => basename(file)).sort());
  await removeStaleParts(join(folder, 'missing/report.pdf'));
});

it('two downloads to one path use different temporary names, even for a long name', () => {
  const path = `/folder/${'ü'.repeat(120)}`;
  const names = [namePartFile(path), namePartFile(path)].map((file) => basename(file));
  expect(names[0]).not.toBe(names[1]);
  expect(Buffer.byteLength(names[0]!)).toBeLessThan(255);
});
