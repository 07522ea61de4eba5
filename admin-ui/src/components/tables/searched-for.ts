const API_KEY = /^.*\bcue_([0-9A-Za-z]{8})_[0-9A-Za-z]{38}\b.*$/s;

/** Ids that the screens show, such as that of a secret, and hashes of commits. */
const ID = /^(?:[0-9A-Za-z]{22}|[0-9a-f]{40})$/;
const KNOWN =
  /-----BEGIN |:\/\/[^\s/:@]*:[^\s/@]+@|\b(?:sk[-_]|rk_live_|gh[opsur]_|github_pat_|glpat-|xox[a-z]-|npm_|pypi-|hf_|SG\.|AIza|eyJ)[\w-]{12}/;
const RUNS = /[^\s:"',]{20,}/g;

const kindOf = (character: string): string =>
  /\d/.test(character) ? 'digit' : /[a-z]/.test(character) ? 'lower' : /[A-Z]/.test(character) ? 'upper' : '';

/** How many of its letters and digits are of another kind than the one before; an upper-case letter can begin a word. */
const changesIn = (run: string): number => {
  const kinds = [...run].map(kindOf).filter((kind) => kind !== '');
  const changes = kinds.filter((kind, index) => {
    const before = kinds[index - 1] ?? kind;
    return before !== kind && !(before === 'upper' && kind === 'lower');
  });
  return changes.length / kinds.length;
};

/** Bits for each character. */
const entropyOf = (run: string): number => {
  const counts = [...Map.groupBy(run, (character) => character).values()].map(({ length }) => length);
  return counts.reduce((sum, count) => sum - (count / run.length) * Math.log2(count / run.length), 0);
};

// Between what long names of prompts and secrets have, at most 0.26 and 4.25, and what random texts have.
const MOST_CHANGES = 0.3;
const MOST_ENTROPY = 4.5;

const looksLikeCredential = (text: string): boolean =>
  !ID.test(text) &&
  (KNOWN.test(text) ||
    (text.match(RUNS) ?? []).some(
      (run) => /\d/.test(run) && (changesIn(run) >= MOST_CHANGES || entropyOf(run) >= MOST_ENTROPY),
    ));

/**
 * What is searched for when this is typed: of an API key, its id. Undefined for what looks like a credential, which must
 * not get into an address, a request or a log.
 */
export const searchedFor = (typed: string): string | undefined => {
  const text = typed.replace(API_KEY, '$1');
  return looksLikeCredential(text.trim()) ? undefined : text;
};

let kept = '';

/** Keeps the text of a search for the screen that asks who has it. */
export const keepTyped = (text: string): void => {
  kept = text;
};

/** The text that was kept, once. */
export const takeTyped = (): string => {
  const text = kept;
  kept = '';
  return text;
};
