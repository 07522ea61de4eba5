import { useNavigate } from '@tanstack/react-router';

const API_KEY = /^.*\bcue_([0-9A-Za-z]{8})_[0-9A-Za-z]{38}\b.*$/s;

/** An id that the screens show, such as that of a secret. */
const ID = /^[0-9A-Za-z]{22}$/;
const PRIVATE_KEY = /-----BEGIN /;
const PASSWORD_IN_URL = /:\/\/[^\s/:@]*:[^\s/@]+@/;
/** Names have words, credentials a run of letters and digits. */
const RUNS = /[^\s/=:"',._-]{16,}/g;

const looksLikeSecret = (text: string): boolean =>
  !ID.test(text) &&
  (PRIVATE_KEY.test(text) ||
    PASSWORD_IN_URL.test(text) ||
    (text.match(RUNS) ?? []).some((run) => /\d/.test(run) && /[A-Za-z]/.test(run)));

let pasted = '';

/** Tells the screen that asks who has a value, if it is open, that something else was pasted. */
export const PASTED = 'cv-pasted';

/** What was pasted into a search and looks like a secret, once. */
export const takePasted = (): string => {
  const text = pasted;
  pasted = '';
  return text;
};

/**
 * Returns a function that says what is searched for, so that no credential gets into an address or a log: an API key is
 * searched for by its id. What looks like a secret is not (`undefined`), and leads to the screen that asks who has it.
 */
export const useSearchedFor = () => {
  const navigate = useNavigate();
  return (text: string): string | undefined => {
    const searched = text.replace(API_KEY, '$1');
    if (!looksLikeSecret(searched.trim())) return searched;
    // The field has dropped its line breaks.
    pasted = PRIVATE_KEY.test(text) ? '' : text;
    window.dispatchEvent(new Event(PASTED));
    void navigate({ to: '/secrets/who-has' });
    return undefined;
  };
};
