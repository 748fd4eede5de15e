// A file of its own: the program of a worker thread.
import { serveRequests } from '../../process/threads/serve-requests.ts';
import { loadText, type LoadedText, type TextToLoad } from './load-text.ts';

/** JSON is parsed in half the time of a structured clone. */
export type LoadReply = { readonly json: string } | { readonly value: LoadedText };

// Lazy initialization, such as of the validator, does not count towards the timeout of a request.
loadText({ text: 'steps: [echo]' });

serveRequests((request: TextToLoad): LoadReply => {
  const value = loadText(request);
  return isJson(value) ? { json: JSON.stringify(value) } : { value };
});

/** Whether a value is representable in JSON; YAML numbers such as `.inf` are not. */
function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  return typeof value !== 'object' || value === null || Object.values(value).every(isJson);
}
