import { serveRequests } from '../threads/serve-requests.ts';
import { loadText, type LoadedText, type TextToLoad } from './load-texts.ts';

/** JSON is read in half the time of a structured clone. */
export type LoadReply = { readonly json: string } | { readonly value: LoadedText };

// What is made at first use, such as the validator, is no part of the time for a request.
loadText({ text: 'steps: [echo]' });

serveRequests((request: TextToLoad): LoadReply => {
  const value = loadText(request);
  return isJson(value) ? { json: JSON.stringify(value) } : { value };
});

/** Numbers such as `.inf` are YAML and no JSON. */
function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  return typeof value !== 'object' || value === null || Object.values(value).every(isJson);
}
