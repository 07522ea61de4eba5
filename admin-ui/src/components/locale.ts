/**
 * The language of dates and numbers: the browser's where it is a kind of English, the language of all other texts, so
 * that no sentence mixes two.
 */
export const LOCALE = navigator.language.startsWith('en') ? navigator.language : 'en';

/** A number with its digits in groups. */
export const inDigits = (value: number): string => value.toLocaleString(LOCALE);
