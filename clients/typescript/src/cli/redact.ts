/** Values shorter than this, such as `true`, are not masked: they occur in every output. */
const SHORTEST_BYTES = 4;
const MASK = '[secret]';

/** A value as it may occur in output: as it is, line by line, and in JSON; one character for each byte. */
const formsOf = (value: string): string[] => {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  return [value, ...lines, JSON.stringify(value).slice(1, -1)].map((text) =>
    Buffer.from(text).toString('latin1'),
  );
};

/** Masks secrets in a stream of bytes, across the borders of its chunks. */
export class Redactor {
  readonly #forms: readonly string[];
  #held = '';

  constructor(values: readonly string[]) {
    const forms = new Set(values.flatMap(formsOf).filter((form) => form.length >= SHORTEST_BYTES));
    this.#forms = [...forms].sort((a, b) => b.length - a.length);
  }

  /** What can be printed now. The end of a chunk that may be the start of a value waits for the next chunk. */
  push(chunk: Uint8Array): Uint8Array {
    return this.#take(this.#held + Buffer.from(chunk).toString('latin1'), false);
  }

  /** The rest, at the end of the stream. */
  end(): Uint8Array {
    return this.#take(this.#held, true);
  }

  #take(text: string, isLast: boolean): Uint8Array {
    const places = this.#forms.map((form) => text.indexOf(form));
    let hold = isLast ? text.length : this.#holdFrom(text, 0);
    let printed = '';
    let at = 0;
    for (;;) {
      const found = this.#next(text, at, places);
      // A longer value that begins where this one does would be held back.
      if (found === undefined || found.at >= hold) break;
      printed += text.slice(at, found.at) + MASK;
      at = found.at + found.length;
      if (hold < at) hold = this.#holdFrom(text, at);
    }
    this.#held = text.slice(hold);
    return Buffer.from(printed + text.slice(at, hold), 'latin1');
  }

  /** The first value from here on, the longest of those that begin there. `places` remembers the next of each. */
  #next(text: string, from: number, places: number[]) {
    let first: { readonly at: number; readonly length: number } | undefined;
    for (const [index, form] of this.#forms.entries()) {
      let at = places[index] ?? -1;
      if (at >= 0 && at < from) places[index] = at = text.indexOf(form, from);
      if (at >= 0 && (first === undefined || at < first.at)) first = { at, length: form.length };
    }
    return first;
  }

  /** The earliest place from which the text may be the start of a value. */
  #holdFrom(text: string, from: number): number {
    let earliest = text.length;
    for (const form of this.#forms) {
      const start = form.charAt(0);
      let at = text.indexOf(start, Math.max(from, text.length - form.length + 1));
      while (at >= 0 && at < earliest && !form.startsWith(text.slice(at))) at = text.indexOf(start, at + 1);
      if (at >= 0) earliest = Math.min(earliest, at);
    }
    return earliest;
  }
}
