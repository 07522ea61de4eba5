// Copies of secrets on disk: when they answer, and what they look like.
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { ADDRESS, ALL, type Behaviour, FOLDER, GONE, OPENAI, type Step } from '../behaviour.ts';

const OFFLINE = { maxRetries: 0, pauseMs: 0, offline: { directory: FOLDER } };

const copiesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(folder, name));

const SERVED: readonly Behaviour[] = [
  {
    title: 'an offline copy is served to another process during an outage, in any order of tags',
    client: OFFLINE,
    steps: [
      { ...ALL, ok: OPENAI },
      { ...ALL, args: { tags: ['sample', 'llm'] }, ok: OPENAI },
      { op: 'secrets.get', args: { key: 'OPENAI_API_KEY' } },
      { service: 'down' },
      { ...ALL, client: 'later', ok: OPENAI },
      { ...ALL, client: 'later', args: { tags: ['llm', 'sample', 'llm'] }, ok: OPENAI },
      { op: 'secrets.get', args: { key: 'OPENAI_API_KEY' }, equals: OPENAI.OPENAI_API_KEY },
      {
        ...ALL,
        client: 'too old',
        settings: { offline: { directory: FOLDER, maxAgeMs: 1 } },
        error: GONE,
      },
      { ...ALL, client: 'another filter', args: { tags: ['llm'] }, error: GONE },
    ],
  },
  {
    title: 'a refusal deletes the offline copy',
    client: OFFLINE,
    faults: ['pass', '401'],
    steps: [
      ALL,
      { ...ALL, error: { code: 'unauthenticated' } },
      { inFolder: (folder) => expect(copiesIn(folder)).toEqual([]) },
    ],
  },
];

const FIRST = { ...ALL, client: 'cue_Ab3dEf7h_one', settings: { apiKey: 'cue_Ab3dEf7h_one' } };

const SAME_ID = { ...ALL, client: 'cue_Ab3dEf7h_two', settings: { apiKey: 'cue_Ab3dEf7h_two' } };

/** Those who read with another API key, another address or another filter. */
const OTHERS = [
  SAME_ID,
  { ...ALL, client: 'another id', settings: { apiKey: 'cue_one' } },
  { ...ALL, client: 'address', settings: { ...FIRST.settings, url: `${ADDRESS}/stage` } },
  { ...FIRST, args: { tags: ['llm'] } },
  { ...FIRST, args: { environment: 'staging' } },
  { ...FIRST, op: 'secrets.get' as const, args: { key: 'OPENAI_API_KEY', tags: ['llm'] } },
];

const ORIGINAL = 'original';
const originalIn = (folder: string): string => readFileSync(join(folder, ORIGINAL), 'utf8');
const keepOriginal: Step = {
  inFolder: (folder) => {
    const [copy = '', ...others] = copiesIn(folder);
    expect(others).toEqual([]);
    copyFileSync(copy, join(folder, ORIGINAL));
  },
};

const restoreOriginal: Step = {
  inFolder: (folder) => {
    for (const copy of copiesIn(folder)) writeFileSync(copy, originalIn(folder));
  },
};

/** The copy is replaced by this, and does not answer. */
const refused = (change: (original: { readonly [part: string]: string }) => unknown): Step[] => [
  {
    inFolder: (folder) => {
      const changed = change(JSON.parse(originalIn(folder)));
      const text = typeof changed === 'string' ? changed : JSON.stringify(changed);
      for (const copy of copiesIn(folder)) writeFileSync(copy, text);
    },
  },
  { ...ALL, error: GONE },
];

const PARTS = ['salt', 'iv', 'tag', 'data'];
const flipped = (text = ''): string => {
  const bytes = Buffer.from(text, 'base64');
  return Buffer.from(bytes.map((byte, i) => (i === 0 ? byte ^ 1 : byte))).toString('base64');
};
const shortened = (text = ''): string => Buffer.from(text, 'base64').subarray(0, 12).toString('base64');

