import { refusalText } from '../../format/refusal-text.ts';
import { showToast } from './toasts.tsx';

/** Tells why something was not done, where nothing on the page can say it. */
export const showRefusal = (thrown: unknown): void => showToast('error', refusalText(thrown));
