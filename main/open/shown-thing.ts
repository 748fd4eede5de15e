import type { ExportRequest } from '../../core/contract/desktop/system-calls.ts';

/**
 * Returns the workflow or run on a page of the window, of which a copy can be saved.
 * @param url URL of the page, such as `app://stepwright/index.html#/runs/etl/1?step=load`
 */
export function parseExportTarget(url: string): ExportRequest | undefined {
  const [, hash = ''] = url.split('#', 2);
  const [kind, first, second, ...rest] = hash.replace(/\?.*$/, '').split('/').slice(1).map(decode);
  if (first === undefined || first === '' || rest.length > 0) return undefined;
  if (kind === 'dags' && (second === undefined || second === 'edit'))
    return { kind: 'workflow', fileName: first };
  if (kind === 'runs' && second !== undefined && second !== '')
    return { kind: 'run', name: first, dagRunId: second };
  return undefined;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