const SEALED: readonly Behaviour[] = [
  {
    title: 'an offline copy survives the refusal of another API key, even with the same id',
    client: OFFLINE,
    faults: [{ res: OPENAI }, '401'],
    steps: [
      FIRST,
      { ...SAME_ID, error: { code: 'unauthenticated' } },
      { service: 'down' },
      { ...FIRST, ok: OPENAI },
    ],
  },
  {
    title: 'each API key, address and filter has its own offline copy, which answers no other',
    client: OFFLINE,
    always: { res: OPENAI },
    steps: [
      FIRST,
      keepOriginal,
      ...OTHERS,
      {
        inFolder: (folder) => {
          const copies = copiesIn(folder);
          const ids = copies.map((copy) => basename(copy).split('-')[0]);
          expect(ids.sort()).toEqual([...OTHERS.slice(1).map(() => 'Ab3dEf7h'), 'Ab3dEf7h', 'key']);
          const foreign = copies.filter((copy) => readFileSync(copy, 'utf8') !== originalIn(folder));
          expect(foreign).toHaveLength(OTHERS.length);
          for (const copy of foreign) writeFileSync(copy, originalIn(folder));
        },
      },
      { service: 'down' },
      { ...FIRST, ok: OPENAI },
      ...OTHERS.map((other) => ({ ...other, error: GONE })),
    ],
  },
  {
    title: 'an offline copy that was changed in any way does not answer',
    client: OFFLINE,
    steps: [
      ALL,
      keepOriginal,
      { service: 'down' },
      ...PARTS.flatMap((part) => refused((original) => ({ ...original, [part]: flipped(original[part]) }))),
      ...[...PARTS, 'savedAt', 'v'].flatMap((part) => refused((original) => ({ ...original, [part]: null }))),
      ...refused((original) => ({ ...original, tag: shortened(original.tag) })),
      ...refused((original) => ({ ...original, savedAt: Number(original.savedAt) + 1 })),
      ...refused((original) => ({ ...original, savedAt: 'now' })),
      ...refused((original) => ({ ...original, v: 2 })),
      ...refused((original) => JSON.stringify(original).slice(0, -20)),
      ...['', '{}', '[]', 'null'].flatMap((text) => refused(() => text)),
      restoreOriginal,
      { ...ALL, ok: OPENAI },
    ],
  },
  {
    title:
      'an offline copy is one file, new each time, that only its owner can read, without a value or the key',
    client: { ...OFFLINE, offline: { directory: `${FOLDER}/made/when needed` } },
    steps: [
      ALL,
      {
        inFolder: (folder) => {
          const place = join(folder, 'made', 'when needed');
          const [copy = '', ...others] = readdirSync(place);
          expect(others).toEqual([]);
          const modes = [place, join(place, copy)].map((path) => statSync(path).mode & 0o777);
          expect(modes).toEqual([0o700, 0o600]);
          const text = readFileSync(join(place, copy), 'utf8');
          expect(text).not.toMatch(/sample|sk-|cue_|localhost|127\./);
          expect(Object.keys(JSON.parse(text)).sort()).toEqual([...PARTS, 'savedAt', 'v'].sort());
          writeFileSync(join(folder, ORIGINAL), text);
        },
      },
      ALL,
      {
        inFolder: (folder) => {
          const [copy = '', ...others] = copiesIn(join(folder, 'made', 'when needed'));
          expect(others).toEqual([]);
          const [old, young] = [originalIn(folder), readFileSync(copy, 'utf8')].map((text) =>
            JSON.parse(text),
          );
          for (const part of PARTS) expect(young[part]).not.toBe(old[part]);
        },
      },
    ],
  },
];

const TAGGED = { ...ALL, args: { tags: ['llm'] } };
const modeOf =
  (name: string, mode: number): NonNullable<Extract<Step, { inFolder: unknown }>['inFolder']> =>
  (folder) =>
    chmodSync(join(folder, name), mode);

const STOLEN: readonly Behaviour[] = [
  {
    title:
      'a refused API key ends all its offline copies, those of other filters too, until it is accepted again',
    client: OFFLINE,
    faults: ['pass', 'pass', '401'],
    steps: [
      ALL,
      TAGGED,
      { pass: 1000 },
      { ...ALL, client: 'refused', error: { code: 'unauthenticated' } },
      { inFolder: (folder) => expect(copiesIn(folder)).toHaveLength(1) },
      { service: 'down' },
      { ...TAGGED, client: 'later', error: GONE },
      { service: 'up' },
      { pass: 1000 },
      { ...TAGGED, client: 'again' },
      { service: 'down' },
      { ...TAGGED, client: 'last', ok: OPENAI },
    ],
  },
  {
    title: 'an offline copy that is older than one this client has seen does not answer',
    client: OFFLINE,
    steps: [
      ALL,
      keepOriginal,
      { pass: 1000 },
      ALL,
      restoreOriginal,
      { service: 'down' },
      { ...ALL, error: GONE },
      { ...ALL, client: 'another process', ok: OPENAI },
    ],
  },
  {
    title: 'an offline copy in a folder that others can write to is neither written nor used',
    client: { ...OFFLINE, offline: { directory: `${FOLDER}/own` } },
    steps: [
      ALL,
      { inFolder: modeOf('own', 0o770) },
      { ...ALL, client: 'shared', error: { code: 'configuration' } },
      { service: 'down' },
      { ...ALL, error: GONE },
      { inFolder: modeOf('own', 0o700) },
      { ...ALL, ok: OPENAI },
      { inFolder: (folder) => mkdirSync(join(folder, 'world'), { mode: 0o700 }) },
      { inFolder: modeOf('world', 0o1777) },
      {
        ...ALL,
        client: 'world',
        settings: { offline: { directory: `${FOLDER}/world` } },
        error: { code: 'configuration' },
      },
    ],
  },
];

export const COPIES: readonly Behaviour[] = [...SERVED, ...SEALED, ...STOLEN];
