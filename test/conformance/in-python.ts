/** The name that Python has for one of TypeScript: its times are seconds. */
export const inPython = (name: string): string =>
  name.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
