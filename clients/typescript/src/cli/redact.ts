/** Values shorter than this, such as `true`, are not masked: they occur in every output. */
const SHORTEST_BYTES = 4;
const MASK = '[secret]';

const unicodeEscapes = (text: string, characters: RegExp): string =>
  text.replace(characters, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Base64 of a value wherever it stands in what is encoded: without the characters that its neighbours change. */
const base64Forms = (bytes: Buffer): string[] =>
  [0, 1, 2].map((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return all.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
  });

/** A value as programs encode it. */
const encodedForms = (value: string): string[] => {
  const json = JSON.stringify(value).slice(1, -1);
  const escaped = unicodeEscapes(json, /[^\0-\x7f]/g);
  const url = encodeURIComponent(value.toWellFormed());
  const padded = Buffer.from(value).toString('base64');
  const base64 = [padded, padded.replace(/=+$/, ''), ...base64Forms(Buffer.from(value))];
  const hex = Buffer.from(value).toString('hex');
  return [
    ...[json, escaped, unicodeEscapes(json, /[<>&']/g), unicodeEscapes(escaped, /[<>&']/g)],
    json.replaceAll('/', '\\/'),
    ...[url, url.replaceAll('%20', '+'), url.replace(/%../g, (each) => each.toLowerCase())],
    ...[...base64, ...base64.map((text) => text.replace(/[+/]/g, (each) => (each === '+' ? '-' : '_')))],
    ...[hex, hex.toUpperCase()],
  ];
};

/** A value as it may occur in output: as it is, line by line, and encoded; one character for each byte. */
const formsOf = (value: string): string[] => {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  const encoded = Buffer.byteLength(value) < SHORTEST_BYTES ? [] : encodedForms(value);
  return [value, ...lines, ...encoded].map((text) => Buffer.from(text).toString('latin1'));
};

/** Masks secrets in a stream of bytes, across the borders of its chunks; values that overlap get one mask. */
export class Redactor {
  readonly #forms: readonly string[];
  #held = '';
  /** How much of the beginning of `#held` belongs to a value whose mask is printed. */
  #covered = 0;

  constructor(values: readonly string[]) {
    this.#forms = [...new Set(values.flatMap(formsOf).filter((form) => form.length >= SHORTEST_BYTES))];
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
    const hold = isLast ? text.length : this.#holdFrom(text);
    let printed = '';
    let at = this.#covered;
    for (const [from, to] of this.#placesIn(text)) {
      // What begins there is found again, perhaps longer, when more has arrived.
      if (from >= hold) break;
      if (from >= at) printed += text.slice(at, from) + MASK;
      at = Math.max(at, to);
    }
    this.#held = text.slice(hold);
    this.#covered = Math.max(0, at - hold);
    return Buffer.from(printed + text.slice(at, Math.max(at, hold)), 'latin1');
  }

  /** Where values are, in order. */
  #placesIn(text: string): (readonly [from: number, to: number])[] {
    const places: (readonly [number, number])[] = [];
    for (const form of this.#forms)
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1))
        places.push([at, at + form.length]);
    return places.sort(([one], [other]) => one - other);
  }

  /** The earliest place from which the text may be the start of a value. */
  #holdFrom(text: string): number {
    let earliest = text.length;
    for (const form of this.#forms) {
      const start = form.charAt(0);
      let at = text.indexOf(start, Math.max(0, text.length - form.length + 1));
      while (at >= 0 && at < earliest && !form.startsWith(text.slice(at))) at = text.indexOf(start, at + 1);
      if (at >= 0) earliest = Math.min(earliest, at);
    }
    return earliest;
  }
}
