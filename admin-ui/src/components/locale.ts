/**
 * The locale of dates and numbers: the browser's if it is English, the language of all other texts, so that no sentence
 * mixes two languages.
 */
export const LOCALE = navigator.language.startsWith('en') ? navigator.language : 'en';

/** A number with grouped digits. */
export const inDigits = (value: number): string => value.toLocaleString(LOCALE);
